#pragma once
// Conversions of narrow integers to floating-point numbers by an addition.
//
// A multiprocessor converts 16 integers per clock where they have fewer than 32 bits or the number
// has 64, but adds 64 doubles or 128 floats. An integer that is put into the last bits of the
// significand of a power of two, whose unit there is 1, is that power plus the integer, exactly.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/bits.hpp"

namespace evenfold::device {

/// static_cast<To>(from)
template <class To, class From>
__device__ To convert(const From& from) {
  if constexpr (std::same_as<To, float> && std::is_integral_v<From> && sizeof(From) <= 2) {
    constexpr std::uint32_t bits_of_base = 0x4B400000;
    constexpr float base = 0x1.8p23f;
    return detail::bit_cast<float>(bits_of_base + static_cast<std::uint32_t>(from)) - base;
  } else if constexpr (std::same_as<To, double> && std::is_integral_v<From> && sizeof(From) <= 4) {
    // Signed integers are moved to those from 0 on.
    constexpr std::uint32_t least = std::is_signed_v<From> ? 0x80000000 : 0;
    constexpr std::uint64_t bits_of_base = 0x4330000000000000;
    constexpr double base = 0x1p52 + least;
    return detail::bit_cast<double>(bits_of_base | (static_cast<std::uint32_t>(from) ^ least)) -
           base;
  } else {
    return static_cast<To>(from);
  }
}

}  // namespace evenfold::device
