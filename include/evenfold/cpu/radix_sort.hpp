#pragma once
// Stable radix sort of short runs of arithmetic keys on one CPU thread, by digits of eight bits
// from the lowest to the highest. A digit that all keys share costs nothing but its share of the
// histogram.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/core/functional.hpp"

namespace evenfold::cpu {

/// Whether `Less` is the natural order of a key whose bits can be sorted by digits, or its reverse.
template <class Less, class Key>
concept radix_order =
    (std::same_as<Less, less> || std::same_as<Less, greater>)&&std::is_arithmetic_v<Key> &&
    sizeof(Key) <= sizeof(std::uint64_t);

/// An unsigned number that is ordered as `Less` orders keys; both zeros of a floating-point type
/// are one.
template <class Less, class Key>
  requires radix_order<Less, Key>
auto radix_bits(Key key) {
  using bits_type = std::conditional_t<
      sizeof(Key) == 1, std::uint8_t,
      std::conditional_t<sizeof(Key) == 2, std::uint16_t,
                         std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>>>;
  constexpr bits_type sign = bits_type(bits_type{1} << (8 * sizeof(Key) - 1));
  bits_type bits;
  if constexpr (std::floating_point<Key>) {
    bits = std::bit_cast<bits_type>(key == Key{0} ? Key{0} : key);
    bits = bits & sign ? bits_type(~bits) : bits_type(bits | sign);
  } else {
    bits = static_cast<bits_type>(key);
    if constexpr (std::is_signed_v<Key>) bits = bits_type(bits ^ sign);
  }
  return std::same_as<Less, greater> ? bits_type(~bits) : bits;
}

/// Sorts data[0, count) stably by bits_of(element), count < 2^32; the result lies in `data`, or in
/// `other` if `into_other`. Both are written.
template <class T, class BitsOf>
void radix_sort_run(T* data, T* other, std::ptrdiff_t count, bool into_other, BitsOf bits_of) {
  constexpr int digits = static_cast<int>(sizeof(bits_of(data[0])));
  std::uint32_t histogram[digits][256] = {};
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto bits = bits_of(data[i]);
    for (int d = 0; d < digits; ++d) ++histogram[d][(bits >> (8 * d)) & 0xff];
  }
  const auto first = bits_of(data[0]);
  T* from = data;
  T* to = other;
  for (int d = 0; d < digits; ++d) {
    std::uint32_t* place = histogram[d];
    if (place[(first >> (8 * d)) & 0xff] == static_cast<std::uint32_t>(count)) continue;
    std::uint32_t before = 0;
    for (int digit = 0; digit < 256; ++digit) before += std::exchange(place[digit], before);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      to[place[(bits_of(from[i]) >> (8 * d)) & 0xff]++] = from[i];
    }
    std::swap(from, to);
  }
  T* const wanted = into_other ? other : data;
  if (from != wanted) std::copy(from, from + count, wanted);
}

}  // namespace evenfold::cpu
