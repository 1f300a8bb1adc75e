#pragma once
// histogram of sharded sequences: each rank counts the items of its shard, and adds the counts of
// all ranks for an equal share of the bins. Weights are added by whole chunks of the global
// sequence, so that their sums have the order of one context.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/balance/weight_chunks.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"

namespace evenfold {

namespace detail {

/// out[b] = the sum of element b of some tables of `bins` counts, one after the other.
template <class Count>
struct add_tables {
  const Count* tables;
  std::uint64_t num_tables, bins;
  Count* out;

  EF_HD constexpr void operator()(std::uint64_t b) const {
    Count sum{};
    for (std::uint64_t t = 0; t < num_tables; ++t) {
      sum = static_cast<Count>(sum + tables[t * bins + b]);
    }
    out[b] = sum;
  }
};

}  // namespace detail

/// The number of elements x of all ranks with f(x) == b, for every b in [0, bins): an array in the
/// memory of the local context, the same on all ranks. Otherwise as the `histogram` of counts on
/// one context.
///
/// Each rank sends and receives 2 `bins` counts, however many ranks there are. Waits.
///
/// Errors: argument_error if the ranks pass different arguments; communication_error if another
/// rank fails; allocation_error.
template <std::integral Count = std::uint64_t, context Local, class Communicator, class Element,
          std::integral Bins, class F>
array<Count> histogram(distributed_context<Local, Communicator>& ctx, const sharded<Element>& input,
                       Bins bins, F f) {
  const std::uint64_t num_bins = detail::checked_bins("histogram", bins);
  const auto run = [&] {
    auto& local = ctx.local();
    array<Count> own(local, num_bins);
    histogram(local, input.local_size(), bins, elementwise(f, input.data()), own.data());
    if (ctx.size() == 1) return own;
    // Part r of the table goes to rank r.
    const shard_map map = shard_map::equal(num_bins, ctx.size());
    const std::uint64_t share = map.size(ctx.rank());
    const auto ranks = static_cast<std::size_t>(ctx.size());
    std::vector<std::size_t> received(ranks + 1);
    for (std::size_t r = 0; r <= ranks; ++r) received[r] = r * share * sizeof(Count);
    array<Count> tables(local, ranks * share);
    ctx.communicator().all_to_all_v(local, reinterpret_cast<const std::byte*>(own.data()),
                                    detail::bytes_of(map, sizeof(Count)),
                                    reinterpret_cast<std::byte*>(tables.data()), received);
    transform(local, share,
              detail::add_tables<Count>{tables.data(), std::uint64_t{ranks}, share, own.data()});
    return detail::gather_shards(ctx, local, own.data(), map);
  };
  return detail::run_on_all_ranks(ctx, "histogram", {{"input", input.size()}, {"bins", num_bins}},
                                  run);
}

namespace detail {

/// i -> the sum of bin i / chunks in chunk i % chunks
template <class T>
struct weight_by_bin {
  const T* sums;
  weight_layout layout;
  std::uint64_t chunks;

  EF_HD constexpr T operator()(std::uint64_t i) const {
    return sums[i % chunks * layout.of_chunk + i / chunks * layout.of_bin];
  }
};

/// Where the sums of a chunk are: the sum of bin b is at index begin + b * step.
struct chunk_layout {
  std::uint64_t begin, step;
};

/// Segment 2 b has the sums of bin b, by chunk. It begins at a multiple of `length`, a power of
/// two, so that it is folded as a sequence of its own; segment 2 b + 1 is the padding after it.
struct offsets_of_bins {
  using value_type = std::uint64_t;
  std::uint64_t chunks, length;

  template <class Index>
  EF_HD constexpr std::uint64_t operator[](Index s) const {
    const auto segment = static_cast<std::uint64_t>(s);
    return segment / 2 * length + segment % 2 * chunks;
  }
};

/// i -> item i of the segments of offsets_of_bins: the sum of a chunk, or zero in the padding.
template <class T>
struct laid_out_weight {
  const T* sums;
  const chunk_layout* layouts;
  offsets_of_bins bins;

  EF_HD constexpr T operator()(std::uint64_t i) const {
    const std::uint64_t chunk = i % bins.length;
    if (chunk >= bins.chunks) return T{};
    return sums[layouts[chunk].begin + i / bins.length * layouts[chunk].step];
  }
};

/// b -> folds[2 b]
template <class T>
struct even_element {
  const T* folds;
  EF_HD constexpr T operator()(std::uint64_t b) const { return folds[2 * b]; }
};

/// The weights of the `share` bins of this rank: for each bin, the fold of the sums of the chunks
/// of all ranks, in the order of chunks. `sums` has the sums of rank 0, by bin, then those of rank
/// 1, and so on.
template <class T, class Local>
array<T> fold_chunk_weights(Local& local, const array<T>& sums, const shard_map& chunks,
                            std::uint64_t share) {
  std::vector<chunk_layout> layouts;
  for (int r = 0; r < chunks.num_shards(); ++r) {
    for (std::uint64_t c = 0; c < chunks.size(r); ++c) {
      layouts.push_back({chunks.begin(r) * share + c, chunks.size(r)});
    }
  }
  const auto on_context = to_context(local, layouts);
  const offsets_of_bins bins{chunks.size(), std::bit_ceil(chunks.size())};
  array<T> folds(local, 2 * share);
  transform_segreduce(local, share * bins.length,
                      laid_out_weight<T>{sums.data(), on_context.data(), bins}, bins, 2 * share,
                      folds.data(), plus{}, T{});
  array<T> result(local, share);
  transform(local, share, write_result{even_element<T>{folds.data()}, result.data()});
  local.synchronize();
  return result;
}

}  // namespace detail

/// The sum of the weights of the elements x of all ranks with f(x) == b, for every b in [0, bins):
/// an array in the memory of the local context, the same on all ranks. Has the bits of the
/// `histogram` of weights on one context. `weights` has one weight per element, in any shards.
///
/// Elements and weights move to ranks with whole chunks (balance/weight_chunks.hpp): from equal
/// shares, less than a chunk per rank. Each rank sends the sums of its chunks, at most one per 16
/// of its elements, and receives as many: those of all chunks for an equal share of the bins.
/// Waits.
///
/// Errors: argument_error if there is not one weight per element, or if the ranks pass different
/// arguments; communication_error if another rank fails; allocation_error.
template <context Local, class Communicator, class Element, std::integral Bins, class F, class T>
array<T> histogram(distributed_context<Local, Communicator>& ctx, const sharded<Element>& input,
                   Bins bins, F f, const sharded<T>& weights) {
  const std::uint32_t num_bins = detail::checked_bins("histogram", bins);
  if (weights.size() != input.size()) {
    detail::refuse_argument("histogram", "weights", weights.size(),
                            "there are " + std::to_string(input.size()) + " elements",
                            "pass one weight per element");
  }
  const auto run = [&] {
    auto& local = ctx.local();
    const std::uint64_t length = detail::weight_chunk_length(input.size(), num_bins);
    const shard_map chunks = shard_map::equal(detail::ceil_div(input.size(), length), ctx.size());
    std::vector<std::uint64_t> begins;
    for (int r = 0; r < ctx.size(); ++r) {
      begins.push_back(std::min(input.size(), chunks.begin(r) * length));
    }
    begins.push_back(input.size());
    const shard_map items(std::move(begins));
    const detail::in_shards elements(ctx, input, items);
    const detail::in_shards own_weights(ctx, weights, items);
    const auto bin = elementwise(f, elements->data());
    const element_of<T, const T*> weight{own_weights->data()};
    if (ctx.size() == 1) {
      array<T> all(local, num_bins);
      histogram(local, input.size(), num_bins, bin, weight, all.data());
      return all;
    }

    const std::uint64_t own_chunks = chunks.size(ctx.rank());
    const auto own =
        detail::weigh_chunks<T>(local, items.size(ctx.rank()), num_bins, length, bin, weight);
    array<T> by_bin(local, own_chunks * num_bins);
    transform(local, by_bin.size(),
              write_result{detail::weight_by_bin<T>{own.sums.data(), own.layout, own_chunks},
                           by_bin.data()});
    const shard_map map = shard_map::equal(num_bins, ctx.size());
    const std::uint64_t share = map.size(ctx.rank());
    array<T> sums(local, chunks.size() * share);
    ctx.communicator().all_to_all_v(local, reinterpret_cast<const std::byte*>(by_bin.data()),
                                    detail::bytes_of(map, own_chunks * sizeof(T)),
                                    reinterpret_cast<std::byte*>(sums.data()),
                                    detail::bytes_of(chunks, share * sizeof(T)));
    const array<T> folds = detail::fold_chunk_weights(local, sums, chunks, share);
    return detail::gather_shards(ctx, local, folds.data(), map);
  };
  return detail::run_on_all_ranks(ctx, "histogram", {{"input", input.size()}, {"bins", num_bins}},
                                  run);
}

}  // namespace evenfold
