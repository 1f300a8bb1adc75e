#pragma once
// Numbers that have a wide range of exponents and operators most of which do not commute, so that
// any other order of a fold shows in the bits of its result, and a bit_hash of these bits.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "evenfold/core/config.hpp"
#include "support/values.hpp"

namespace evenfold::testing {

/// A number with 24 random bits and a random exponent, of either sign.
template <class T>
T scaled_float(std::uint64_t bits) {
  const auto digits = static_cast<T>(static_cast<int>(bits & 0xffffff) - 0x800000);
  return std::ldexp(digits, static_cast<int>(bits >> 32 & 31) - 36);
}

/// A matrix of floats, whose product rounds and does not commute.
struct rounded_matrix {
  float a, b, c, d;
};
struct rounded_product {
  EF_HD constexpr rounded_matrix operator()(const rounded_matrix& x,
                                            const rounded_matrix& y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
            x.c * y.b + x.d * y.d};
  }
};

template <class T>
T scaled_value(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, rounded_matrix>) {
    const auto part = [&](int k) {
      return std::ldexp(static_cast<float>(static_cast<int>(bits >> (16 * k) & 0xffff) - 0x8000),
                        -15);
    };
    return {part(0), part(1), part(2), part(3)};
  } else if constexpr (std::is_same_v<T, mixed_sums>) {
    mixed_sums value;
    std::memset(static_cast<void*>(&value), 0, sizeof(value));
    value.x = scaled_float<float>(bits);
    value.y = scaled_float<double>(bits >> 7);
    value.count = 1;
    return value;
  } else {
    return scaled_float<T>(bits);
  }
}

template <class T>
std::vector<T> scaled_numbers(std::int64_t count, std::uint64_t seed = 5) {
  std::vector<T> result;
  result.reserve(static_cast<std::size_t>(count));
  for (const std::uint64_t bits : random_bits(count, seed)) result.push_back(scaled_value<T>(bits));
  return result;
}

/// FNV-1a of the bits of results.
class bit_hash {
 public:
  template <class T>
  void add(const T& value) {
    if constexpr (std::is_same_v<T, mixed_sums>) {
      // Not the bytes between its members.
      add(value.x);
      add(value.y);
      add(value.count);
    } else {
      // By words, since tests are compiled without optimisation.
      std::uint64_t words[(sizeof(T) + 7) / 8] = {};
      std::memcpy(words, &value, sizeof(T));
      std::uint64_t state = state_;
      for (std::size_t k = 0; k < sizeof(T); k += 8) {
        std::uint64_t word = words[k / 8];
        for (std::size_t left = sizeof(T) - k < 8 ? sizeof(T) - k : 8; left > 0; --left) {
          state = (state ^ (word & 0xff)) * 0x100000001b3u;
          word >>= 8;
        }
      }
      state_ = state;
    }
  }
  template <class T>
  void add(const std::vector<T>& values) {
    for (const T& value : values) add(value);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace evenfold::testing
