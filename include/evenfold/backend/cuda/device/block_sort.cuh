#pragma once
// A block sorts the pieces of segments in one tile. Each thread sorts its run of items; then runs
// are merged pairwise in shared memory, where only the segment that spans the border of two runs
// takes part, in equal shares for the threads of both. Threads only swap their own items, and where
// threads do not meet in a merge (serial_merge.cuh) the tile is left as it was, so that the result
// is a permutation whatever `less` returns.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/serial_merge.cuh"
#include "evenfold/backend/cuda/device/sort_run.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

template <class Sizes, class Key, bool Indexed>
struct sort_shared {
  static constexpr int warps = Sizes::threads / warp_threads;
  uninitialized<Key> keys[Sizes::tile + Sizes::items + 1];
  std::uint16_t source[Indexed ? Sizes::tile : 1];
  // Per thread: where the segment of its first item begins and ends in the tile.
  std::uint16_t segment_begin[Sizes::threads];
  std::uint16_t segment_end[Sizes::threads];
  std::uint16_t merge_begin[Sizes::threads];  // per thread: where its merge begins in the first run
  int warp_begin[warps];
  int warp_end[warps];
  std::uint32_t heads[Sizes::tile / 32 + 2];
};

/// Sorts each piece of a segment among the `count` items in shared.keys. Bit k of `heads` is set
/// where a piece begins at the k-th item of this thread; unless `Segmented`, all items are one
/// piece. Returns false, in all threads, if `less` is not a strict weak order and keys may have
/// been lost. Synchronises the block.
template <class Sizes, bool Indexed, bool Segmented, class Key, class Less>
__device__ bool sort_tile(sort_shared<Sizes, Key, Indexed>& shared, int count, unsigned heads,
                          Less less) {
  constexpr bool is_strict = detail::is_strict_order<Less, Key>;
  constexpr int items = Sizes::items;
  constexpr int threads = Sizes::threads;
  constexpr int warps = threads / warp_threads;
  const int thread = static_cast<int>(threadIdx.x);
  const int first = thread * items;
  const int have = min(max(count - first, 0), items);

  // Each thread sorts its run between heads.
  uninitialized<Key> key[items];
  int source[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    if (k < have) key[k] = shared.keys[first + k];
    source[k] = first + k;
  }
  const unsigned fixed = (heads | ~((1u << have) - 1)) & ((1u << items) - 1) & ~1u;
  sort_run<Indexed, Segmented>(key, source, fixed, less);
  store_run<Indexed>(shared.keys, shared.source, first, have, key, source);

  // The segment of each thread's first item: the last head at or before it, and the first head
  // after it.
  const auto later = [](int a, int b) { return max(a, b); };
  int begin = heads != 0 ? first + 31 - __clz(heads) : 0;
  int end = heads != 0 ? first + __ffs(heads) - 1 : count;
  begin = warp_inclusive_scan(begin, later);
#pragma unroll
  for (int delta = 1; delta < warp_threads; delta *= 2) {
    const int after = __shfl_down_sync(whole_warp, end, delta);
    if (lane_id() + delta < warp_threads) end = min(end, after);
  }
  if (lane_id() == warp_threads - 1) shared.warp_begin[warp_id()] = begin;
  if (lane_id() == 0) shared.warp_end[warp_id()] = end;
  int begin_before = __shfl_up_sync(whole_warp, begin, 1);
  int end_after = __shfl_down_sync(whole_warp, end, 1);
  if (lane_id() == 0) begin_before = 0;
  if (lane_id() == warp_threads - 1) end_after = count;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < warps; ++w) {
    if (w < warp_id()) begin_before = max(begin_before, shared.warp_begin[w]);
    if (w > warp_id()) end_after = min(end_after, shared.warp_end[w]);
  }
  // A head at the first item is its beginning; the first later head is its end.
  const unsigned later_heads = heads & ~1u;
  shared.segment_begin[thread] =
      static_cast<std::uint16_t>((heads & 1) != 0 ? first : begin_before);
  shared.segment_end[thread] =
      static_cast<std::uint16_t>(later_heads != 0 ? first + __ffs(later_heads) - 1 : end_after);
  __syncthreads();

  bool meets = true;
  int window = 2;  // the threads of the two runs that are merged
#pragma unroll 1
  for (int run = 1; run < threads && run * items < count; run = window, window *= 2) {
    // The results of this thread: an equal share of the segment that spans the border.
    const int border_thread = (thread & -window) + run;
    const int border = border_thread * items;
    int from = 0;
    int results = 0;
    // A single segment leaves no thread but the last ones with fewer results than items.
    int steps = Segmented ? 0 : items;
    bool has_next = false;
    int ended = 0;
    if (border < count) {
      const int a_begin =
          max(static_cast<int>(shared.segment_begin[border_thread]), border - run * items);
      const int b_end =
          min(static_cast<int>(shared.segment_end[border_thread]), border + run * items);
      if (a_begin < border) {
        if constexpr (Segmented) {
          const int share =
              (b_end - a_begin + window - 1) >> highest_bit(static_cast<std::uint32_t>(window));
          steps = steps_for<items>(share);
        }
        from = a_begin + (thread & (window - 1)) * steps;
        results = min(steps, b_end - from);
      }
      if (results > 0) {
        // The first thread of a pair may have fewer results, of which it searches for the end; the
        // others search for their beginning.
        const bool is_first = from == a_begin;
        const int cut =
            a_begin + slot_merge_path(shared.keys + a_begin, border - a_begin, shared.keys + border,
                                      b_end - border, is_first ? results : from - a_begin, less);
        const int a = is_first ? a_begin : cut;
        if constexpr (!is_strict) shared.merge_begin[thread] = static_cast<std::uint16_t>(a);
        ended = serial_merge<items, Indexed>(
            shared.keys, a, is_first ? cut : border, border + from - a,
            is_first ? border + results - (cut - a_begin) : b_end, key, source, less, steps);
        if (is_first) ended = cut;
        has_next = from + results < b_end;
        if constexpr (Indexed) {
#pragma unroll
          for (int k = 0; k < items; ++k) {
            if (ends_at(k, steps)) break;
            if (k < results) source[k] = shared.source[source[k]];
          }
        }
      }
    }
    __syncthreads();
    if constexpr (!is_strict) {
      if (has_next && shared.merge_begin[thread + 1] != ended) meets = false;
    }
    if (results > 0) {
      store_run<Indexed>(shared.keys, shared.source, from, results, key, source, steps);
    }
    __syncthreads();
  }
  return is_strict || __syncthreads_and(meets);
}

}  // namespace evenfold::device
