#pragma once
// The rules for sparse matrices with several entries at one position, and the error of the rule
// that allows none.

#include <cstdint>
#include <string>

#include "evenfold/core/error.hpp"

namespace evenfold {

/// The rule for entries in the same row and column.
enum class duplicates {
  keep,   ///< all of them stay, in the order they had
  sum,    ///< one entry with their sum; without values, one entry
  first,  ///< the first of them stays
  refuse  ///< duplicate_entry_error, which names the first such position in the order of rows
};

/// A matrix has several entries in the same row and column, and they are refused.
class duplicate_entry_error : public argument_error {
 public:
  duplicate_entry_error(const char* function, std::int64_t row, std::int64_t column)
      : argument_error(std::string(function) + ": row " + std::to_string(row) + ", column " +
                       std::to_string(column) +
                       " has more than one entry; pass duplicates::sum, first or keep"),
        row_(row),
        column_(column) {}

  /// Counted from 0.
  std::int64_t row() const { return row_; }
  std::int64_t column() const { return column_; }

 private:
  std::int64_t row_, column_;
};

}  // namespace evenfold
