#pragma once
// A column of a table and its order: what sort_columns sorts by.

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

}  // namespace evenfold
