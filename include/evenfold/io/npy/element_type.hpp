#pragma once
// The types of the elements of a file of numbers, known when it is read.

#include <bit>
#include <cstdint>
#include <type_traits>

namespace evenfold {

/// The types that the elements of a file of numbers may have in memory.
enum class element_type {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64
};

/// The element_type of a C++ type, which is one of those or has the same representation.
template <class T>
constexpr element_type element_type_of() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                    (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8),
                "a file of numbers holds integers of up to 64 bits, float and double");
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? element_type::float32 : element_type::float64;
  } else {
    const auto first = std::is_signed_v<T> ? element_type::int8 : element_type::uint8;
    return static_cast<element_type>(static_cast<int>(first) + std::countr_zero(sizeof(T)));
  }
}

/// Calls visitor(std::type_identity<T>()) with the C++ type of `type`.
template <class Visitor>
decltype(auto) visit_element_type(element_type type, Visitor&& visitor) {
  switch (type) {
    case element_type::int8:
      return visitor(std::type_identity<std::int8_t>());
    case element_type::int16:
      return visitor(std::type_identity<std::int16_t>());
    case element_type::int32:
      return visitor(std::type_identity<std::int32_t>());
    case element_type::int64:
      return visitor(std::type_identity<std::int64_t>());
    case element_type::uint8:
      return visitor(std::type_identity<std::uint8_t>());
    case element_type::uint16:
      return visitor(std::type_identity<std::uint16_t>());
    case element_type::uint32:
      return visitor(std::type_identity<std::uint32_t>());
    case element_type::uint64:
      return visitor(std::type_identity<std::uint64_t>());
    case element_type::float32:
      return visitor(std::type_identity<float>());
    case element_type::float64:
      break;
  }
  return visitor(std::type_identity<double>());
}

}  // namespace evenfold
