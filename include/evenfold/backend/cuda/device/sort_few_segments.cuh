#pragma once
// The first two steps of segmented_sort.cuh in one launch, for few items: each block finds the two
// cuts of its tile, and the heads in it, before it sorts. One block sorts all that fits its tile.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/block_sort.cuh"
#include "evenfold/backend/cuda/device/merge_spans.cuh"
#include "evenfold/backend/cuda/device/segmented_sort.cuh"
#include "evenfold/backend/cuda/device/sort_short_segments.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// Smaller tiles are sorted sooner.
template <class Tuning>
using few_segments_sizes =
    sort_sizes<segmented_sort_tuning<Tuning::threads, (Tuning::items < 7 ? Tuning::items : 7)>>;

/// So few blocks that each has a multiprocessor to itself: a block waits more than it computes
/// then, and comparing the keys of a segment with each other takes fewer steps than merging.
inline constexpr unsigned few_sorting_blocks = 64;

/// More items keep all multiprocessors busy in larger tiles.
template <class Key>
inline constexpr std::size_t most_few_items = (1 << 22) / (sizeof(Key) < 4 ? 4 : sizeof(Key));

/// The cuts between the spans of few segments. The merge passes are counted when they begin.
template <class Size>
struct few_segment_cuts {
  const sort_cut<Size>* cuts;
  int spans;
  Size span;

  __device__ sort_cut<Size> operator[](std::size_t k) const { return cuts[k]; }
  /// All lanes of the warp call it.
  __device__ int passes() const {
    int most = 0;
    for (int k = lane_id(); k < spans; k += warp_threads) {
      most = max(most, merge_passes(cuts[k].begin, cuts[k].end, span));
    }
    return __reduce_max_sync(whole_warp, most);
  }
};

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
  constexpr std::uint64_t most_read = 8 * Threads;
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

/// Block k sorts the tile between cuts k and k + 1, which it finds. Where tiles are merged
/// afterwards, the cuts are written to `cuts`, and zeros[k] is set to 0 for each tile k and two
/// more.
template <class Sizes, class Size, class Key, class Value, class Sources, class Offsets,
          class SegmentSize, class Less>
__global__ void __launch_bounds__(Sizes::threads, min_blocks<Sizes, Key, Value>(1536))
    sort_few_segments_kernel(sort_buffers<Key, Value> buffers, Sources sources,
                             detail::segment_view<Size, Offsets, SegmentSize> segments,
                             sort_cut<Size>* cuts, unsigned long long* zeros, Less less) {
  using shared_type = sort_shared<Sizes, Key, !std::is_same_v<Value, detail::no_value>>;
  shared_type& shared = shared_as<shared_type>();
  __shared__ sort_cut<Size> own_cuts[2];
  __shared__ std::uint64_t own_segments[2];
  const int thread = static_cast<int>(threadIdx.x);

  for (int w = thread; w < Sizes::tile / 32 + 2; w += Sizes::threads) shared.heads[w] = 0;
  if (warp_id() < 2) {
    const unsigned k = blockIdx.x + static_cast<unsigned>(warp_id());
    const found_cut<Size> found =
        k == gridDim.x ? found_cut<Size>{{segments.count, 0, 0},
                                         static_cast<std::uint64_t>(segments.num_segments)}
                       : find_cut_at(segments, static_cast<Size>(k * Size{Sizes::span}),
                                     Size{Sizes::short_segment});
    if (lane_id() == 0) {
      own_cuts[warp_id()] = found.cut;
      own_segments[warp_id()] = found.next_segment;
      if (zeros != nullptr && (warp_id() == 0 || k == gridDim.x)) {
        cuts[k] = found.cut;
        zeros[k] = 0;
        if (k == gridDim.x) zeros[k + 1] = 0;
      }
    }
  }
  __syncthreads();
  const Size base = own_cuts[0].at;
  const Size end = own_cuts[1].at;
  if (base == end) return;

  load_tile_keys<Sizes>(shared, buffers, base, static_cast<int>(end - base));
  mark_tile_heads<Sizes::threads>(segments, own_segments[0], own_segments[1], base, end,
                                  shared.heads);
  __syncthreads();
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
  sort_loaded_tile<Sizes>(shared, mine, buffers, sources, own_cuts, less);
}

}  // namespace evenfold::device
