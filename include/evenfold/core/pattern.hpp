#pragma once
// `pattern`: the value type of sparse matrices without values.

#include <concepts>
#include <type_traits>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// The value of each entry of a matrix without values: the number one. Such a matrix stores no
/// values: its `values` are empty.
struct pattern {
  template <class T>
    requires std::is_arithmetic_v<T>
  EF_HD constexpr operator T() const {
    return T{1};
  }
  friend constexpr bool operator==(pattern, pattern) = default;
};

/// Whether entries have no values.
template <class Value>
inline constexpr bool is_pattern = std::same_as<std::remove_const_t<Value>, pattern>;

namespace detail {

/// The number of values that are stored for `count` entries.
template <class Value, std::integral Offset>
constexpr Offset stored_values(Offset count) {
  return is_pattern<Value> ? Offset{0} : count;
}

/// The value of entry k of a matrix, stored or not.
template <class Value, std::integral Offset>
EF_HD constexpr std::remove_const_t<Value> value_at([[maybe_unused]] Value* values,
                                                    [[maybe_unused]] Offset k) {
  if constexpr (is_pattern<Value>) {
    return pattern{};
  } else {
    return values[k];
  }
}

}  // namespace detail

}  // namespace evenfold
