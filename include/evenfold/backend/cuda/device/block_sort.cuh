#pragma once
// A block sorts the pieces of segments in one tile. Each thread sorts its run of items; then runs
// are merged pairwise in shared memory, where only the segment that spans the border of two runs
// takes part, in equal shares for the threads of both. Once no segment is longer than a run, one
// more round merges the segments at all borders.
//
// Threads only swap their own items, and where threads do not meet in a merge (serial_merge.cuh)
// the tile is left as it was, so that the result is a permutation whatever `less` returns.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/register_key.cuh"
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
  int warp_spacing[warps];
  std::uint32_t heads[Sizes::tile / 32 + 2];
};

/// The smallest power of two such that each aligned group of so many bits of a mask has one that is
/// set, or twice the number of bits.
template <int Bits>
__device__ int spacing_of(std::uint32_t mask) {
#pragma unroll
  for (int each = 1; each <= Bits; each *= 2) {
    const std::uint32_t first_of_group = static_cast<std::uint32_t>(
        ((std::uint64_t{1} << Bits) - 1) / ((std::uint64_t{1} << each) - 1));
    if ((mask & first_of_group) == first_of_group) return each;
    mask |= mask >> each;
  }
  return 2 * Bits;
}

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
  uninitialized<register_key<Key>> key[items];
  int source[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    if (k < have) key[k] = to_register(shared.keys[first + k]);
    source[k] = first + k;
  }
  const unsigned fixed = (heads | ~((1u << have) - 1)) & ((1u << items) - 1) & ~1u;
  sort_run<Indexed, Segmented>(key, source, fixed, order_in_registers<Key>(less));
  store_run<Indexed>(shared.keys, shared.source, first, have, key, source);
  if constexpr (fills_past_end<Sizes, Key, Less>) {
    if (thread == 0) {
#pragma unroll
      for (int k = 0; k <= items; ++k) shared.keys[count + k] = from_register<Key>(key[0]);
    }
  }

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
  if constexpr (Segmented) {
    const std::uint32_t begins = __ballot_sync(whole_warp, heads != 0 || first + items >= count);
    if (lane_id() == 0) shared.warp_spacing[warp_id()] = spacing_of<warp_threads>(begins);
  }
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
  const int own_begin = (heads & 1) != 0 ? first : begin_before;
  const int own_end = later_heads != 0 ? first + __ffs(later_heads) - 1 : end_after;
  shared.segment_begin[thread] = static_cast<std::uint16_t>(own_begin);
  shared.segment_end[thread] = static_cast<std::uint16_t>(own_end);

  // The run from which on no segment spans more than two runs, nor is longer than one.
  int last_run = threads;
  if constexpr (Segmented) {
    const int of_warp = lane_id() < warps ? shared.warp_spacing[lane_id()] : 0;
    last_run = __reduce_max_sync(whole_warp, of_warp);
    if (last_run > warp_threads) {
      const std::uint32_t begins = __ballot_sync(whole_warp, of_warp <= warp_threads);
      last_run = warp_threads * spacing_of<warps>(begins);
    }
    if (__syncthreads_or(own_begin < first && own_end - own_begin > last_run * items)) {
      last_run *= 2;
    }
  } else {
    __syncthreads();
  }

  // Each round merges pairs of runs into runs of twice as many threads. The last round merges the
  // segments at all borders that are left, each by the threads around it.
  bool meets = true;
  int run = 1;
#pragma unroll 1
  while (run < threads && run * items < count) {
    const bool is_last = Segmented && run == last_run;
    const int window = is_last ? run : 2 * run;  // the threads that share a segment
    const int shifted = is_last ? thread + run / 2 : thread;
    const int border_thread = (shifted & -window) + (is_last ? 0 : run);
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
        from = a_begin + (shifted & (window - 1)) * steps;
        results = min(steps, b_end - from);
      }
      if (results > 0) {
        // The first thread of a pair may have fewer results, of which it searches for the end; the
        // others search for their beginning.
        const bool is_first = from == a_begin;
        const int cut = a_begin + slot_merge_path<Sizes>(shared.keys + a_begin, border - a_begin,
                                                         shared.keys + border, b_end - border,
                                                         is_first ? results : from - a_begin, less);
        const int a = is_first ? a_begin : cut;
        if constexpr (!is_strict) shared.merge_begin[thread] = static_cast<std::uint16_t>(a);
        ended = serial_merge<Sizes, Indexed>(
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
    run = is_last ? threads : 2 * run;
  }
  return is_strict || __syncthreads_and(meets);
}

}  // namespace evenfold::device
