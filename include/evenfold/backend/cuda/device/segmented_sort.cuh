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
// Each step permutes the items of each segment, whatever `less` returns; block_sort.cuh and
// merge_spans.cuh explain why. Few arithmetic keys are sorted by counting instead (rank_sort.cuh).
//
// Source: Baxter, "moderngpu", 2013 (segmented sort); Odeh et al., "Merge Path", 2012.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/merge_spans.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/backend/cuda/device/transform.cuh"
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

/// Sets bit i for each item i that begins a segment.
template <class Size, class Offsets, class SegmentSize>
struct mark_head {
  detail::segment_view<Size, Offsets, SegmentSize> segments;
  std::uint32_t* heads;

  __device__ void operator()(SegmentSize s) const {
    const Size begin = segments.begin(s);
    if (begin < segments.end(s)) {
      atomicOr(heads + static_cast<std::uint64_t>(begin) / 32,
               1u << static_cast<std::uint64_t>(begin) % 32);
    }
  }
};

/// The cut at an item of segment s, or at its beginning if it is short.
template <class Size, class Offsets, class SegmentSize>
__device__ sort_cut<Size> cut_near(const detail::segment_view<Size, Offsets, SegmentSize>& segments,
                                   Size at, SegmentSize s, Size short_segment) {
  const Size begin = segments.begin(s);
  const Size end = segments.end(s);
  if (end - begin <= short_segment) return {begin, 0, 0};
  return begin < at ? sort_cut<Size>{at, begin, end} : sort_cut<Size>{at, 0, 0};
}

/// Finds cut k, and the number of merge passes of the segment that it splits.
template <class Size, class Offsets, class SegmentSize>
struct find_cut {
  detail::segment_view<Size, Offsets, SegmentSize> segments;
  Size span;
  Size short_segment;
  sort_cut<Size>* cuts;
  int* most_passes;

  __device__ void operator()(std::uint64_t k) const {
    const std::uint64_t wanted = k * static_cast<std::uint64_t>(span);
    sort_cut<Size> cut{segments.count, 0, 0};
    if (wanted < static_cast<std::uint64_t>(segments.count)) {
      const auto at = static_cast<Size>(wanted);
      cut = cut_near(segments, at, segments.segment_of(at), short_segment);
      // Few cuts split a segment.
      if (cut.begin < cut.end) atomicMax(most_passes, merge_passes(cut.begin, cut.end, span));
    }
    cuts[k] = cut;
  }
};

/// Tiles of 24 to 30 KiB of keys, or 48 KiB for the largest keys; fewer items per thread where
/// registers also hold the slots of values.
template <class Key, class Value>
using default_segmented_sort_tuning =
    segmented_sort_tuning<(sizeof(Key) <= 16 ? 256 : 128),
                          (sizeof(Key) <= 4    ? (std::is_same_v<Value, detail::no_value> ? 23 : 15)
                           : sizeof(Key) <= 8  ? (std::is_same_v<Value, detail::no_value> ? 15 : 11)
                           : sizeof(Key) <= 16 ? 7
                                               : 5)>;

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
