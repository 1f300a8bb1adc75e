#pragma once
// Sums and products of 64-bit integers that report overflow.

#include <cstdint>
#include <limits>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Holds any sum of up to 2^63 integers of 64 bits.
__extension__ using wide_integer = __int128;

/// A product of integers of 64 bits, or the fact that its magnitude is 2^64 or more.
struct exact_product {
  std::uint64_t magnitude;  ///< 1 where `beyond`
  bool negative;
  bool beyond;

  exact_product() = default;
  EF_HD constexpr explicit exact_product(std::uint64_t value)
      : magnitude(value), negative(false), beyond(false) {}
  EF_HD constexpr explicit exact_product(std::int64_t value)
      : magnitude(value < 0 ? 0 - static_cast<std::uint64_t>(value)
                            : static_cast<std::uint64_t>(value)),
        negative(value < 0),
        beyond(false) {}

  /// Associative and commutative but for the sign of 0, since a factor of 0 makes any product 0.
  friend EF_HD constexpr exact_product operator*(const exact_product& a, const exact_product& b) {
    __extension__ using wide = unsigned __int128;
    const wide exact = static_cast<wide>(a.magnitude) * b.magnitude;
    exact_product result(static_cast<std::uint64_t>(exact));
    result.negative = a.negative != b.negative;
    result.beyond = exact != 0 && (a.beyond || b.beyond || exact >> 64 != 0);
    if (result.beyond) result.magnitude = 1;
    return result;
  }
};

template <>
inline constexpr bool is_commutative<plus, wide_integer> = true;
template <>
inline constexpr bool is_commutative<multiplies, exact_product> = true;
template <>
inline constexpr bool detail::is_exact_fold<plus, wide_integer> = true;

namespace runtime {

/// The largest T. A constant, since device code does not call std::numeric_limits.
template <class T>
inline constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());

/// Sets `value` to an exact result. Returns false where it does not fit.
template <class T>
EF_HD bool narrow(const wide_integer& sum, T& value) {
  value = static_cast<T>(sum);
  return value == sum;
}
template <class T>
EF_HD bool narrow(const exact_product& product, T& value) {
  value = static_cast<T>(product.negative ? 0 - product.magnitude : product.magnitude);
  return !product.beyond && product.magnitude <= largest<T> + (product.negative ? 1 : 0);
}

}  // namespace runtime

}  // namespace evenfold
