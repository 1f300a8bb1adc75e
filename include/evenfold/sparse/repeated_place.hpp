#pragma once
// What becomes of a place of a sparse matrix that occurs more than once, and the error where it may
// not.

#include <cstdint>
#include <string>

#include "evenfold/core/error.hpp"

namespace evenfold {

/// What becomes of the entries of one place.
enum class duplicates {
  keep,   ///< all of them stay, in the order they had
  sum,    ///< one entry with their sum; without values, one entry
  first,  ///< the first of them stays
  refuse  ///< repeated_place, which names the first place in the order of rows
};

/// A place of a matrix has more than one entry where that is refused.
class repeated_place : public argument_error {
 public:
  repeated_place(const char* function, std::int64_t row, std::int64_t column)
      : argument_error(refusal(function, "a place",
                               "row " + std::to_string(row) + ", column " + std::to_string(column),
                               "it occurs more than once", "pass duplicates::sum, first or keep")),
        row_(row),
        column_(column) {}

  /// Counted from 0.
  std::int64_t row() const { return row_; }
  std::int64_t column() const { return column_; }

 private:
  std::int64_t row_, column_;
};

}  // namespace evenfold
