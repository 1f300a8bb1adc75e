#pragma once
// `pattern`: the value type of a sparse matrix that says where entries are, and nothing else.

#include <concepts>
#include <type_traits>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// The value of each entry of a matrix without values: the number one. Such a matrix stores none;
/// its `values` are empty.
struct pattern {
  template <class T>
    requires std::is_arithmetic_v<T>
  EF_HD constexpr operator T() const {
    return T{1};
  }
  friend constexpr bool operator==(pattern, pattern) = default;
};

/// Whether entries have no value of their own.
template <class Value>
inline constexpr bool is_pattern = std::same_as<std::remove_const_t<Value>, pattern>;

namespace detail {

/// How many values `count` entries store.
template <class Value, std::integral Offset>
constexpr Offset stored_values(Offset count) {
  return is_pattern<Value> ? Offset{0} : count;
}

/// Entry k of the values of a matrix, stored or not.
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
