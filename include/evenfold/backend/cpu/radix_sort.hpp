#pragma once
// Stable radix sort of short runs of arithmetic keys on one CPU thread: digits of eight bits, from
// the lowest to the highest. A digit that all keys share costs nothing but its share of the
// histogram.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace evenfold::cpu {

/// Whether many of the addresses at which the digits begin fall into few sets of a first-level
/// cache, as where all digits have the same number of elements, a power of two. An element that is
/// written then evicts what the next one of another digit needs.
template <class T>
bool begins_crowd_together(const T* to, const std::uint32_t* begin, std::ptrdiff_t count) {
  constexpr int line = 64, sets = 64, most = 24;
  std::uint8_t lines[sets] = {};
  for (int digit = 0; digit < 256; ++digit) {
    const std::uint32_t end = digit < 255 ? begin[digit + 1] : static_cast<std::uint32_t>(count);
    if (begin[digit] == end) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(to + begin[digit]);
    if (++lines[address / line % sets] > most) return true;
  }
  return false;
}

/// Moves elements to to[position[digit_of(element)]++], in groups of as many elements of one digit
/// as a line of a cache has.
template <class T, class DigitOf>
[[gnu::noinline]] void scatter_in_lines(const T* from, T* to, std::ptrdiff_t count,
                                        std::uint32_t* position, DigitOf digit_of) {
  constexpr std::uint32_t line = std::bit_floor(std::max<std::uint32_t>(1, 64 / sizeof(T)));
  alignas(64) std::byte waiting[256][line * sizeof(T)];
  std::uint32_t begin[256];
  std::copy_n(position, 256, begin);
  // The elements of a digit that wait, up to position `end`.
  const auto move = [&](unsigned digit, std::uint32_t end) {
    const std::uint32_t first = std::max((end - 1) / line * line, begin[digit]);
    std::memcpy(static_cast<void*>(to + first), waiting[digit] + first % line * sizeof(T),
                (end - first) * sizeof(T));
  };
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const unsigned digit = digit_of(from[i]);
    const std::uint32_t at = position[digit]++;
    std::memcpy(waiting[digit] + at % line * sizeof(T), from + i, sizeof(T));
    if (at % line < line - 1) continue;
    if (at + 1 - begin[digit] >= line) {
      std::memcpy(static_cast<void*>(to + (at + 1 - line)), waiting[digit], line * sizeof(T));
    } else {
      move(digit, at + 1);
    }
  }
  for (unsigned digit = 0; digit < 256; ++digit) {
    if (position[digit] % line != 0 && position[digit] != begin[digit]) {
      move(digit, position[digit]);
    }
  }
}

/// Sorts data[0, count) stably by bits_of(element), count < 2^32; the result lies in `data`, or in
/// `other` if `into_other`. Both are written.
template <class T, class BitsOf>
void radix_sort_run(T* data, T* other, std::ptrdiff_t count, bool into_other, BitsOf bits_of) {
  constexpr int digits = static_cast<int>(sizeof(bits_of(data[0])));
  // Fewer elements stay in the first-level cache.
  constexpr std::ptrdiff_t least_in_lines = (1 << 15) / static_cast<std::ptrdiff_t>(sizeof(T));
  std::uint32_t histogram[digits][256] = {};
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto bits = bits_of(data[i]);
#pragma GCC unroll 8
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
    const auto digit_of = [&](const T& x) {
      return static_cast<unsigned>((bits_of(x) >> (8 * d)) & 0xff);
    };
    if (sizeof(T) >= 8 && count >= least_in_lines && begins_crowd_together(to, position, count)) {
      scatter_in_lines(from, to, count, position, digit_of);
    } else {
      for (std::ptrdiff_t i = 0; i < count; ++i) to[position[digit_of(from[i])]++] = from[i];
    }
    std::swap(from, to);
  }
  T* const wanted = into_other ? other : data;
  if (from != wanted) std::copy(from, from + count, wanted);
}

/// Sorts data[0, count) stably, count < 2^32, whose keys are in [low, high]: a radix sort by so
/// many of the highest digits that few keys share them, then an insertion sort. This is fast if the
/// keys are spread evenly. Returns false if the insertion sort would move too many keys; items with
/// equal keys are then still in their order. `other` has space for `count` items.
template <class T, class Bits, class BitsOf>
bool sort_spread_run(T* data, T* other, std::ptrdiff_t count, Bits low, Bits high, BitsOf bits_of) {
  constexpr int most_digits = 4;
  constexpr int spare_bits = 4;  // so that one key in 2^4 shares its digits with another one
  const auto bits = [](std::uint64_t x) { return static_cast<int>(std::bit_width(x)); };
  const int wanted_bits = bits(static_cast<std::uint64_t>(count - 1)) + spare_bits;
  const int known_bits = bits(high - low);
  const int digits = std::min((std::min(wanted_bits, known_bits) + 7) / 8, most_digits);
  const int shift = std::max(known_bits - 8 * digits, 0);
  const auto cell = [&](const T& x) {
    return static_cast<std::uint32_t>(static_cast<Bits>(bits_of(x) - low) >> shift);
  };
  radix_sort_run(data, other, count, false, cell);
  if (shift == 0) return true;
  for (std::ptrdiff_t i = 1, moves = 0; i < count; ++i) {
    if (!(bits_of(data[i]) < bits_of(data[i - 1]))) continue;
    const T moving = data[i];
    std::ptrdiff_t at = i;
    for (; at > 0 && bits_of(moving) < bits_of(data[at - 1]); --at) data[at] = data[at - 1];
    data[at] = moving;
    moves += i - at;
    if (moves > count) return false;
  }
  return true;
}

}  // namespace evenfold::cpu
