#pragma once
// Value types and operators for the tests of algorithms, and random values of each type.

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/core/config.hpp"
#include "evenfold/core/random.hpp"

namespace evenfold::testing {

/// 16 bytes.
struct couple {
  std::int64_t x, y;

  static couple from(std::uint64_t bits) {
    return {static_cast<std::int64_t>(bits & 0xffff), static_cast<std::int64_t>(bits >> 32)};
  }
  friend EF_HD constexpr bool operator<(const couple& a, const couple& b) {
    return a.x < b.x || (a.x == b.x && a.y % 4 < b.y % 4);
  }
  friend EF_HD constexpr bool operator==(const couple&, const couple&) = default;
};

/// 24 bytes, a size that does not divide that of a cache line.
struct triple {
  std::int64_t x, y, z;

  static triple from(std::uint64_t bits) {
    return {static_cast<std::int64_t>(bits & 0xff), static_cast<std::int64_t>(bits >> 32), 1};
  }
  friend EF_HD constexpr triple operator+(const triple& a, const triple& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend EF_HD constexpr bool operator<(const triple& a, const triple& b) {
    return a.x < b.x || (a.x == b.x && a.y % 4 < b.y % 4);
  }
  friend bool operator==(const triple&, const triple&) = default;
};

/// A sum that is not declared commutative.
struct add_any {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

/// A sum in each of three types, whose operator is not declared commutative.
template <class X, class Y, class Count>
struct three_sums {
  X x;
  Y y;
  Count count;
};
struct add_three_sums {
  template <class X, class Y, class Count>
  EF_HD constexpr three_sums<X, Y, Count> operator()(const three_sums<X, Y, Count>& a,
                                                     const three_sums<X, Y, Count>& b) const {
    return {a.x + b.x, a.y + b.y, a.count + b.count};
  }
};
/// 24 bytes, some of which no member has.
using mixed_sums = three_sums<float, double, std::int64_t>;

/// 64 bytes, without a default constructor.
struct wide {
  std::int64_t word[8];

  EF_HD constexpr explicit wide(std::int64_t first) : word{first, 1, 2, 3, 4, 5, 6, 7} {}

  static wide from(std::uint64_t bits) { return wide(static_cast<std::int64_t>(bits >> 24)); }
  friend EF_HD constexpr wide operator+(wide a, const wide& b) {
    for (int i = 0; i < 8; ++i) a.word[i] += b.word[i];
    return a;
  }
  friend EF_HD constexpr bool operator<(const wide& a, const wide& b) {
    return a.word[0] % 64 < b.word[0] % 64;
  }
  friend bool operator==(const wide&, const wide&) = default;
};

/// A 2 x 2 matrix modulo 2^32, without a default constructor. Its product does not commute.
struct matrix2 {
  std::uint32_t m[4];

  EF_HD constexpr matrix2(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
      : m{a, b, c, d} {}

  /// A matrix of determinant 1. Products of matrices with even determinants soon become 0, and then
  /// every order gives the same result.
  static matrix2 from(std::uint64_t bits) {
    const auto low = static_cast<std::uint32_t>(bits);
    const auto high = static_cast<std::uint32_t>(bits >> 32);
    return {1 + low * high, low, high, 1};
  }
  friend EF_HD constexpr matrix2 operator*(const matrix2& a, const matrix2& b) {
    return {a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3],
            a.m[2] * b.m[0] + a.m[3] * b.m[2], a.m[2] * b.m[1] + a.m[3] * b.m[3]};
  }
  friend bool operator==(const matrix2&, const matrix2&) = default;
};

/// The later operand unless it is 0: an associative operator on an arithmetic type that does not
/// commute.
struct last_nonzero {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return b != T{0} ? b : a;
  }
};

/// A random value. Floating-point values are small integers, so that their sums are exact in any
/// order.
template <class T>
T value_from(std::uint64_t bits) {
  if constexpr (std::floating_point<T>) {
    return static_cast<T>(static_cast<int>(bits % 17) - 8);
  } else if constexpr (std::signed_integral<T>) {
    return static_cast<T>(bits % 4 == 0 ? 0 : static_cast<int>((bits >> 32) % 2001) - 1000);
  } else if constexpr (std::unsigned_integral<T>) {
    return static_cast<T>(bits);
  } else {
    return T::from(bits);
  }
}

/// Numbers 0 to count - 1 of a stream, 64 bits each. A block of the stream has two of them.
inline std::vector<std::uint64_t> random_bits(std::int64_t count, std::uint64_t seed) {
  const random_stream random(seed);
  std::vector<std::uint64_t> result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); i += 2) {
    const philox_block block = random.block(i / 2);
    result[i] = block.word[0] | std::uint64_t{block.word[1]} << 32;
    if (i + 1 < result.size()) result[i + 1] = block.word[2] | std::uint64_t{block.word[3]} << 32;
  }
  return result;
}

template <class T>
std::vector<T> random_values(std::int64_t count, std::uint64_t seed = 7) {
  std::vector<T> result;
  result.reserve(static_cast<std::size_t>(count));
  for (const std::uint64_t bits : random_bits(count, seed)) result.push_back(value_from<T>(bits));
  return result;
}

/// Random fractions, whose sums show every change in the order of additions.
template <std::floating_point T>
std::vector<T> random_fractions(std::int64_t count, std::uint64_t seed = 7) {
  const random_stream random(seed);
  std::vector<T> result;
  result.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    result.push_back(random.uniform<T>(static_cast<std::uint64_t>(i)));
  }
  return result;
}

/// A comparison with random answers, which is not an order.
struct random_answer {
  EF_HD constexpr bool operator()(std::int64_t a, std::int64_t b) const {
    return random_stream(static_cast<std::uint64_t>(a)).bits32(static_cast<std::uint64_t>(b)) % 2;
  }
};

}  // namespace evenfold::testing
