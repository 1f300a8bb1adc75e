#pragma once
// The numbers of bins: as the functions of users return them, and as backends use them.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// The bin of an item that is not counted.
inline constexpr std::int32_t no_bin = -1;

namespace detail {

/// The number of a bin, or `bins` for every number outside [0, bins), where 0 < bins < 2^31.
template <std::integral Number>
EF_HD constexpr std::uint32_t bin_or_none(Number number, std::uint32_t bins) {
  // A negative number becomes larger than any number of bins.
  using wide = std::conditional_t<sizeof(Number) <= 4, std::uint32_t, std::uint64_t>;
  const auto unsigned_number = static_cast<wide>(number);
  return unsigned_number < bins ? static_cast<std::uint32_t>(unsigned_number) : bins;
}

}  // namespace detail

}  // namespace evenfold
