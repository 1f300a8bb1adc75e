#pragma once
// One thread merges, then one block: the inner step of every merge, of every sort that merges and
// of every search by merging.
//
// Whatever `less` answers, a thread reads between the ends of its two runs alone, and the results
// of a block are a permutation: they are kept only if each thread began where the one before it
// ended.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold::device {

/// Compares the values of two places.
template <class Less>
struct on_value {
  Less less;
  template <class Place>
  __device__ bool operator()(const Place& a, const Place& b) const {
    return less(a.value, b.value);
  }
};

/// Merges sorted places [a, a_end) and [b, b_end), Items results from the merge-path point `a`, `b`
/// on; `source` gets the places they came from. Past the last result it goes on with any key, so
/// `places` has Items spare ones, and no branch is taken; but it never compares what is not there.
/// Returns how far `a` has come.
template <int Items, bool Indexed, class Key, class Less>
__device__ int serial_merge(const uninitialized<Key>* places, int a, int a_end, int b, int b_end,
                            uninitialized<Key> (&merged)[Items], int (&source)[Items], Less less) {
  uninitialized<Key> key_a = places[a];
  uninitialized<Key> key_b = places[b];
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const bool take_b = a >= a_end || (b < b_end && less(key_b.value, key_a.value));
    merged[k] = take_b ? key_b : key_a;
    if constexpr (Indexed) source[k] = take_b ? b : a;
    a += !take_b;
    b += take_b;
    const uninitialized<Key> loaded = places[take_b ? b : a];
    if (take_b) {
      key_b = loaded;
    } else {
      key_a = loaded;
    }
  }
  return a;
}

/// Whether neighbouring threads that merge the same two runs meet: each has ended, in the first
/// run, where the next one began. `begin` and `end` are where this thread did, or -1 where there is
/// no neighbour on that side. It may not be so if `less` is no order. The same answer for all
/// threads of the block, which synchronises.
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

/// Writes a thread's run of `results` keys, and where they come from, to the places from `from` on.
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

/// The block merges the sorted runs [0, a_count) and [a_count, count) of `places`, in place;
/// `sources` gets the places that the results came from. Every thread takes one run of the results,
/// found by merge path. Synchronises the block before it writes and after.
template <class Sizes, bool Indexed, class Key, class Less>
__device__ void merge_places(uninitialized<Key>* places, std::uint16_t* sources, int a_count,
                             int count, Less less) {
  constexpr int items = Sizes::items;
  uninitialized<Key> key[items];
  int source[items];
  const int first = static_cast<int>(threadIdx.x) * items;
  const int results = min(max(count - first, 0), items);
  int begin = -1;
  int end = -1;
  if (results > 0) {
    const int a = detail::merge_path(places, a_count, places + a_count, count - a_count, first,
                                     on_value<Less>{less});
    const int a_to = serial_merge<items, Indexed>(places, a, a_count, a_count + first - a, count,
                                                  key, source, less);
    if (first > 0) begin = a;
    if (first + items < count) end = a_to;
  }
  if (!threads_meet<Sizes::threads>(begin, end)) {
    // All stays where it is.
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (k < results) key[k] = places[first + k];
      source[k] = first + k;
    }
  }
  store_run<Indexed>(places, sources, first, results, key, source);
  __syncthreads();
}

}  // namespace evenfold::device
