#pragma once
// `divisor`: division by the same number many times, by a multiplication and a shift.

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// Twice as wide as the widest standard type; g++, clang and nvcc have it.
__extension__ typedef unsigned __int128 uint128;

/// n / d and n % d for one d >= 1 and any n >= 0, both of type Size: std::int32_t or std::int64_t.
///
/// With w the bits of Size, l = ceil(log2 d) and m = floor(2^(w - 1 + l) / d) + 1, the quotient is
/// floor(m * n / 2^(w - 1 + l)), exact for n < 2^(w - 1): m exceeds 2^(w - 1 + l) / d by at most 1,
/// which adds less than 1 / d to the product. m has at most w bits, so the upper half of m * 2 n
/// takes one or two instructions, where a division takes dozens.
///
/// Source: Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI
/// 1994. Names elsewhere: libdivide::divider, cub's and CUTLASS's FastDivmod.
template <class Size>
  requires(std::same_as<Size, std::int32_t> || std::same_as<Size, std::int64_t>)
class divisor {
 public:
  explicit constexpr divisor(Size d)
      : value_(d),
        shift_(static_cast<int>(std::bit_width(static_cast<word>(d - 1)))),
        factor_(static_cast<word>((wide{1} << (bits - 1 + shift_)) / static_cast<wide>(d) + 1)) {}

  EF_HD constexpr Size value() const { return value_; }
  EF_HD constexpr Size quotient(Size n) const {
    const auto product = static_cast<wide>(factor_) * (2 * static_cast<word>(n));
    return static_cast<Size>(static_cast<word>(product >> bits) >> shift_);
  }
  EF_HD constexpr Size remainder(Size n) const { return n - quotient(n) * value_; }

 private:
  static constexpr int bits = 8 * static_cast<int>(sizeof(Size));
  using word = std::make_unsigned_t<Size>;
  using wide = std::conditional_t<bits == 32, std::uint64_t, uint128>;

  Size value_;
  int shift_;
  word factor_;
};

}  // namespace evenfold::detail
