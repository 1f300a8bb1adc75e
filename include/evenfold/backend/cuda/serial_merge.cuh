#pragma once
// One thread merges, then one block: the inner step of every merge, of every sort that merges and
// of every search by merging.

#include <cstdint>

#include "evenfold/backend/cuda/block.cuh"
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
template <int Items, bool Indexed, class Key, class Less>
__device__ void serial_merge(const maybe<Key>* places, int a, int a_end, int b, int b_end,
                             maybe<Key> (&merged)[Items], int (&source)[Items], Less less) {
  maybe<Key> key_a = places[a];
  maybe<Key> key_b = places[b];
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const bool take_b = a >= a_end || (b < b_end && less(key_b.value, key_a.value));
    merged[k] = take_b ? key_b : key_a;
    if constexpr (Indexed) source[k] = take_b ? b : a;
    a += !take_b;
    b += take_b;
    const maybe<Key> loaded = places[take_b ? b : a];
    if (take_b) {
      key_b = loaded;
    } else {
      key_a = loaded;
    }
  }
}

/// Writes a thread's run of `results` keys, and where they come from, to the places from `from` on.
template <bool Indexed, class Key, int Items>
__device__ void store_run(maybe<Key>* keys, std::uint16_t* sources, int from, int results,
                          const maybe<Key> (&key)[Items], const int (&source)[Items]) {
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
__device__ void merge_places(maybe<Key>* places, std::uint16_t* sources, int a_count, int count,
                             Less less) {
  constexpr int items = Sizes::items;
  maybe<Key> key[items];
  int source[items];
  const int first = static_cast<int>(threadIdx.x) * items;
  const int results = min(max(count - first, 0), items);
  if (results > 0) {
    const int a =
        merge_path(places, a_count, places + a_count, count - a_count, first, on_value<Less>{less});
    serial_merge<items, Indexed>(places, a, a_count, a_count + first - a, count, key, source, less);
  }
  __syncthreads();
  store_run<Indexed>(places, sources, first, results, key, source);
  __syncthreads();
}

}  // namespace evenfold::device
