#pragma once
// `element_type`: the type of elements that is known only at run time, such as in a file of numbers
// or in an array of the runtime layer.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/error.hpp"

namespace evenfold {

enum class element_type : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  boolean
};

inline constexpr int num_element_types = 11;

/// The name of the type, as in NumPy.
constexpr const char* name_of(element_type type) {
  constexpr const char* names[] = {"int8",   "int16",  "int32",   "int64",   "uint8", "uint16",
                                   "uint32", "uint64", "float32", "float64", "bool"};
  return names[static_cast<int>(type)];
}

/// The size of an element in bytes.
constexpr std::size_t size_of(element_type type) {
  constexpr std::uint8_t sizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};
  return sizes[static_cast<int>(type)];
}

/// The element type with the representation of a C++ type.
template <class T>
constexpr element_type element_type_of() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                    (std::is_integral_v<T> && sizeof(T) <= 8),
                "elements are integers of up to 64 bits, float, double and bool");
  if constexpr (std::is_same_v<T, bool>) {
    return element_type::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? element_type::float32 : element_type::float64;
  } else {
    const auto first = std::is_signed_v<T> ? element_type::int8 : element_type::uint8;
    return static_cast<element_type>(static_cast<int>(first) + std::countr_zero(sizeof(T)));
  }
}

/// Calls visitor(std::type_identity<T>()) with the C++ type of a number.
///
/// Errors: argument_error for `boolean`, which is not a number.
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
      return visitor(std::type_identity<double>());
    case element_type::boolean:
      break;
  }
  detail::refuse_argument("visit_element_type", "type", name_of(type),
                          "it is not a type of numbers", "convert the elements to uint8");
}

}  // namespace evenfold
