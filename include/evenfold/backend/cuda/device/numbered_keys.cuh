#pragma once
// Radix keys with the indices of the keys, no two of which are equal.

#include <cstdint>
#include <type_traits>

#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// The last key in the order of Less that is not NaN.
template <class Less, class Key>
EF_HD constexpr Key last_number() {
  if constexpr (std::is_floating_point_v<Key>) {
    return detail::is_descending<Less, Key> ? -detail::infinity_of<Key> : detail::infinity_of<Key>;
  } else {
    return detail::key_of_radix<Less, Key>(detail::radix_bits_t<Key>(-1));
  }
}

/// A radix key and the index of the key. If both have 32 bits, they are in the order of the number
/// of 64 bits that they are together.
template <class Bits, class Index>
struct numbered_bits {
  Index index;
  Bits bits;

  friend EF_HD constexpr bool operator<(const numbered_bits& a, const numbered_bits& b) {
    return a.bits < b.bits || (a.bits == b.bits && a.index < b.index);
  }
  EF_HD static constexpr numbered_bits last() { return {Index(-1), Bits(-1)}; }
};
template <class Key, class Size>
using numbered_bits_of =
    numbered_bits<std::conditional_t<(sizeof(Key) <= 4), std::uint32_t, std::uint64_t>,
                  std::conditional_t<(sizeof(Size) <= 4), std::uint32_t, std::uint64_t>>;

/// The keys of the user with their indices.
template <class Less, class Keys, class Size>
struct numbered_input {
  using key_type = element_t<Keys>;
  using item = numbered_bits_of<key_type, Size>;
  using bits_type = decltype(item::bits);
  using index_type = decltype(item::index);
  element_of<key_type, Keys> keys;
  std::uint64_t count;

  __device__ static bits_type bits_of(const key_type& key) {
    return bits_type{detail::radix_key<Less>(key)};
  }
  __device__ static item numbered(const key_type& key, std::uint64_t at) {
    return {static_cast<index_type>(at), bits_of(key)};
  }
  __device__ item numbered(std::uint64_t at) const {
    return numbered(keys(static_cast<Size>(at)), at);
  }
};

}  // namespace evenfold::device
