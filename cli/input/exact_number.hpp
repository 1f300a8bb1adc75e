#pragma once
// Integers of 64 bits and doubles in one order, without rounding.
//
// A double has 53 bits, so integers beyond 2^53 share their nearest double with their neighbours.
// The difference of a number from its nearest double distinguishes them: rounding keeps the order,
// so numbers are compared by the nearest double first and by the rest where that is the same.

#include <compare>
#include <concepts>
#include <cstdint>

namespace evenfold::cli {

/// A number, as the sum of both members.
struct exact_number {
  double nearest = 0;
  /// 0 for a double; for an integer at most 1024, which is half the distance of doubles below 2^64.
  std::int32_t rest = 0;

  exact_number() = default;
  explicit exact_number(double value) : nearest(value) {}
  template <std::integral T>
  explicit exact_number(T value) : nearest(static_cast<double>(value)) {
    // The numbers are close, so that their difference is right modulo 2^64.
    rest = static_cast<std::int32_t>(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - modulo_2_64(nearest)));
  }

  friend std::partial_ordering operator<=>(const exact_number&, const exact_number&) = default;

 private:
  /// An integer from -2^63 to 2^64, modulo 2^64.
  static std::uint64_t modulo_2_64(double integer) {
    if (integer < 0) return static_cast<std::uint64_t>(static_cast<std::int64_t>(integer));
    return integer < 0x1p64 ? static_cast<std::uint64_t>(integer) : 0;
  }
};

}  // namespace evenfold::cli
