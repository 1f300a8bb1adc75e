#pragma once
// Segmented merge sort on a GPU: stable, balanced however skewed the segments, without asking the
// host.
//
// 1. The sequence is cut into tiles at multiples of a span. A cut that would split a short segment
//    moves to its beginning; a cut inside a long one stays. Tiles so have nearly equal sizes, and
//    only long segments are split.
// 2. A block sorts the pieces of segments in its tile: every thread sorts its run of items, then
//    runs are merged pairwise; only the one segment that reaches over the border of two runs takes
//    part, so the work shrinks where segments are short.
// 3. The pieces of a split segment are merged pairwise, pass by pass, all passes in one launch
//    whose blocks wait for each other between passes. Every block merges spans of equal size (merge
//    path). A segment moves between two buffers in such an order that its last pass ends in the
//    user's.
//
// Each step is a permutation of each segment whatever `less` answers; sort_tiles.cuh and
// merge_spans.cuh say why.
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

/// Launch tuning of segmented_sort: threads a block, and items a thread (odd keeps a thread's run
/// off its neighbours' banks).
template <int Threads = 256, int Items = 23>
struct segmented_sort_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

/// Sets bit i for every item i that begins a segment.
template <class Size, class Offsets, class SegmentSize>
struct mark_heads {
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

/// Finds cut number k, and how many merge passes the segment it splits takes.
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
      cut.at = static_cast<Size>(wanted);
      const SegmentSize s = segments.segment_of(cut.at);
      const Size begin = segments.begin(s);
      const Size end = segments.end(s);
      if (end - begin <= short_segment) {
        cut.at = begin;
      } else if (begin < cut.at) {
        cut.begin = begin;
        cut.end = end;
        atomicMax(most_passes, merge_passes(begin, end, span));
      }
    }
    cuts[k] = cut;
  }
};

/// Items a thread that keep a tile near 24 KiB of keys, or 48 KiB for the largest; fewer where
/// registers hold the places of values as well.
template <class Key, class Value>
using default_segmented_sort_tuning =
    segmented_sort_tuning<(sizeof(Key) <= 16 ? 256 : 128),
                          (sizeof(Key) <= 4    ? (std::is_same_v<Value, detail::no_value> ? 23 : 15)
                           : sizeof(Key) <= 8  ? 11
                           : sizeof(Key) <= 16 ? 7
                                               : 5)>;

/// Reads the values that are sorted along.
template <class Value>
struct read_value {
  const uninitialized<Value>* values;
  template <class Size>
  __device__ Value operator()(Size i) const {
    return values[i].value;
  }
};

/// Makes the positions that segmented_sort_indices sorts along.
template <class Index>
struct position_value {
  template <class Size>
  __device__ Index operator()(Size i) const {
    return static_cast<Index>(i);
  }
};

}  // namespace device

}  // namespace evenfold
