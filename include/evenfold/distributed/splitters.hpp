#pragma once
// Exact splitters: where sorted runs on several ranks are cut so that each rank gets its share of
// their merge.
//
// The elements are in the order (key, run, position), in which no two are equal. For each target t
// all ranks search at once for the t-th element, by halving the ranges of candidates that each run
// has left: every run proposes its middle candidate, the median of the proposals, weighted with the
// numbers of candidates, becomes the pivot, and every run counts its elements before the pivot. A
// round costs two small all_gather and leaves at most three quarters of the candidates. Nothing is
// sampled, so that the cuts are exact, however the keys are distributed.
//
// Source: Varman, Scheufler, Iyer, Ricard, "Merging multiple lists on hierarchical-memory
// multiprocessors", JPDC 1991.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold::detail {

/// A sorted run of one rank, in the memory of its local context.
template <class Key>
struct sorted_run {
  const Key* keys;
  std::uint64_t count;
};

/// In place of a position: the run has no candidates.
inline constexpr std::uint64_t no_candidate = std::numeric_limits<std::uint64_t>::max();

/// out[i] = keys[positions[i]], unless there is no candidate.
template <class Key>
struct pick_candidates {
  const Key* keys;
  const std::uint64_t* positions;
  Key* out;

  EF_HD void operator()(std::uint64_t i) const {
    if (positions[i] != no_candidate) out[i] = keys[positions[i]];
  }
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
        num_runs_(runs.size() * ranks_) {}

  /// cuts[k][v] = how many elements of run v are among the first targets[k] elements of all runs.
  std::vector<std::vector<std::uint64_t>> find(const std::vector<std::uint64_t>& targets) {
    std::vector<std::uint64_t> counts;
    for (const sorted_run<Key>& run : runs_) {
      const auto of_ranks = gather_value(ctx_, run.count);
      counts.insert(counts.end(), of_ranks.begin(), of_ranks.end());
    }
    low_.assign(targets.size(), std::vector<std::uint64_t>(num_runs_, 0));
    high_.assign(targets.size(), counts);
    for (;;) {
      std::vector<std::size_t> open;
      for (std::size_t k = 0; k < targets.size(); ++k) {
        if (low_[k] != high_[k]) open.push_back(k);
      }
      if (open.empty()) break;
      halve(open, targets);
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
  struct pivot {
    std::size_t run;
    std::uint64_t position;
  };

  std::uint64_t middle(std::size_t k, std::size_t v) const {
    const std::uint64_t left = high_[k][v] - low_[k][v];
    return left == 0 ? no_candidate : low_[k][v] + left / 2;
  }

  std::size_t own_run(std::size_t j) const {
    return j * ranks_ + static_cast<std::size_t>(ctx_.rank());
  }

  /// One round for the open targets.
  void halve(const std::vector<std::size_t>& open, const std::vector<std::uint64_t>& targets) {
    const std::vector<Key> proposals = gather_proposals(open);
    std::vector<Key> keys;
    std::vector<pivot> pivots;
    for (std::size_t a = 0; a < open.size(); ++a) {
      const std::size_t run = weighted_median(open, a, proposals);
      pivots.push_back({run, middle(open[a], run)});
      keys.push_back(proposals[slot(open.size(), run, a)]);
    }
    const std::vector<std::uint64_t> counts = gather_counts(open, keys, pivots);
    for (std::size_t a = 0; a < open.size(); ++a) {
      std::vector<std::uint64_t>& low = low_[open[a]];
      std::vector<std::uint64_t>& high = high_[open[a]];
      std::uint64_t total = 0;
      for (std::size_t v = 0; v < num_runs_; ++v) total += counts[slot(open.size(), v, a)];
      const std::uint64_t target = targets[open[a]];
      for (std::size_t v = 0; v < num_runs_; ++v) {
        const std::uint64_t count = counts[slot(open.size(), v, a)];
        if (total <= target) low[v] = count;
        if (total >= target) high[v] = count;
      }
      // The pivot itself is among the first elements, too.
      if (total < target) low[pivots[a].run] = pivots[a].position + 1;
    }
  }

  /// Where the value of run v for the a-th open target is among those that all ranks have sent.
  std::size_t slot(std::size_t num_open, std::size_t v, std::size_t a) const {
    return (v % ranks_ * runs_.size() + v / ranks_) * num_open + a;
  }

  std::vector<Key> gather_proposals(const std::vector<std::size_t>& open) {
    auto& local = ctx_.local();
    array<Key> mine(local, runs_.size() * open.size());
    for (std::size_t j = 0; j < runs_.size(); ++j) {
      std::vector<std::uint64_t> positions;
      positions.reserve(open.size());
      for (const std::size_t k : open) positions.push_back(middle(k, own_run(j)));
      const array<std::uint64_t> at = to_context(local, positions);
      transform(local, std::uint64_t{open.size()},
                pick_candidates<Key>{runs_[j].keys, at.data(), mine.data() + j * open.size()});
      local.synchronize();
    }
    const auto map = shard_map::of_sizes(std::vector<std::uint64_t>(ranks_, mine.size()));
    return to_host(local, gather_shards(ctx_, local, mine.data(), map));
  }

  /// The run whose proposal has at most half of the candidates before it, and at most half after.
  std::size_t weighted_median(const std::vector<std::size_t>& open, std::size_t a,
                              const std::vector<Key>& proposals) const {
    const std::size_t k = open[a];
    std::vector<std::size_t> candidates;
    std::uint64_t all = 0;
    for (std::size_t v = 0; v < num_runs_; ++v) {
      if (middle(k, v) != no_candidate) candidates.push_back(v);
      all += high_[k][v] - low_[k][v];
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](std::size_t v, std::size_t w) {
      return order_(proposals[slot(open.size(), v, a)], proposals[slot(open.size(), w, a)]);
    });
    std::uint64_t before = 0;
    for (const std::size_t v : candidates) {
      before += high_[k][v] - low_[k][v];
      if (before >= all - all / 2) return v;
    }
    return candidates.back();
  }

  /// How many elements of each run are before the pivots.
  std::vector<std::uint64_t> gather_counts(const std::vector<std::size_t>& open,
                                           const std::vector<Key>& keys,
                                           const std::vector<pivot>& pivots) {
    auto& local = ctx_.local();
    const array<Key> needles = to_context(local, keys);
    array<std::uint64_t> bound(local, keys.size());
    std::vector<std::uint64_t> mine;
    for (std::size_t j = 0; j < runs_.size(); ++j) {
      search<bounds::lower>(local, needles.data(), keys.size(), runs_[j].keys, runs_[j].count,
                            bound.data(), order_);
      const std::vector<std::uint64_t> lower = to_host(local, bound);
      search<bounds::upper>(local, needles.data(), keys.size(), runs_[j].keys, runs_[j].count,
                            bound.data(), order_);
      const std::vector<std::uint64_t> upper = to_host(local, bound);
      const std::size_t v = own_run(j);
      for (std::size_t a = 0; a < open.size(); ++a) {
        const std::uint64_t count = v == pivots[a].run  ? pivots[a].position
                                    : v < pivots[a].run ? upper[a]
                                                        : lower[a];
        // A count is outside only if `less` is no strict weak order.
        mine.push_back(std::clamp(count, low_[open[a]][v], high_[open[a]][v]));
      }
    }
    return gather_values(ctx_, mine.data(), mine.size());
  }

  Context& ctx_;
  const std::vector<sorted_run<Key>>& runs_;
  total_order<Less> order_;
  std::size_t ranks_, num_runs_;
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

/// The sizes of the shards after the exchange.
inline shard_map exchanged_shards(const run_cuts& cuts) {
  std::vector<std::uint64_t> sizes(cuts.size() - 1);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (std::size_t v = 0; v < cuts[k].size(); ++v) sizes[k] += cuts[k + 1][v] - cuts[k][v];
  }
  return shard_map::of_sizes(sizes);
}

/// The parts of run `j` of all ranks that this rank gets, one rank after the other.
template <class T>
struct received_run {
  array<T> elements;
  std::vector<std::uint64_t> offsets;  ///< where the part of each rank begins, and the end
};

template <class Context, class T>
received_run<T> exchange_run(Context& ctx, const T* own, std::size_t j, const run_cuts& cuts) {
  const auto ranks = static_cast<std::size_t>(ctx.size());
  const auto me = static_cast<std::size_t>(ctx.rank());
  received_run<T> result;
  std::vector<std::size_t> sent(ranks + 1);
  std::vector<std::size_t> received(ranks + 1);
  result.offsets.assign(ranks + 1, 0);
  for (std::size_t r = 0; r < ranks; ++r) {
    const std::size_t v = j * ranks + r;
    sent[r + 1] = cuts[r + 1][j * ranks + me] * sizeof(T);
    result.offsets[r + 1] = result.offsets[r] + (cuts[me + 1][v] - cuts[me][v]);
    received[r + 1] = result.offsets[r + 1] * sizeof(T);
  }
  result.elements = array<T>(ctx.local(), result.offsets[ranks]);
  ctx.communicator().all_to_all_v(ctx.local(), reinterpret_cast<const std::byte*>(own), sent,
                                  reinterpret_cast<std::byte*>(result.elements.data()), received);
  return result;
}

}  // namespace evenfold::detail
