#pragma once
// The merge by one thread and by one block: the inner step of each merge, merge sort and search by
// merging.
//
// Whatever `less` returns, a thread only reads within its two runs, and the results of a block are
// a permutation: they are kept only if each thread began where the thread before it ended.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold::device {

/// Compares the values of two slots.
template <class Less>
struct on_value {
  Less less;
  template <class Slot>
  __device__ bool operator()(const Slot& a, const Slot& b) const {
    return less(a.value, b.value);
  }
};

/// Merges the sorted slots [a, a_end) and [b, b_end): Items results from the point (a, b) of the
/// merge path on. `source` gets the slots they came from. Past the last result it continues without
/// a branch and reads, but does not compare, up to Items slots behind the last. Returns where `a`
/// ends.
template <int Items, bool Indexed, class Key, class Less>
__device__ int serial_merge(const uninitialized<Key>* slots, int a, int a_end, int b, int b_end,
                            uninitialized<Key> (&merged)[Items], int (&source)[Items], Less less) {
  uninitialized<Key> key_a = slots[a];
  uninitialized<Key> key_b = slots[b];
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const bool take_b = a >= a_end || (b < b_end && less(key_b.value, key_a.value));
    merged[k] = take_b ? key_b : key_a;
    if constexpr (Indexed) source[k] = take_b ? b : a;
    a += !take_b;
    b += take_b;
    const uninitialized<Key> loaded = slots[take_b ? b : a];
    if (take_b) {
      key_b = loaded;
    } else {
      key_a = loaded;
    }
  }
  return a;
}

/// Whether neighbouring threads that merge the same two runs meet: each has ended, in the first
/// run, where the next one began. They may not if `less` is not a strict weak order. `begin` and
/// `end` are those of this thread, or -1 where it has no neighbour on that side. Returns the same
/// value in all threads. Synchronises the block.
template <int Threads>
__device__ bool threads_meet(int begin, int end) {
  constexpr int warps = Threads / warp_threads;
  __shared__ int warp_begin[warps];
  __shared__ int warp_end[warps];
  const int next = __shfl_down_sync(whole_warp, begin, 1);
  const bool is_last = lane_id() == warp_threads - 1;
  if (lane_id() == 0) warp_begin[warp_id()] = begin;
  if (is_last) warp_end[warp_id()] = end;
  if (__syncthreads_or(!is_last && end != next)) return false;
  const int w = lane_id();
  return !__any_sync(whole_warp, w + 1 < warps && warp_end[w] != warp_begin[w + 1]);
}

/// Writes a thread's run of `results` keys, and the slots they come from, to the slots from `from`
/// on.
template <bool Indexed, class Key, int Items>
__device__ void store_run(uninitialized<Key>* keys, std::uint16_t* sources, int from, int results,
                          const uninitialized<Key> (&key)[Items], const int (&source)[Items]) {
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    if (k < results) {
      keys[from + k] = key[k];
      if constexpr (Indexed) sources[from + k] = static_cast<std::uint16_t>(source[k]);
    }
  }
}

/// The block merges the sorted runs [0, a_count) and [a_count, count) of `slots` in place;
/// `sources` gets the slots that the results came from. Each thread merges one run of the results,
/// found by merge path. Synchronises the block before and after it writes.
template <class Sizes, bool Indexed, class Key, class Less>
__device__ void merge_slots(uninitialized<Key>* slots, std::uint16_t* sources, int a_count,
                            int count, Less less) {
  constexpr int items = Sizes::items;
  uninitialized<Key> key[items];
  int source[items];
  const int first = static_cast<int>(threadIdx.x) * items;
  const int results = min(max(count - first, 0), items);
  int begin = -1;
  int end = -1;
  if (results > 0) {
    const int a = detail::merge_path(slots, a_count, slots + a_count, count - a_count, first,
                                     on_value<Less>{less});
    const int a_to = serial_merge<items, Indexed>(slots, a, a_count, a_count + first - a, count,
                                                  key, source, less);
    if (first > 0) begin = a;
    if (first + items < count) end = a_to;
  }
  if (!threads_meet<Sizes::threads>(begin, end)) {
    // All keys stay where they are.
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (k < results) key[k] = slots[first + k];
      source[k] = first + k;
    }
  }
  store_run<Indexed>(slots, sources, first, results, key, source);
  __syncthreads();
}

}  // namespace evenfold::device
