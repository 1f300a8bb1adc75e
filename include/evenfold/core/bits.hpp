#pragma once
// The bits and the limits of numbers, for host and device: device code cannot call the functions of
// <bit>, <limits> and <numeric>.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// Whether T is a floating-point type whose bits can be read as `bits_of<T>`: float or double.
template <class T>
inline constexpr bool has_bits = std::same_as<T, float> || std::same_as<T, double>;

/// The unsigned integer as wide as a floating-point type.
template <class T>
using bits_of = std::conditional_t<std::same_as<T, float>, std::uint32_t, std::uint64_t>;

/// The largest number and infinity, as constants.
template <class T>
inline constexpr T largest_number = std::numeric_limits<T>::max();
template <class T>
inline constexpr T infinity_of = std::numeric_limits<T>::infinity();

/// std::bit_cast
template <class To, class From>
EF_HD constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

/// std::bit_width
EF_HD constexpr int bit_width(std::uint64_t x) {
  int bits = 0;
  for (; x != 0; x >>= 1) ++bits;
  return bits;
}

/// The greatest common divisor of two positive numbers.
EF_HD constexpr int greatest_common_divisor(int a, int b) {
  while (b != 0) {
    const int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace evenfold::detail
