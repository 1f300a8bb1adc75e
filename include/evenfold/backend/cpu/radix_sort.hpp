#pragma once
// Stable radix sort of short runs of arithmetic keys on one CPU thread, by digits of eight bits
// from the lowest to the highest. A digit that all keys share costs nothing but its share of the
// histogram.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace evenfold::cpu {

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
    std::uint32_t* position = histogram[d];
    if (position[(first >> (8 * d)) & 0xff] == static_cast<std::uint32_t>(count)) continue;
    std::uint32_t before = 0;
    for (int digit = 0; digit < 256; ++digit) before += std::exchange(position[digit], before);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      to[position[(bits_of(from[i]) >> (8 * d)) & 0xff]++] = from[i];
    }
    std::swap(from, to);
  }
  T* const wanted = into_other ? other : data;
  if (from != wanted) std::copy(from, from + count, wanted);
}

}  // namespace evenfold::cpu
