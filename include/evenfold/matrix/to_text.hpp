#pragma once
// to_text: a matrix for people to read.

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

/// How `to_text` writes.
struct text_format {
  /// Significant digits of floating-point numbers.
  int digits = 6;
  /// Of a larger matrix the middle is left out.
  std::int64_t most_rows = 20, most_columns = 10;
};

/// The indices that are shown; -1 stands for those that are left out.
inline std::vector<std::int64_t> shown_indices(std::int64_t count, std::int64_t most) {
  std::vector<std::int64_t> result;
  const std::int64_t head = count <= most ? count : (most + 1) / 2;
  for (std::int64_t i = 0; i < head; ++i) result.push_back(i);
  if (count > most) result.push_back(-1);
  for (std::int64_t i = std::max(head, count - most / 2); i < count; ++i) result.push_back(i);
  return result;
}

/// One line a row, columns aligned to the right, two blanks between them. Of a matrix with more
/// rows or columns than the format allows, the middle is left out, and a last line tells the
/// extents; so it does for a matrix without elements.
///
/// - `values`: a view in host memory, of numbers or of anything with `<<`.
///
/// Errors: argument_error for device memory.
/// Example: examples/copy_matrix.cpp.
/// Names elsewhere: numpy.array_str.
template <class T>
std::string to_text(matrix_view<T> values, const text_format& format = {}) {
  detail::check_pointer(host_context(), "to_text", "values", values.data(), values.size());
  const auto rows = shown_indices(values.rows(), format.most_rows);
  const auto columns = shown_indices(values.columns(), format.most_columns);
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
