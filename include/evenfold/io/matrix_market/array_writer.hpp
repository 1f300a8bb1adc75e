#pragma once
// Writes dense matrices in Matrix Market's array format.

#include <cstdint>
#include <string>
#include <type_traits>

#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/output_file.hpp"

namespace evenfold {

/// The beginning of the text of a matrix of numbers of type T in Matrix Market's array format.
template <class T>
std::string matrix_market_array_header(std::int64_t rows, std::int64_t columns) {
  return std::string("%%MatrixMarket matrix array ") +
         (std::is_integral_v<T> ? "integer" : "real") + " general\n" + std::to_string(rows) + " " +
         std::to_string(columns) + "\n";
}

/// The text of a matrix in Matrix Market's array format, with the field `integer` or `real` and the
/// symmetry `general`. Numbers are written in the shortest form that is read as the same value (a
/// float as the same float).
template <class T>
std::string matrix_market_array_text(matrix_view<const T> values) {
  std::string text = matrix_market_array_header<T>(values.rows(), values.columns());
  if (values.empty()) return text;
  for (std::int64_t j = 0; j < values.columns(); ++j) {
    for (std::int64_t i = 0; i < values.rows(); ++i) {
      append_number(text, values(i, j));
      text += '\n';
    }
  }
  return text;
}

/// Writes this text to a file, which appears whole or not at all.
///
/// Work O(elements). Memory: the text.
/// Errors: output_error; the target has then not changed.
///
/// Names elsewhere: scipy.io.mmwrite.
template <class T>
void write_matrix_market_array(const std::string& path, matrix_view<const T> values) {
  output_file file(path);
  file.write(matrix_market_array_text(values));
  file.commit();
}

}  // namespace evenfold
