#pragma once
// The option --columns of `select`: columns and ranges of columns.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "evenfold/io/csv/table.hpp"

namespace evenfold::cli {

/// A column, or the columns from `first` to `last`. Without quotes, `whole` may be one column.
struct column_range {
  std::string whole, first, last;
};

/// Errors: option_error.
std::vector<column_range> parse_column_ranges(std::string_view text);

/// All names in them.
std::vector<std::string> names_of(const std::vector<column_range>& ranges);

/// The columns of a table that a range has.
///
/// Errors: those of csv_table::column; option_error where the last column is before the first.
std::vector<std::size_t> columns_of(const column_range& range, const csv_table& table);

}  // namespace evenfold::cli
