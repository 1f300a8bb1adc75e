#pragma once
// Which items of a tile are the first of a segment, as bits in shared memory.
//
// Segments that are given by offsets: two warps search for the offsets that lie in the tile, and
// the threads of the block share these equally. Where the tile has many more offsets than items,
// most of them belong to empty segments: then each thread searches for the distinct ones among its
// items. Segments that are given by keys: each lane compares the key of an item with the one
// before, when it loads the item.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/partition_point.hpp"

namespace evenfold::device {

/// The heads among the `Items` items of a tile.
template <int Items>
struct tile_heads {
  static constexpr int words = Items / 32;

  std::uint64_t found[2];  // what segments_of_tile() has searched for
  std::uint32_t bits[words];

  /// The bits of `Count` items, a power of two up to 32, from a multiple of their number on.
  template <int Count>
  __device__ std::uint32_t of(int first) const {
    return bits[first / 32] >> first % 32;
  }
};

/// How many segments begin before an item. Called by all lanes of a warp.
template <class Size, class Offsets, class SegmentSize>
__device__ std::uint64_t segments_before(
    const detail::segment_view<Size, Offsets, SegmentSize>& segments, std::uint64_t item) {
  return group_partition_point<warp_threads, 2>(
      std::uint64_t{0}, static_cast<std::uint64_t>(segments.num_segments), [&](std::uint64_t s) {
        return static_cast<std::uint64_t>(segments.begin(static_cast<SegmentSize>(s))) < item;
      });
}

/// starts[t] = the first segment that begins at or after item t * Items, or the count if that is
/// less, for t = 0, ..., tiles: where the segments of each tile are. One warp per tile.
template <int Items, class Size, class Offsets, class SegmentSize>
__global__ void __launch_bounds__(128)
    tile_starts_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments,
                       std::uint64_t tiles, SegmentSize* starts) {
  const std::uint64_t tile = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp_threads;
  if (tile > tiles) return;
  const auto count = static_cast<std::uint64_t>(segments.count);
  const std::uint64_t start = segments_before(segments, min(tile * Items, count));
  if (lane_id() == 0) starts[tile] = static_cast<SegmentSize>(start);
}

/// Segments [from, to).
template <class SegmentSize>
struct segment_range {
  SegmentSize from, to;
};

/// The segments that begin in the tile of a block, which begins at item `base`: those that
/// tile_starts_kernel has found or, where `starts` is nullptr, those that the block finds. Called
/// by all threads of the block.
template <int Items, class Size, class Offsets, class SegmentSize>
__device__ segment_range<SegmentSize> segments_of_tile(
    const detail::segment_view<Size, Offsets, SegmentSize>& segments, std::uint64_t base,
    const SegmentSize* starts, tile_heads<Items>& heads) {
  if (starts != nullptr) return {starts[blockIdx.x], starts[blockIdx.x + 1]};
  if (threadIdx.x < 2 * warp_threads) {
    const auto count = static_cast<std::uint64_t>(segments.count);
    const std::uint64_t end = count - base < Items ? count : base + Items;
    const std::uint64_t found = segments_before(segments, warp_id() == 0 ? base : end);
    if (lane_id() == 0) heads.found[warp_id()] = found;
  }
  __syncthreads();
  return {static_cast<SegmentSize>(heads.found[0]), static_cast<SegmentSize>(heads.found[1])};
}

/// Marks the first items of the segments `range`, which begin in a tile of `Items` items from item
/// `base` on, and calls store(k, fetch(s)) for each such segment s that is not empty and begins at
/// item k of the tile; several fetch before one stores. All threads of the block call it.
/// Synchronises the block before, but not after.
template <int Threads, int Items, class Size, class Offsets, class SegmentSize, class Fetch,
          class Store>
__device__ void mark_heads(const detail::segment_view<Size, Offsets, SegmentSize>& segments,
                           segment_range<SegmentSize> range, std::uint64_t base,
                           tile_heads<Items>& heads, const Fetch& fetch, const Store& store) {
  // How many offsets per item are all read.
  constexpr std::uint64_t dense = 32;
  constexpr int each = 4;
  constexpr int rounds = 2;
  const auto begin = [&](std::uint64_t s) {
    return static_cast<std::uint64_t>(segments.begin(static_cast<SegmentSize>(s)));
  };
#pragma unroll
  for (int w = 0; w < heads.words; w += Threads) {
    if (w + threadIdx.x < heads.words) heads.bits[w + threadIdx.x] = 0;
  }
  __syncthreads();

  const auto from = static_cast<std::uint64_t>(range.from);
  const auto to = static_cast<std::uint64_t>(range.to);
  if (to - from <= dense * Items) {
    // Packs of offsets begin at a multiple of their number.
    for (std::uint64_t first = from / each * each + threadIdx.x * each; first < to;
         first += rounds * Threads * each) {
      std::uint32_t slot[rounds][each + 1];
      decltype(fetch(first)) fetched[rounds][each];
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        const std::uint64_t s = first + r * Threads * each;
        bool is_read = false;
        if constexpr (std::is_pointer_v<Offsets> && sizeof(segments.offsets[0]) == 4) {
          if (lies_at_multiple(segments.offsets, widest_access) && s >= from && s + each < to) {
            const auto offsets = load_pack<each>(segments.offsets + s);
#pragma unroll
            for (int k = 0; k < each; ++k) {
              slot[r][k] = static_cast<std::uint32_t>(
                  static_cast<std::uint64_t>(static_cast<Size>(offsets.value[k].value)) - base);
            }
            slot[r][each] = static_cast<std::uint32_t>(begin(s + each) - base);
            is_read = true;
          }
        }
        if (!is_read) {
#pragma unroll
          for (int k = 0; k <= each; ++k) {
            const bool exists = s + k >= from && s + k < to;
            slot[r][k] = exists ? static_cast<std::uint32_t>(begin(s + k) - base) : Items;
          }
        }
#pragma unroll
        for (int k = 0; k < each; ++k) {
          // A segment that exists, even if none begins in the tile.
          fetched[r][k] = fetch(min(max(s + k, from), to - 1));
        }
      }
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        const std::uint32_t(&at)[each + 1] = slot[r];
        std::uint32_t bits = 0;
#pragma unroll
        for (int k = 0; k < each; ++k) {
          // Of the segments that begin at an item, the last one is not empty.
          if (at[k] < Items && at[k] != at[k + 1]) {
            bits |= 1u << at[k] % 32;
            store(at[k], fetched[r][k]);
          }
          if (bits != 0 && at[k] / 32 != at[k + 1] / 32) {
            atomicOr(&heads.bits[at[k] / 32], bits);
            bits = 0;
          }
        }
        if (bits != 0) atomicOr(&heads.bits[at[each - 1] / 32], bits);
      }
    }
  } else {
    for (int w = static_cast<int>(threadIdx.x); w < heads.words; w += Threads) {
      const std::uint64_t first = base + std::uint64_t{32} * w;
      std::uint64_t s =
          detail::partition_point(from, to, [&](std::uint64_t at) { return begin(at) < first; });
      std::uint32_t bits = 0;
      while (s < to) {
        const std::uint64_t head = begin(s);
        if (head - first >= 32) break;
        std::uint64_t step = 1;
        for (; to - s > step && begin(s + step) == head; step *= 2) s += step;
        s = detail::partition_point(s + 1, to - s < step ? to : s + step,
                                    [&](std::uint64_t at) { return begin(at) == head; });
        bits |= 1u << (head - first);
        store(static_cast<std::uint32_t>(head - base), fetch(s - 1));
      }
      heads.bits[w] = bits;
    }
  }
}

}  // namespace evenfold::device
