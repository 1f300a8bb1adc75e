#pragma once
// to_text: a matrix as readable text.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "evenfold/core/context.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold {

/// The options of `to_text`.
struct text_format {
  /// Significant digits of floating-point numbers.
  int digits = 6;
  /// The middle of a larger matrix is left out.
  std::int64_t most_rows = 20, most_columns = 10;
};

namespace detail {

/// The indices that are shown; -1 stands for the indices that are left out.
inline std::vector<std::int64_t> shown_indices(std::int64_t count, std::int64_t most) {
  std::vector<std::int64_t> result;
  const std::int64_t head = count <= most ? count : (most + 1) / 2;
  for (std::int64_t i = 0; i < head; ++i) result.push_back(i);
  if (count > most) result.push_back(-1);
  for (std::int64_t i = std::max(head, count - most / 2); i < count; ++i) result.push_back(i);
  return result;
}

}  // namespace detail

/// One line per row, with columns aligned to the right and two blanks between them. If the matrix
/// has more rows or columns than the format allows, the middle is left out, and a last line gives
/// the extents. A matrix without elements is written as its extents alone.
///
/// - `values`: a view in host memory, of numbers or of any type with `<<`.
///
/// Errors: argument_error for device memory.
/// Example: examples/copy_matrix.cpp.
/// Names elsewhere: numpy.array_str.
template <class T>
std::string to_text(matrix_view<T> values, const text_format& format = {}) {
  detail::check_pointer(host_context(), "to_text", "values", values.data(), values.size());
  const auto rows = detail::shown_indices(values.rows(), format.most_rows);
  const auto columns = detail::shown_indices(values.columns(), format.most_columns);
  const auto cell = [&](std::int64_t i, std::int64_t j) -> std::string {
    if (i < 0 || j < 0) return "...";
    std::ostringstream text;
    text << std::setprecision(format.digits);
    if constexpr (std::is_arithmetic_v<T>) {
      text << +values(i, j);  // bytes are numbers, too
    } else {
      text << values(i, j);
    }
    return text.str();
  };

  std::vector<std::size_t> widths;
  for (const std::int64_t j : columns) {
    std::size_t width = 0;
    for (const std::int64_t i : rows) width = std::max(width, cell(i, j).size());
    widths.push_back(width);
  }
  std::ostringstream result;
  for (const std::int64_t i : values.empty() ? std::vector<std::int64_t>() : rows) {
    for (std::size_t at = 0; at < columns.size(); ++at) {
      result << (at > 0 ? "  " : "") << std::setw(static_cast<int>(widths[at]))
             << cell(i, columns[at]);
    }
    result << '\n';
  }
  if (values.empty() || values.rows() > format.most_rows ||
      values.columns() > format.most_columns) {
    result << '(' << values.rows() << " x " << values.columns() << ")\n";
  }
  return result.str();
}

}  // namespace evenfold
