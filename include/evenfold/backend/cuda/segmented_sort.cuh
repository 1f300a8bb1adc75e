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

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/context.cuh"
#include "evenfold/backend/cuda/merge_spans.cuh"
#include "evenfold/backend/cuda/sort_tiles.cuh"
#include "evenfold/backend/cuda/transform.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

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
  segment_view<Size, Offsets, SegmentSize> segments;
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
  segment_view<Size, Offsets, SegmentSize> segments;
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
                          (sizeof(Key) <= 4    ? (std::is_same_v<Value, no_value> ? 23 : 15)
                           : sizeof(Key) <= 8  ? 11
                           : sizeof(Key) <= 16 ? 7
                                               : 5)>;

/// Reads the values that are sorted along.
template <class Value>
struct read_value {
  const maybe<Value>* values;
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

template <class Tuning, class Key, class Value, class Sources, class Size, class Offsets,
          class SegmentSize, class Less>
void sort_segments(cuda_context& ctx, Key* keys, Value* values, Sources sources,
                   segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  using sizes = sort_sizes<tuning_or<Tuning, default_segmented_sort_tuning<Key, Value>>>;
  constexpr bool indexed = !std::is_same_v<Value, no_value>;
  constexpr std::size_t shared_bytes = sizeof(sort_shared<sizes, Key, indexed>);
  const auto count = static_cast<std::size_t>(segments.count);
  const std::size_t tiles = ceil_div(count, sizes::span);
  const bool may_split = tiles > 1;

  // Zeros: the notes, a number for each cut, and the bitmap of heads with a spare word that a tile
  // may read.
  array<unsigned long long> zeros(ctx, 2 + (tiles + 1) + (count / 64 + 2));
  const span_notes notes{reinterpret_cast<int*>(zeros.data()), zeros.data() + 1, zeros.data() + 2};
  auto* const heads = reinterpret_cast<std::uint32_t*>(notes.found + tiles + 1);
  array<sort_cut<Size>> cuts(ctx, tiles + 1);
  array<maybe<Key>> more_keys(ctx, may_split ? count : 0);
  array<maybe<Value>> more_values(ctx, may_split && indexed ? count : 0);
  const sort_buffers<Key, Value> buffers{reinterpret_cast<maybe<Key>*>(keys), more_keys.data(),
                                         reinterpret_cast<maybe<Value>*>(values),
                                         more_values.data()};

  ctx.fill_bytes(zeros.data(), 0, zeros.size() * sizeof(unsigned long long));
  backend::transform<default_tuning>(ctx, segments.num_segments,
                                     mark_heads<Size, Offsets, SegmentSize>{segments, heads});
  backend::transform<default_tuning>(
      ctx, static_cast<std::uint64_t>(tiles + 1),
      find_cut<Size, Offsets, SegmentSize>{segments, sizes::span, sizes::short_segment, cuts.data(),
                                           notes.most_passes});
  ctx.launch("segmented_sort", sort_tiles_kernel<sizes, Size, Key, Value, Sources, Less>, tiles,
             sizes::threads, shared_bytes, buffers, sources, heads, cuts.data(), less);
  if (may_split) {
    const auto kernel = merge_spans_kernel<sizes, Size, Key, Value, Less>;
    constexpr std::size_t merge_bytes = sizeof(merge_shared<sizes, Key, Size, indexed>);
    const std::size_t grid =
        std::min(tiles, ctx.resident_blocks(kernel, sizes::threads, merge_bytes));
    ctx.launch_together("segmented_sort", kernel, grid, sizes::threads, merge_bytes, buffers,
                        cuts.data(), tiles, notes, less);
  }
}

}  // namespace device

namespace backend {

template <class Tuning, class Key, class Value, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort(cuda_context& ctx, Key* keys, Value* values,
                    segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  device::sort_segments<Tuning>(
      ctx, keys, values,
      device::read_value<Value>{reinterpret_cast<const device::maybe<Value>*>(values)}, segments,
      less);
}

template <class Tuning, class Key, class Index, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort_indices(cuda_context& ctx, Key* keys, Index* indices,
                            segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  device::sort_segments<Tuning>(ctx, keys, indices, device::position_value<Index>{}, segments,
                                less);
}

}  // namespace backend
}  // namespace evenfold
