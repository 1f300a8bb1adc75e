#pragma once
// The largest number of rows or columns that readers accept from a file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace evenfold {

/// The largest number of rows, or of columns, that readers accept from a file of `bytes` bytes.
///
/// A matrix may have rows without entries, and an empty array any number of rows, so that a file of
/// 70 bytes can state 2^60 rows. A program that takes memory or time per row could be exhausted by
/// such a file. 2^20 rows are always accepted, and otherwise 4 rows per byte, which is at least 16
/// per entry, even if the entries are as short as possible.
inline std::int64_t plausible_extent(std::size_t bytes) {
  return std::max<std::int64_t>(std::int64_t{1} << 20, 4 * static_cast<std::int64_t>(bytes));
}

namespace detail {

/// The message about more rows or columns than this.
inline std::string implausible_extents(std::int64_t rows, std::int64_t columns, std::size_t bytes) {
  return "a matrix of " + std::to_string(rows) + " by " + std::to_string(columns) + " in " +
         std::to_string(bytes) + " bytes, expected at most " +
         std::to_string(plausible_extent(bytes)) + " rows or columns in a file of this size";
}

}  // namespace detail

}  // namespace evenfold
