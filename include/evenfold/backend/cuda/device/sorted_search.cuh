#pragma once
// sorted_search and sorted_equal_range on a GPU: the needles are merged with the haystack, tile by
// tile (merge_tiles.cuh), without moving them. For each needle a thread records how many elements
// of the haystack come before it. Each needle is in one tile, and its rank is at first 0 and then
// at most the number of elements in the tile; a result is therefore the index of an element of the
// haystack or its end, whatever `less` returns.
//
// Few needles are searched for one by one: by groups of lanes while the device holds all groups at
// once, and by one lane each otherwise; where the needles of a warp are near each other, between
// the bounds of its first and last one.
//
// Source: Baxter, "moderngpu", 2013 (vectorized sorted search); Green et al., "GPU Merge Path",
// ICS 2012.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/merge_tiles.cuh"
#include "evenfold/backend/cuda/device/serial_merge.cuh"
#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/balance/search_each.hpp"

namespace evenfold::device {

/// From how many elements of the haystack per needle on needles are searched for one by one.
inline constexpr std::uint64_t elements_per_needle = 16;

/// The number of lanes that search for one needle together. They wait for memory half as often as a
/// single lane. This helps as long as the device is not full.
inline constexpr int lanes_per_needle = 4;
inline constexpr int search_threads = 256;

/// A group of lanes calls the function that searches for needle i. Its first lane writes the result
/// if `writes`.
template <bounds Bound, class Needles, class Haystack, class Size, class Output, class Less>
__device__ void search_by_group(
    const detail::write_bound<Bound, Needles, Haystack, Size, Output, Less>& f, std::uint64_t i,
    bool writes) {
  const detail::before_bound<Bound, Less> before{f.less};
  const element_t<Needles> needle = f.needles[i];
  const Size bound = group_partition_point<lanes_per_needle, 1>(
      Size{0}, f.count, [&](Size at) { return before(f.haystack[at], needle); });
  if (writes) f.out[i] = static_cast<element_t<Output>>(bound);
}
template <class Needles, class Haystack, class Size, class Output, class Counts, class Less>
__device__ void search_by_group(
    const detail::write_range<Needles, Haystack, Size, Output, Counts, Less>& f, std::uint64_t i,
    bool writes) {
  const element_t<Needles> needle = f.needles[i];
  const Size lower = group_partition_point<lanes_per_needle, 1>(
      Size{0}, f.count, [&](Size at) { return f.less(f.haystack[at], needle); });
  const Size upper = group_partition_point<lanes_per_needle, 1>(
      lower, f.count, [&](Size at) { return !f.less(needle, f.haystack[at]); });
  if (writes) {
    f.first[i] = static_cast<element_t<Output>>(lower);
    f.counts[i] = static_cast<element_t<Counts>>(upper - lower);
  }
}

/// One group of lanes per needle. All lanes of a warp search; those past the last needle repeat the
/// search for it.
template <class F>
__global__ void __launch_bounds__(search_threads)
    search_by_groups_kernel(std::uint64_t num_needles, F f) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * search_threads + threadIdx.x;
  const std::uint64_t group = thread / lanes_per_needle;
  search_by_group(f, min(group, num_needles - 1),
                  group < num_needles && thread % lanes_per_needle == 0);
}

/// The bounds in a sorted sequence of the needles of a warp, one per lane, which are sorted. The
/// halves of the warp search for the bounds of the first and the last needle, between which those
/// of the others are.
template <bounds Bound, class Haystack, class Size, class Needle, class Less>
__device__ Size search_by_warp(Haystack haystack, Size count, const Needle& needle, Less less) {
  constexpr int half = warp_threads / 2;
  const detail::before_bound<Bound, Less> before{less};
  const Needle end = shuffle_from(needle, lane_id() < half ? 0 : warp_threads - 1);
  const Size bound = group_partition_point<half, 1>(
      Size{0}, count, [&](Size at) { return before(haystack[at], end); });
  return detail::partition_point(shuffle_from(bound, 0), shuffle_from(bound, half),
                                 [&](Size at) { return before(haystack[at], needle); });
}

/// Searches for needle i, or for one at an end of the warp's needles if there is none.
template <bounds Bound, class Needles, class Haystack, class Size, class Output, class Less>
__device__ void search_in_warp(
    const detail::write_bound<Bound, Needles, Haystack, Size, Output, Less>& f, std::uint64_t i,
    std::uint64_t num_needles) {
  const element_t<Needles> needle = f.needles[min(i, num_needles - 1)];
  const Size bound = search_by_warp<Bound>(f.haystack, f.count, needle, f.less);
  if (i < num_needles) f.out[i] = static_cast<element_t<Output>>(bound);
}
template <class Needles, class Haystack, class Size, class Output, class Counts, class Less>
__device__ void search_in_warp(
    const detail::write_range<Needles, Haystack, Size, Output, Counts, Less>& f, std::uint64_t i,
    std::uint64_t num_needles) {
  const element_t<Needles> needle = f.needles[min(i, num_needles - 1)];
  const Size lower = search_by_warp<bounds::lower>(f.haystack, f.count, needle, f.less);
  const Size upper = search_by_warp<bounds::upper>(f.haystack, f.count, needle, f.less);
  if (i < num_needles) {
    f.first[i] = static_cast<element_t<Output>>(lower);
    // If `less` is not a strict weak order, the upper bound may be below the lower one.
    f.counts[i] = static_cast<element_t<Counts>>(upper < lower ? 0 : upper - lower);
  }
}

/// One needle per lane.
template <class F>
__global__ void __launch_bounds__(search_threads)
    search_by_warps_kernel(std::uint64_t num_needles, F f) {
  search_in_warp(f, std::uint64_t{blockIdx.x} * search_threads + threadIdx.x, num_needles);
}

template <class Sizes, class Key>
struct search_shared {
  uninitialized<Key> keys[Sizes::tile + Sizes::items + 1];
  alignas(16) std::uint16_t rank[detail::ceil_div(Sizes::tile, 8) * 8];
  std::uint64_t more;  // for sorted_equal_range
};

/// Sets all ranks to 0.
template <class Sizes, class Key>
__device__ void clear_ranks(search_shared<Sizes, Key>& shared) {
  auto* const words = reinterpret_cast<uint4*>(shared.rank);
  constexpr int count = sizeof(shared.rank) / sizeof(uint4);
#pragma unroll
  for (int w = 0; w < count; w += Sizes::threads) {
    const int at = w + static_cast<int>(threadIdx.x);
    if (at < count) words[at] = uint4{};
  }
}

/// rank[n] = how many elements of the haystack in the tile come before needle n. The needles are in
/// slots [0, needles), the haystack in the other slots. The threads share the merge path equally.
/// Where their shares do not meet, because `before` is not an order, a needle may get no rank or
/// more than one; each rank is at most the number of elements of the haystack. Synchronises the
/// block.
template <class Sizes, class Key, class Before>
__device__ void rank_needles(const uninitialized<Key>* slots, int needles, int count,
                             std::uint16_t* rank, Before before) {
  constexpr int items = Sizes::items;
  const int first = static_cast<int>(threadIdx.x) * items;
  if (first < count) {
    uninitialized<register_key<Key>> key[items];
    int source[items];
    const int taken =
        slot_merge_path<Sizes>(slots, needles, slots + needles, count - needles, first, before);
    serial_merge<Sizes, true>(slots, taken, needles, needles + first - taken, count, key, source,
                              before);
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (first + k < count && source[k] < needles) {
        rank[source[k]] = static_cast<std::uint16_t>(first + k - source[k]);
      }
    }
  }
  __syncthreads();
}

template <class Sizes, class Key, class Inputs, class Output, class Before>
__global__ void __launch_bounds__(Sizes::threads)
    sorted_search_kernel(Inputs in, const std::uint64_t* cuts, Output out, Before before) {
  auto& shared = shared_as<search_shared<Sizes, Key>>();
  const merge_tile tile = tile_of_block<Sizes>(cuts, in.count());
  if (tile.a_count == 0) return;
  clear_ranks(shared);
  load_keys<Sizes, Before>(in, tile, shared.keys);
  rank_needles<Sizes>(shared.keys, tile.a_count, tile.count, shared.rank, before);
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (slot < tile.a_count) {
      using index = element_t<Output>;
      out[tile.a_from + slot] = static_cast<index>(tile.b_from + shared.rank[slot]);
    }
  }
}

/// The number of elements from b[from] on that are equivalent to a needle; no later element is less
/// than it. Called by one warp, whose lanes have loaded one element each, `next`: most often these
/// 32 elements suffice.
template <class Inputs, class Key, class Less>
__device__ std::uint64_t equivalent_from(const Inputs& in, std::uint64_t from, const Key& needle,
                                         const uninitialized<Key>& next, Less less) {
  const bool holds = from + lane_id() < in.b_count && !less(needle, next.value);
  const int held = __popc(__ballot_sync(whole_warp, holds));
  if (held < warp_threads) return held;
  return group_partition_point<warp_threads, 2>(
             from + warp_threads, in.b_count,
             [&](std::uint64_t i) { return !less(needle, in.b[i]); }) -
         from;
}

/// The upper bound of a needle among the `count` elements of the haystack in the tile, by
/// exponential search from the lower bound, which is near most often.
template <class Key, class Less>
__device__ int upper_in_tile(const uninitialized<Key>* haystack, int count, int lower,
                             const Key& needle, Less less) {
  const auto before = [&](int at) { return !less(needle, haystack[at].value); };
  int upper = lower;
  int step = 1;
  for (; upper + step <= count && before(upper + step - 1); step *= 2) upper += step;
  return detail::partition_point(upper, min(upper + step - 1, count), before);
}

/// Tiles are cut by lower bounds. Where the upper bound of a needle lies after the haystack of the
/// tile, the needle is equivalent to the element that comes next, and therefore to the last needle
/// of the tile: one search after the tile serves all such needles.
template <class Sizes, class Key, class Inputs, class Output, class Counts, class Less>
__global__ void __launch_bounds__(Sizes::threads,
                                  blocks_of_threads(sizeof(Key) <= 8 ? 2048 : 0, Sizes::threads))
    sorted_equal_range_kernel(Inputs in, const std::uint64_t* cuts, Output out, Counts counts,
                              Less less) {
  auto& shared = shared_as<search_shared<Sizes, Key>>();
  const merge_tile tile = tile_of_block<Sizes>(cuts, in.count());
  if (tile.a_count == 0) return;
  // The elements after the tile are loaded together with it.
  const std::uint64_t behind = tile.b_from + tile.b_count();
  uninitialized<Key> next;
  const bool is_first_warp = uniform_warp_id() == 0;
  if (is_first_warp && behind + lane_id() < in.b_count) {
    next = uninitialized<Key>(in.b[behind + lane_id()]);
  }
  clear_ranks(shared);
  using before = detail::before_bound<bounds::lower, Less>;
  load_keys<Sizes, before>(in, tile, shared.keys);
  const Key last_needle = shared.keys[tile.a_count - 1].value;
  if (is_first_warp) {
    const std::uint64_t more = equivalent_from(in, behind, last_needle, next, less);
    if (lane_id() == 0) shared.more = more;
  }
  rank_needles<Sizes>(shared.keys, tile.a_count, tile.count, shared.rank, before{less});
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (slot < tile.a_count) {
      using index = element_t<Output>;
      using number = element_t<Counts>;
      const int lower = shared.rank[slot];
      const int upper = upper_in_tile(shared.keys + tile.a_count, tile.b_count(), lower,
                                      shared.keys[slot].value, less);
      const bool reaches_out =
          upper == tile.b_count() && !less(shared.keys[slot].value, last_needle);
      out[tile.a_from + slot] = static_cast<index>(tile.b_from + lower);
      counts[tile.a_from + slot] =
          static_cast<number>(upper - lower + (reaches_out ? shared.more : 0));
    }
  }
}

}  // namespace evenfold::device
