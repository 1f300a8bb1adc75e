#pragma once
// What registers hold of keys: integers of one or two bytes as int, since the compiler takes
// several instructions to move and compare them, and more registers than there are.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

template <class Key>
inline constexpr bool is_held_as_int = std::integral<Key> && sizeof(Key) < sizeof(int);
template <class Key>
using register_key = std::conditional_t<is_held_as_int<Key>, int, Key>;

/// Keys that registers hold, in the order `less` of the keys.
template <class Key, class Less>
struct register_order {
  Less less;
  __device__ bool operator()(int a, int b) const {
    return less(static_cast<Key>(a), static_cast<Key>(b));
  }
};
template <class Key, class Less>
__device__ auto order_in_registers(Less less) {
  if constexpr (!is_held_as_int<Key>) {
    return less;
  } else if constexpr (detail::radix_order<Less, Key>) {
    return detail::natural_order_t<Less, Key>{};
  } else {
    return register_order<Key, Less>{less};
  }
}

template <class Key>
__device__ uninitialized<register_key<Key>> to_register(const uninitialized<Key>& key) {
  if constexpr (is_held_as_int<Key>) {
    return uninitialized<int>(key.value);
  } else {
    return key;
  }
}
template <class Key>
__device__ uninitialized<Key> from_register(const uninitialized<register_key<Key>>& key) {
  if constexpr (is_held_as_int<Key>) {
    return uninitialized<Key>(static_cast<Key>(key.value));
  } else {
    return key;
  }
}

}  // namespace evenfold::device
