#pragma once
// Launches the kernel of backend/cuda/device/rank_sort.cuh.

#include <cstdint>

#include "evenfold/backend/cuda/device/rank_sort.cuh"
#include "evenfold/backend/cuda/device/single_barrier.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"

namespace evenfold::device {

/// The most keys in segments of a mean length that are sorted by counting: beyond, merges take less
/// time, since one of the segments may have most of the keys.
template <class Key>
std::uint64_t most_ranked_keys(const cuda_context& ctx, std::uint64_t mean) {
  constexpr std::uint64_t short_mean = 512;
  const std::uint64_t each = sizeof(Key) > 4 ? 64 : mean > short_mean ? 96 : 128;
  return each * static_cast<unsigned>(ctx.multiprocessors());
}

/// Sorts at most most_ranked_keys() arithmetic keys in natural order, in one launch and without
/// scratch.
template <class Less, class Key, class Value, class Sources, class Size, class Offsets,
          class SegmentSize>
void rank_sort(cuda_context& ctx, const char* name, Key* keys, Value* values, Sources sources,
               detail::segment_view<Size, Offsets, SegmentSize> segments) {
  // One block takes no barrier, but its multiprocessor makes all comparisons.
  constexpr std::uint64_t most_of_one = 256;
  const auto count = static_cast<std::uint64_t>(segments.count);
  const auto multiprocessors = static_cast<unsigned>(ctx.multiprocessors());
  const std::uint64_t share =
      count <= most_of_one ? count : detail::ceil_div(count, multiprocessors);
  const std::uint64_t each = detail::ceil_div(share, warp_threads) * warp_threads;
  const auto kernel = rank_sort_kernel<Less, Key, Value, Sources, Size, Offsets, SegmentSize>;
  const std::size_t shared_bytes =
      sizeof(rank_sort_shared<Size>) + count * sizeof(rank_number<Key>);
  const auto launch = [&](const single_barrier& barrier) {
    ctx.launch_together(name, kernel, detail::ceil_div(count, each), rank_threads, shared_bytes,
                        reinterpret_cast<uninitialized<Key>*>(keys),
                        reinterpret_cast<uninitialized<Value>*>(values), sources, segments,
                        static_cast<int>(each), barrier);
  };
  if (each >= count) return launch({});
  const flag_row<std::uint64_t> flags(ctx, 1);
  launch({flags.counters(), flags.generation()});
}

}  // namespace evenfold::device
