#pragma once
// Segmented merge sort on a GPU: stable, load-balanced for any lengths of segments, and without a
// round trip to the host.
//
// 1. The sequence is cut into tiles at multiples of a span. A cut that would split a short segment
//    moves to the beginning of the segment; a cut inside a long one stays. Tiles therefore have
//    nearly equal sizes, and only long segments are split.
// 2. Each block sorts the pieces of segments in its tile. Each thread sorts its run of items; then
//    runs are merged pairwise, where only the segment that spans the border of two runs takes part:
//    short segments take less work (sort_tiles.cuh, block_sort.cuh).
// 3. The pieces of split segments are merged pairwise, pass by pass, in one launch whose blocks
//    wait for each other between passes. Each block merges spans of equal size, found by merge path
//    (merge_spans.cuh). A segment moves between two buffers, and its last pass writes to the
//    user's.
//
// Up to a few million items, one launch takes all steps (sort_segments_together.cuh). Few
// arithmetic keys are sorted by counting instead (rank_sort.cuh), and so are many keys of 1 byte
// (segmented_counting_sort.cuh).
//
// In natural order, NaN are last in their segments: keys_with_nan.cuh says how. In any order, each
// step permutes the items of each segment, whatever `less` returns; block_sort.cuh, merge_spans.cuh
// and merge_own_span.cuh explain why.
//
// Source: Baxter, "moderngpu", 2013 (segmented sort); Odeh et al., "Merge Path", 2012.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/merge_spans.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of segmented_sort: threads per block, and items per thread (an odd number avoids
/// bank conflicts).
template <int Threads = 256, int Items = 23>
struct segmented_sort_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

/// The cut at an item of segment s, or at its beginning if it is short.
template <class Size, class Offsets, class SegmentSize>
__device__ sort_cut<Size> cut_near(const detail::segment_view<Size, Offsets, SegmentSize>& segments,
                                   Size at, SegmentSize s, Size short_segment) {
  const Size begin = segments.begin(s);
  const Size end = segments.end(s);
  if (end - begin <= short_segment) return {begin, 0, 0};
  return begin < at ? sort_cut<Size>{at, begin, end} : sort_cut<Size>{at, 0, 0};
}

/// A cut, and the first segment that begins after the item at which it is wanted.
template <class Size>
struct found_cut {
  sort_cut<Size> cut;
  std::uint64_t next_segment;
};

/// Finds a cut wanted at an item; by a warp.
template <class Size, class Offsets, class SegmentSize>
__device__ found_cut<Size> find_cut_at(
    const detail::segment_view<Size, Offsets, SegmentSize>& segments, Size wanted,
    Size short_segment) {
  if (wanted == 0) return {{0, 0, 0}, 0};
  const std::uint64_t next = segments_before(segments, static_cast<std::uint64_t>(wanted) + 1);
  return {cut_near(segments, wanted, static_cast<SegmentSize>(next - 1), short_segment), next};
}

/// Finds the cuts 0, ..., tiles, and the most merge passes of a segment that they split. One warp
/// per cut.
template <class Sizes, class Size, class Offsets, class SegmentSize>
__global__ void __launch_bounds__(128)
    find_cuts_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, std::size_t tiles,
                     sort_cut<Size>* cuts, int* most_passes) {
  const std::size_t k = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp_threads;
  if (k > tiles) return;
  const std::uint64_t wanted = k * std::uint64_t{Sizes::span};
  sort_cut<Size> cut{segments.count, 0, 0};
  if (wanted < static_cast<std::uint64_t>(segments.count)) {
    cut = find_cut_at(segments, static_cast<Size>(wanted), Size{Sizes::short_segment}).cut;
  }
  if (lane_id() == 0) {
    cuts[k] = cut;
    const int passes = merge_passes(cut.begin, cut.end, Size{Sizes::span});
    if (passes > 0) atomicMax(most_passes, passes);  // few cuts split a segment
  }
}

/// Tiles of 24 to 30 KiB of keys, or 48 KiB for the largest keys; fewer items per thread where
/// registers also hold the slots of values.
template <class Key, class Value>
using default_segmented_sort_tuning =
    segmented_sort_tuning<(sizeof(Key) <= 16 ? 256 : 128),
                          (sizeof(Key) <= 4    ? (std::is_same_v<Value, detail::no_value> ? 23 : 15)
                           : sizeof(Key) <= 8  ? (std::is_same_v<Value, detail::no_value> ? 15 : 11)
                           : sizeof(Key) <= 16 ? 7
                                               : 5)>;

/// For many keys of 4 bytes without values in segments of up to this mean length, which take few
/// rounds of merges: longer runs of each thread.
struct short_segments_tuning : segmented_sort_tuning<256, 31> {
  static constexpr std::size_t most_mean = 400;
};

/// Reads the values that are sorted with the keys.
template <class Value>
struct read_value {
  const Value* values;
  template <class Size>
  __device__ Value operator()(Size i) const {
    return values[i];
  }
};

/// The indices that segmented_sort_indices sorts with the keys.
template <class Index>
struct position_value {
  template <class Size>
  __device__ Index operator()(Size i) const {
    return static_cast<Index>(i);
  }
};

}  // namespace device

}  // namespace evenfold
