#pragma once
// `ascending`, `descending`, `ordered_by`: a column of a table and its order, for sort_columns.

#include "evenfold/core/functional.hpp"

namespace evenfold {

/// A column and its order.
template <class Keys, class Less>
struct sort_column {
  Keys keys;
  Less less;
};

/// A column in ascending order, in descending order, or in the order of `less`.
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
