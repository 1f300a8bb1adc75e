#pragma once
// Floating-point keys that are sorted in natural order, NaN last (core/radix_key.hpp).
//
// Keys without NaN are compared by `<`, which takes no branch and no conversion. Where a tile has a
// NaN, its block sorts the keys as numbers in the total order (sort_tiles.cuh); where the runs that
// it merges have one, it merges them by ranks (merge_jobs.cuh). Neither may take registers from the
// code for keys without NaN, which needs all of them.

#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold {

namespace device {

/// Whether an order may be asked about keys that nobody has written, since it only compares
/// numbers.
template <class Less, class Key>
inline constexpr bool compares_numbers = detail::radix_order<Less, Key>;
template <class Less, class Key>
inline constexpr bool compares_numbers<detail::numbered_order, detail::numbered_key<Less, Key>> =
    true;

/// Whether keys may be NaN, which are last in the order of `Less`.
template <class Less, class Key>
inline constexpr bool may_have_nan =
    std::is_floating_point_v<Key> && detail::radix_order<Less, Key>;

/// Natural order of keys none of which is NaN.
template <class Less>
struct order_of_numbers {
  template <class Key>
  EF_HD constexpr bool operator()(const Key& a, const Key& b) const {
    return detail::natural_order_t<Less, Key>{}(a, b);
  }
};

/// The total order of floating-point keys in natural order, or `less` itself.
template <class Key, class Less>
auto with_nan_last(Less less) {
  if constexpr (may_have_nan<Less, Key>) {
    return detail::total_order<detail::natural_order_t<Less, Key>>{};
  } else {
    return less;
  }
}

/// The order of keys none of which is NaN.
template <class Key, class Less>
__device__ auto order_without_nan(Less less) {
  if constexpr (may_have_nan<Less, Key>) {
    return order_of_numbers<Less>{};
  } else {
    return less;
  }
}

/// The total order of keys in natural order by their numbers, without a branch: a search then waits
/// for all keys of a step at the same time.
template <class Less>
struct order_by_number {
  template <class Key>
  __device__ bool operator()(const Key& a, const Key& b) const {
    return detail::radix_key<Less>(a) < detail::radix_key<Less>(b);
  }
};

/// The order of keys in a search.
template <class Key, class Less>
__device__ auto order_of_search(Less less) {
  if constexpr (may_have_nan<Less, Key>) {
    return order_by_number<Less>{};
  } else {
    return less;
  }
}

/// Whether a key is NaN. Others than floating-point keys are none.
template <class Key>
__device__ bool is_nan(const uninitialized<Key>& key) {
  if constexpr (std::is_floating_point_v<Key>) {
    return key.value != key.value;
  } else {
    return false;
  }
}

/// Waits for the block, and returns whether one of its threads has seen a NaN, if keys may have any
/// in the order of `Less`.
template <class Less, class Key>
__device__ bool sync_for_nan(bool has_seen) {
  if constexpr (may_have_nan<Less, Key>) {
    return __syncthreads_or(has_seen);
  } else {
    __syncthreads();
    return false;
  }
}

/// The same memory with keys of another type of the same size.
template <class To, class From>
__device__ To& same_memory(From& memory) {
  static_assert(sizeof(To) == sizeof(From) && alignof(To) == alignof(From));
  return reinterpret_cast<To&>(memory);
}

/// Converts the keys in slots [0, count) in place. Synchronises the block at the end.
template <class To, class From>
__device__ void convert_slots(uninitialized<From>* slots, int count) {
#pragma unroll 1
  for (int slot = static_cast<int>(threadIdx.x); slot < count;
       slot += static_cast<int>(blockDim.x)) {
    const uninitialized<To> converted(static_cast<To>(slots[slot].value));
    same_memory<uninitialized<To>>(slots[slot]) = converted;
  }
  __syncthreads();
}

}  // namespace device

namespace detail {

template <class Less, class Key>
struct natural_order<device::order_of_numbers<Less>, Key> : natural_order<Less, Key> {};
template <class Less, class Key>
inline constexpr bool is_strict_order<device::order_of_numbers<Less>, Key> = radix_order<Less, Key>;

}  // namespace detail

}  // namespace evenfold
