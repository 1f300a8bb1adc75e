#pragma once
// The steps of segmented_sort.cuh in one launch, while each tile has a block of its own on the
// device: the block finds the two cuts of its tile and the heads in it, sorts the tile, and merges
// its span (merge_own_span.cuh). One block sorts all that fits its tile. Few segments that all fit
// a tile have a block each, whose threads then meet in fewer rounds, and none is merged.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/block_sort.cuh"
#include "evenfold/backend/cuda/device/keys_with_nan.cuh"
#include "evenfold/backend/cuda/device/merge_own_span.cuh"
#include "evenfold/backend/cuda/device/segmented_sort.cuh"
#include "evenfold/backend/cuda/device/sort_short_segments.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// Smaller tiles are sorted sooner.
template <class Tuning>
using small_segments_sizes =
    sort_sizes<segmented_sort_tuning<Tuning::threads, (Tuning::items < 7 ? Tuning::items : 7)>>;

/// About the same span, and room for a segment of this size, which then needs no merges.
template <class Tuning>
using roomy_segments_sizes =
    sort_sizes<segmented_sort_tuning<2 * Tuning::threads, (Tuning::items < 7 ? Tuning::items : 7)>,
               4>;

/// Room for longer segments, where each has a block of its own.
struct wide_segments_sizes : sort_sizes<segmented_sort_tuning<512, 11>> {
  static constexpr bool of_few_blocks = true;
};

/// Large keys would not fit the shared memory of these two.
template <class Key>
inline constexpr bool has_roomy_tiles = sizeof(Key) <= 8;

/// So few blocks that each has a multiprocessor to itself: a block waits more than it computes
/// then, and comparing the keys of a segment with each other takes fewer steps than merging.
inline constexpr unsigned few_sorting_blocks = 64;

/// Sets the bit of each item but the first of a tile [base, end) that begins a segment; it is one
/// of the segments [first, last).
template <int Threads, class Size, class Offsets, class SegmentSize>
__device__ void mark_tile_heads(const detail::segment_view<Size, Offsets, SegmentSize>& segments,
                                std::uint64_t first, std::uint64_t last, Size base, Size end,
                                std::uint32_t* heads) {
  const auto begin = [&](std::uint64_t s) { return segments.begin(static_cast<SegmentSize>(s)); };
  const auto mark = [&](Size item) {
    const auto bit = static_cast<unsigned>(item - base);
    atomicOr(heads + bit / 32, 1u << bit % 32);
  };
  const auto items = static_cast<std::uint64_t>(end - base);
  const std::uint64_t most_read = max(std::uint64_t{8 * Threads}, 2 * items);
  if (last - first <= most_read) {
    for (std::uint64_t s = first + threadIdx.x; s < last; s += Threads) {
      const Size item = begin(s);
      if (item < end) mark(item);
    }
  } else {  // most of them are empty
    for (int slot = static_cast<int>(threadIdx.x); slot < static_cast<int>(end - base);
         slot += Threads) {
      const Size item = base + slot;
      const std::uint64_t s =
          detail::partition_point(first, last, [&](std::uint64_t at) { return begin(at) < item; });
      if (s < last && begin(s) == item) mark(item);
    }
  }
}

/// How many tiles there are for so many items.
template <class Sizes>
__host__ __device__ std::uint64_t count_tiles(std::uint64_t count) {
  return count <= Sizes::tile ? 1 : detail::ceil_div(count, std::uint64_t{Sizes::span});
}

/// Block k sorts the tile between cuts k and k + 1, which it finds, and merges its span of the
/// segments that these cuts split; or it sorts segment k, if there are so many blocks and no
/// segment is longer than a tile. More than one tile is a cooperative launch.
template <class Sizes, class Size, class Key, class Value, class Sources, class Offsets,
          class SegmentSize, class Less>
__global__ void __launch_bounds__(Sizes::threads, min_blocks<Sizes, Key, Value>(1024))
    sort_segments_together_kernel(sort_buffers<Key, Value> buffers, Sources sources,
                                  detail::segment_view<Size, Offsets, SegmentSize> segments,
                                  span_words state, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  auto& shared_of_steps = shared_as<tile_and_span_shared<Sizes, Key, Size, indexed>>();
  auto& shared = shared_of_steps.sort;
  __shared__ sort_cut<Size> own_cuts[2];
  __shared__ std::uint64_t own_segments[2];
  const int thread = static_cast<int>(threadIdx.x);

  const auto num_segments = static_cast<std::uint64_t>(segments.num_segments);
  const std::uint64_t tiles = count_tiles<Sizes>(static_cast<std::uint64_t>(segments.count));

  bool has_own_segment = false;
  if (num_segments <= gridDim.x) {
    bool is_longer = false;
    for (std::uint64_t s = threadIdx.x; s < num_segments; s += Sizes::threads) {
      const auto segment = static_cast<SegmentSize>(s);
      is_longer |= segments.end(segment) - segments.begin(segment) > Size{Sizes::tile};
    }
    has_own_segment = !__syncthreads_or(is_longer);
  }
  if (blockIdx.x >= (has_own_segment ? num_segments : tiles)) return;

  // All keys that may be in the tile are on their way while the block looks for its cuts. Those of
  // other tiles, which other blocks may be writing, are dropped.
  const Size window = has_own_segment   ? segments.begin(static_cast<SegmentSize>(blockIdx.x))
                      : blockIdx.x == 0 ? Size{0}
                                        : static_cast<Size>(blockIdx.x) * Size{Sizes::span} -
                                              Size{Sizes::short_segment};
  uninitialized<Key> early[Sizes::items];
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const Size at = window + static_cast<Size>(j * Sizes::threads + thread);
    if (at < segments.count) early[j] = buffers.keys(0)[at];
  }
  for (int w = thread; w < Sizes::tile / 32 + 2; w += Sizes::threads) shared.heads[w] = 0;
  if (warp_id() < 2) {
    const unsigned k = blockIdx.x + static_cast<unsigned>(warp_id());
    found_cut<Size> found{{segments.count, 0, 0}, num_segments};
    if (has_own_segment) {
      const auto own = static_cast<SegmentSize>(blockIdx.x);
      found = {{warp_id() == 0 ? window : segments.end(own), 0, 0}, std::uint64_t{blockIdx.x} + 1};
    } else if (k < tiles) {
      found = find_cut_at(segments, static_cast<Size>(k * Size{Sizes::span}),
                          Size{Sizes::short_segment});
    }
    if (lane_id() == 0) {
      own_cuts[warp_id()] = found.cut;
      own_segments[warp_id()] = found.next_segment;
    }
  }
  __syncthreads();
  const Size base = own_cuts[0].at;
  const Size end = own_cuts[1].at;
  if (base == end) return;

  bool has_nan = false;
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const Size at = window + static_cast<Size>(j * Sizes::threads + thread);
    if (at >= base && at < end) {
      shared.keys[at - base] = early[j];
      has_nan |= is_nan(early[j]);
    }
  }
  mark_tile_heads<Sizes::threads>(segments, own_segments[0], own_segments[1], base, end,
                                  shared.heads);
  has_nan = sync_for_nan<Less, Key>(has_nan);
  if constexpr (detail::radix_order<Less, Key> && sizeof(Key) <= 4 &&
                std::is_same_v<Value, detail::no_value>) {
    const auto count = static_cast<std::uint64_t>(end - base);
    const bool is_split =
        own_cuts[0].begin < own_cuts[0].end || own_cuts[1].begin < own_cuts[1].end;
    const int longest = gridDim.x <= few_sorting_blocks ? longest_of_few : longest_ranked_segment;
    if (!is_split && longest / 2 * (own_segments[1] - own_segments[0]) >= count &&
        sort_short_segments<Sizes>(shared, buffers.keys(0) + base, static_cast<int>(count), longest,
                                   less)) {
      return;
    }
  }
  const unsigned mine = heads_of_thread<Sizes>(shared.heads, 0, static_cast<int>(end - base));
  sort_loaded_tile<Sizes>(shared, mine, has_nan, buffers, sources, own_cuts, less);
  if (!has_own_segment && tiles > 1) {
    merge_own_span<Sizes>(shared_of_steps.merge, buffers, own_cuts[0], own_cuts[1], state, less);
  }
}

}  // namespace evenfold::device
