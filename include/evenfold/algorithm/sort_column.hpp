#pragma once
// What sort_columns is put together from: a column, and positions.

#include <concepts>

#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// A column and its order.
template <class Keys, class Less>
struct sort_column {
  Keys keys;
  Less less;
};

/// A column from small to large, from large to small, or in an order of the user's.
template <class Keys>
sort_column<Keys, less> ascending(Keys keys) {
  return {keys, {}};
}
template <class Keys>
sort_column<Keys, greater> descending(Keys keys) {
  return {keys, {}};
}
template <class Keys, class Less>
sort_column<Keys, Less> ordered_by(Keys keys, Less less) {
  return {keys, less};
}

/// The positions 0, 1, 2, ...
template <class Index>
struct counting {
  template <std::integral Size>
  EF_HD constexpr Index operator[](Size i) const {
    return static_cast<Index>(i);
  }
};

}  // namespace evenfold
