#pragma once
// Exact splitters: where sorted runs on several ranks are cut so that each rank gets its share of
// their merge.
//
// The elements are in the order (key, run, position), in which no two are equal. For each target t
// all ranks search at once for the t-th element. In a round every run sends samples, at equal
// distances, of its candidates for the t-th element. In the merge of all samples, the samples
// before a given one bound the number of elements before it from below, and the samples after it
// bound this number from above. Some samples are thus known to be among the first t elements, and
// some not to be; the candidates that remain lie between two neighbouring samples of each run. A
// round is one all_gather of a few hundred keys per run, and divides the candidates by half the
// number of samples of a run. The samples only guide the search: the cuts are exact, however the
// keys are distributed.
//
// Source: Varman, Scheufler, Iyer, Ricard, "Merging multiple lists on hierarchical-memory
// multiprocessors", JPDC 1991, which halves the candidates.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold::detail {

/// A sorted run of a rank, in the memory of its local context.
template <class Key>
struct sorted_run {
  const Key* keys;
  std::uint64_t count;
};

/// out[i] = keys[positions[i]].
template <class Key>
struct pick_samples {
  const Key* keys;
  const std::uint64_t* positions;
  Key* out;

  EF_HD void operator()(std::uint64_t i) const { out[i] = keys[positions[i]]; }
};

/// The search for the cuts of `runs`, of which every rank has as many. Run j of rank r has the
/// number j * ranks + r, so that all first runs precede all second ones.
template <class Context, class Key, class Less>
class cut_search {
 public:
  cut_search(Context& ctx, const std::vector<sorted_run<Key>>& runs, Less less)
      : ctx_(ctx),
        runs_(runs),
        order_{less},
        ranks_(static_cast<std::size_t>(ctx.size())),
        num_runs_(runs.size() * ranks_),
        most_samples_(std::clamp<std::uint64_t>(1024 / num_runs_, 16, 256)) {}

  /// cuts[k][v] = how many elements of run v are among the first targets[k] elements of all runs.
  std::vector<std::vector<std::uint64_t>> find(const std::vector<std::uint64_t>& targets) {
    std::vector<std::uint64_t> own_counts;
    for (const sorted_run<Key>& run : runs_) own_counts.push_back(run.count);
    const auto counts = gather_values(ctx_, own_counts.data(), own_counts.size());
    low_.assign(targets.size(), std::vector<std::uint64_t>(num_runs_, 0));
    high_ = low_;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      for (std::size_t v = 0; v < num_runs_; ++v) high_[k][v] = counts[slot(v)];
      keep_sum(k, targets[k]);
    }
    for (;;) {
      std::vector<std::size_t> open;
      for (std::size_t k = 0; k < targets.size(); ++k) {
        if (low_[k] != high_[k]) open.push_back(k);
      }
      if (open.empty()) break;
      const array<Key> samples = gather_samples(open);
      const Key* next = samples.data();
      std::vector<std::vector<sample>> of_targets(open.size());
      for (std::size_t r = 0; r < ranks_; ++r) {
        for (std::size_t j = 0; j < runs_.size(); ++j) {
          for (std::size_t a = 0; a < open.size(); ++a) {
            append_samples(of_targets[a], open[a], j * ranks_ + r, next);
          }
        }
      }
      for (std::size_t a = 0; a < open.size(); ++a) {
        narrow(open[a], targets[open[a]], std::move(of_targets[a]));
      }
    }
    // If `less` is no strict weak order, the cuts are still in the order of the targets.
    for (std::size_t k = 1; k < targets.size(); ++k) {
      for (std::size_t v = 0; v < num_runs_; ++v) {
        low_[k][v] = std::max(low_[k][v], low_[k - 1][v]);
      }
    }
    return low_;
  }

 private:
  struct sample {
    const Key* key;
    std::size_t run;
    std::uint64_t position;
  };

  /// The index of the number of run v among the numbers that all ranks have sent.
  std::size_t slot(std::size_t v) const { return v % ranks_ * runs_.size() + v / ranks_; }

  /// The number of samples that run v sends for a target, and the position of the i-th of them.
  std::uint64_t num_samples(std::size_t k, std::size_t v) const {
    return std::min(most_samples_, high_[k][v] - low_[k][v]);
  }
  std::uint64_t position(std::size_t k, std::size_t v, std::uint64_t i) const {
    // In the middle of the i-th share of the candidates.
    return low_[k][v] + (high_[k][v] - low_[k][v]) * (2 * i + 1) / (2 * num_samples(k, v));
  }

  /// The samples of all ranks for the open targets: by rank, run and target.
  array<Key> gather_samples(const std::vector<std::size_t>& open) {
    auto& local = ctx_.local();
    std::vector<std::uint64_t> sizes(ranks_);
    std::vector<std::vector<std::uint64_t>> positions(runs_.size());
    for (std::size_t v = 0; v < num_runs_; ++v) {
      const bool is_own = v % ranks_ == static_cast<std::size_t>(ctx_.rank());
      for (const std::size_t k : open) {
        const std::uint64_t count = num_samples(k, v);
        sizes[v % ranks_] += count;
        if (!is_own) continue;
        for (std::uint64_t i = 0; i < count; ++i) {
          positions[v / ranks_].push_back(position(k, v, i));
        }
      }
    }
    const shard_map map = shard_map::of_sizes(sizes);
    array<Key> own(local, map.size(ctx_.rank()));
    Key* out = own.data();
    for (std::size_t j = 0; j < runs_.size(); ++j) {
      const std::uint64_t count = positions[j].size();
      const array<std::uint64_t> at = to_context(local, positions[j]);
      transform(local, count, pick_samples<Key>{runs_[j].keys, at.data(), out});
      out += count;
    }
    const std::vector<Key> on_host = to_host(local, own);
    return gather_shards(ctx_, ctx_.host(), on_host.data(), map);
  }

  /// Merges the samples of run v, from `next` on, with those of the runs before it.
  void append_samples(std::vector<sample>& samples, std::size_t k, std::size_t v,
                      const Key*& next) {
    const auto merged = static_cast<std::ptrdiff_t>(samples.size());
    for (std::uint64_t i = 0; i < num_samples(k, v); ++i) {
      samples.push_back({next++, v, position(k, v, i)});
    }
    std::inplace_merge(samples.begin(), samples.begin() + merged, samples.end(),
                       [&](const sample& a, const sample& b) {
                         if (order_(*a.key, *b.key)) return true;
                         return !order_(*b.key, *a.key) && a.run < b.run;
                       });
  }

  /// Raises `low_` and lowers `high_` by the samples of a target. As long as there are candidates,
  /// the samples exclude at least one of them, in any order of the samples in which those of each
  /// run ascend.
  void narrow(std::size_t k, std::uint64_t target, std::vector<sample> samples) {
    // Lower and upper bounds of the number of elements of each run that precede the next sample.
    std::vector<std::uint64_t> least = low_[k];
    std::vector<std::uint64_t> most = high_[k];
    std::uint64_t sum = 0;
    for (const std::uint64_t count : least) sum += count;
    for (const sample& next : samples) {
      sum += next.position - least[next.run];
      least[next.run] = next.position;
      if (sum >= target) high_[k][next.run] = std::min(high_[k][next.run], next.position);
      least[next.run] += 1;
      sum += 1;
    }
    sum = 0;
    for (const std::uint64_t count : most) sum += count;
    for (auto next = samples.rbegin(); next != samples.rend(); ++next) {
      sum -= most[next->run] - next->position;
      most[next->run] = next->position;
      if (sum < target) low_[k][next->run] = std::max(low_[k][next->run], next->position + 1);
    }
    keep_sum(k, target);
  }

  /// The cuts of a target add up to it, so that the cuts of all other runs bound each cut.
  void keep_sum(std::size_t k, std::uint64_t target) {
    std::uint64_t all_low = 0;
    std::uint64_t all_high = 0;
    for (std::size_t v = 0; v < num_runs_; ++v) {
      all_low += low_[k][v];
      all_high += high_[k][v];
    }
    for (std::size_t v = 0; v < num_runs_; ++v) {
      const std::uint64_t low = low_[k][v];
      const std::uint64_t high = high_[k][v];
      low_[k][v] = std::max(low, target - std::min(target, all_high - high));
      high_[k][v] = std::min(high, target - (all_low - low));
    }
  }

  Context& ctx_;
  const std::vector<sorted_run<Key>>& runs_;
  total_order<Less> order_;
  std::size_t ranks_, num_runs_;
  std::uint64_t most_samples_;
  /// For each target and run: the cut is at least `low_`, at most `high_`.
  std::vector<std::vector<std::uint64_t>> low_, high_;
};

/// How runs are exchanged: part k of run v, which rank k gets, is [cuts[k][v], cuts[k + 1][v]).
using run_cuts = std::vector<std::vector<std::uint64_t>>;

/// The cuts that give each rank an equal share of the merge of all runs.
template <class Context, class Key, class Less>
run_cuts find_equal_cuts(Context& ctx, const std::vector<sorted_run<Key>>& runs,
                         std::uint64_t total, Less less) {
  std::vector<std::uint64_t> targets;
  for (int r = 0; r <= ctx.size(); ++r) targets.push_back(share_begin(total, ctx.size(), r));
  return cut_search<Context, Key, Less>(ctx, runs, less).find(targets);
}

/// The shards of run j of all ranks, which is one sorted sequence, after the exchange.
inline shard_map shares_of_run(const run_cuts& cuts, std::size_t j) {
  const std::size_t ranks = cuts.size() - 1;
  std::vector<std::uint64_t> sizes(ranks);
  for (std::size_t k = 0; k < ranks; ++k) {
    for (std::size_t v = j * ranks; v < (j + 1) * ranks; ++v) {
      sizes[k] += cuts[k + 1][v] - cuts[k][v];
    }
  }
  return shard_map::of_sizes(sizes);
}

/// The sizes of all shards after the exchange.
inline shard_map exchanged_shards(const run_cuts& cuts) {
  std::vector<std::uint64_t> sizes(cuts.size() - 1);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (std::size_t v = 0; v < cuts[k].size(); ++v) sizes[k] += cuts[k + 1][v] - cuts[k][v];
  }
  return shard_map::of_sizes(sizes);
}

}  // namespace evenfold::detail
