#pragma once
// How many rows or columns a file is believed to have.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace evenfold {

/// The most rows, or columns, that readers accept from a file of so many bytes.
///
/// A matrix may have rows without entries, and an empty array may have any number of them, so that
/// a file of 70 bytes can name 2^60. Whoever asks for memory or time per row then pays for rows
/// that nothing in the file stands behind. Few enough for any purpose are always accepted, and so
/// are 4 rows per byte: 16 of them per entry, even where the entries are as short as they can be.
inline std::int64_t plausible_extent(std::size_t bytes) {
  return std::max<std::int64_t>(std::int64_t{1} << 20, 4 * static_cast<std::int64_t>(bytes));
}

namespace detail {

/// What is wrong with more of them than that, for a message.
inline std::string implausible_extents(std::int64_t rows, std::int64_t columns, std::size_t bytes) {
  return "a matrix of " + std::to_string(rows) + " by " + std::to_string(columns) + " in " +
         std::to_string(bytes) + " bytes, expected at most " +
         std::to_string(plausible_extent(bytes)) + " rows or columns in so short a file";
}

}  // namespace detail

}  // namespace evenfold
