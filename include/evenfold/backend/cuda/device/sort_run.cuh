#pragma once
// The sort of the items of one thread, in registers.

#include <cstdint>
#include <cuda/std/bit>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/keys_with_nan.cuh"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// Puts two items in order, if they may change places.
template <bool Indexed, class Key, int Items, class Less>
__device__ void order_pair(uninitialized<Key> (&key)[Items], int (&source)[Items], int first,
                           int second, bool may_swap, Less less) {
  bool swaps;
  if constexpr (compares_numbers<Less, Key>) {
    swaps = may_swap & less(key[second].value, key[first].value);  // without a branch
  } else {
    swaps = may_swap && less(key[second].value, key[first].value);
  }
  const uninitialized<Key> lower = swaps ? key[second] : key[first];
  key[second] = swaps ? key[first] : key[second];
  key[first] = lower;
  if constexpr (Indexed) {
    const int from = swaps ? source[second] : source[first];
    source[second] = swaps ? source[first] : source[second];
    source[first] = from;
  }
}

/// Odd-even transposition, which is stable. Without `AnyFixed`, no bit of `fixed` is set.
template <bool AnyFixed, bool Indexed, class Key, int Items, class Less>
__device__ void transposition_sort(uninitialized<Key> (&key)[Items], int (&source)[Items],
                                   unsigned fixed, Less less) {
#pragma unroll
  for (int round = 0; round < Items; ++round) {
#pragma unroll
    for (int k = 1 + round % 2; k < Items; k += 2) {
      order_pair<Indexed>(key, source, k - 1, k, !AnyFixed || (fixed >> k & 1) == 0, less);
    }
  }
}

/// Batcher's odd-even merge sort: about half as many steps, but not stable. Items with a fixed one
/// between them are in order, as if the number of their piece were a part of the key.
template <class Key, int Items, class Less>
__device__ void network_sort(uninitialized<Key> (&key)[Items], int (&source)[Items], unsigned fixed,
                             Less less) {
  constexpr int levels = ::cuda::std::bit_width(Items - 1u);
  // All loops have constant bounds, so that each step is unrolled.
#pragma unroll
  for (int level = 0; level < levels; ++level) {
#pragma unroll
    for (int finer = 0; finer < levels; ++finer) {
#pragma unroll
      for (int k = 0; k < Items; ++k) {
        if (finer > level) continue;
        const int step = 1 << (level - finer);
        const int other = k + step;
        const int begin = finer == 0 ? 0 : step;
        if (k >= begin && (k - begin) / step % 2 == 0 && other < Items &&
            k >> (level + 1) == other >> (level + 1)) {
          const unsigned between = ((2u << other) - 1) & ~((2u << k) - 1);
          order_pair<false>(key, source, k, other, (fixed & between) == 0, less);
        }
      }
    }
  }
}

/// Whether equal numbers among the keys of the warp have the same bits: none of them is a negative
/// zero.
template <class Key, int Items>
__device__ bool equal_are_same(const uninitialized<Key> (&key)[Items]) {
  if constexpr (std::is_floating_point_v<Key>) {
    using bits_type = detail::radix_bits_t<Key>;
    bool has_zero = false;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      has_zero |= detail::bit_cast<bits_type>(key[k].value) == detail::bit_cast<bits_type>(-Key{0});
    }
    return !__any_sync(whole_warp, has_zero);
  } else {
    return true;
  }
}

/// Sorts the items of a thread stably, with the slots they come from if they are `Indexed`. Item k
/// stays after item k - 1 where bit k of `fixed` is set: a piece of a segment begins there, or
/// there is no item. Unless `Segmented`, most warps have no such bit. All threads of the warp call
/// it.
///
/// Source: Knuth, "The Art of Computer Programming", vol. 3, 5.2.2 (Batcher's method), 5.3.4.
template <bool Indexed, bool Segmented, class Key, int Items, class Less>
__device__ void sort_run(uninitialized<Key> (&key)[Items], int (&source)[Items], unsigned fixed,
                         Less less) {
  static_assert(Items < 32, "the items have one bit each");
  if constexpr (!Indexed && detail::radix_order<Less, Key>) {
    if (equal_are_same(key)) {
      network_sort(key, source, fixed, less);
      return;
    }
  }
  if (!Segmented && __all_sync(whole_warp, fixed == 0)) {
    transposition_sort<false, Indexed>(key, source, fixed, less);
  } else {
    transposition_sort<true, Indexed>(key, source, fixed, less);
  }
}

}  // namespace evenfold::device
