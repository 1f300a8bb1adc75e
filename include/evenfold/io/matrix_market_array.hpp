#pragma once
// Dense matrices in Matrix Market's array format: read in parallel, or written.
//
// Idea: the text is cut into pieces of whole lines. Pass one counts the entries of each piece; a
// prefix over the counts then tells which element each piece begins with, and pass two reads all
// pieces at once, straight into a column-major matrix. Memory is asked for only when the number of
// entries is right, so a short file cannot ask for much of it.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/element_type.hpp"
#include "evenfold/io/file_text.hpp"
#include "evenfold/io/matrix_market_entries.hpp"
#include "evenfold/io/matrix_market_text.hpp"
#include "evenfold/io/number_text.hpp"
#include "evenfold/io/output_file.hpp"

namespace evenfold {

/// The place of a stored entry: down each column, from its first stored row on.
class matrix_market_position {
 public:
  matrix_market_position(const matrix_market_header& header, std::int64_t entry)
      : rows_(header.rows), shape_(header.symmetry) {
    // The last column that begins at or before the entry, by bisection.
    std::int64_t low = 0, high = header.columns;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (begin_of(middle) <= entry ? low : high) = middle;
    }
    column_ = low;
    row_ = first_row() + entry - begin_of(low);
  }

  std::int64_t row() const { return row_; }
  std::int64_t column() const { return column_; }
  void advance() {
    if (++row_ < rows_) return;
    ++column_;
    row_ = first_row();
  }

 private:
  /// How many entries the columns before this one have.
  std::int64_t begin_of(std::int64_t column) const {
    const std::int64_t triangle = shape_ == matrix_market_symmetry::general ? 0
                                  : shape_ == matrix_market_symmetry::skew_symmetric
                                      ? column * (column + 1) / 2
                                      : column * (column - 1) / 2;
    return column * rows_ - triangle;
  }
  std::int64_t first_row() const {
    return shape_ == matrix_market_symmetry::general          ? 0
           : shape_ == matrix_market_symmetry::skew_symmetric ? column_ + 1
                                                              : column_;
  }

  std::int64_t rows_;
  matrix_market_symmetry shape_;
  std::int64_t row_ = 0, column_ = 0;
};

/// All elements of the dense matrix of an array file, column after column, as Value: an integer, a
/// floating-point or a complex number, whichever the field of the file is.
///
/// Work O(bytes) in two passes, span O(bytes / workers + pieces). Errors: those of
/// matrix_market_entries; input_error for too few or too many entries.
template <class Value, context Context>
std::vector<Value> read_matrix_market_elements(Context& ctx, const matrix_market_text& source,
                                               std::size_t piece_bytes) {
  const matrix_market_header& header = source.header();
  const auto pieces = cut_matrix_market<Value>(ctx, source, piece_bytes);
  std::vector<Value> values(static_cast<std::size_t>(header.rows * header.columns));
  const auto place = [&](std::int64_t row, std::int64_t column) -> Value& {
    return values[static_cast<std::size_t>(row + column * header.rows)];
  };
  transform(ctx, pieces.texts.size(), [&](std::size_t piece) {
    matrix_market_position at(header, pieces.begins[piece]);
    matrix_market_entries<Value> entries(source, pieces.texts[piece]);
    matrix_market_entry<Value> entry;
    for (; entries.next(entry); at.advance()) {
      place(at.row(), at.column()) = entry.value;
      if (at.row() != at.column() && header.symmetry != matrix_market_symmetry::general) {
        place(at.column(), at.row()) = mirrored_value(header.symmetry, entry.value);
      }
    }
  });
  return values;
}

/// A dense matrix from a Matrix Market file, column-major on the host. A file of integers gives
/// std::int64_t, one of reals double (decimal, `nan` and `inf` included; one leading plus allowed).
/// Of a symmetric or skew-symmetric matrix the file holds the lower triangle, the object all.
///
/// Work O(bytes) in two passes, span O(bytes / workers + pieces).
///
/// Names elsewhere: scipy.io.mmread.
class matrix_market_array {
 public:
  /// Reads a file; see file_text for what it may be.
  ///
  /// Errors: input_error, with the line, for a bad header (see matrix_market_text), the coordinate
  /// format, complex elements, an entry that is not one number, integers beyond 64 bits, reals
  /// beyond a double, too few or too many entries.
  template <context Context>
  static matrix_market_array read_file(Context& ctx, const std::string& name) {
    return read_text(ctx, file_text(name).text(), name);
  }

  /// The same for a text in memory, cut into pieces of about `piece_bytes` (at least 1). `name` is
  /// for messages.
  template <context Context>
  static matrix_market_array read_text(Context& ctx, std::string_view text, const std::string& name,
                                       std::size_t piece_bytes = std::size_t{1} << 18) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    const matrix_market_text source(text, name);
    const matrix_market_header& header = source.header();
    if (header.format != matrix_market_format::array) {
      source.fail_at(text, "a sparse matrix (coordinate format), expected a dense one ('array')");
    }
    if (header.field == matrix_market_field::complex) {
      source.fail_at(text, "complex elements, expected real ones or integers");
    }
    matrix_market_array result(header);
    if (header.field == matrix_market_field::integer) {
      result.values_ = read_matrix_market_elements<std::int64_t>(ctx, source, piece_bytes);
    } else {
      result.values_ = read_matrix_market_elements<double>(ctx, source, piece_bytes);
    }
    return result;
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  /// int64 or float64.
  element_type type() const {
    return values_.index() == 0 ? element_type::int64 : element_type::float64;
  }

  /// Calls visitor(matrix_view<const T>) with the T that type() names, and returns what it returns.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(
        [&]<class T>(const std::vector<T>& values) -> decltype(auto) {
          return visitor(matrix_view<const T>::column_major(values.data(), rows_, columns_));
        },
        values_);
  }

 private:
  explicit matrix_market_array(const matrix_market_header& header)
      : rows_(header.rows), columns_(header.columns) {}

  std::int64_t rows_, columns_;
  std::variant<std::vector<std::int64_t>, std::vector<double>> values_;
};

/// A matrix in Matrix Market's array format: `integer` or `real`, `general`, each number so short
/// that it is read back as the same (a float as the same float).
template <class T>
std::string matrix_market_array_text(matrix_view<const T> values) {
  std::string text = std::string("%%MatrixMarket matrix array ") +
                     (std::is_integral_v<T> ? "integer" : "real") + " general\n" +
                     std::to_string(values.rows()) + " " + std::to_string(values.columns()) + "\n";
  if (values.empty()) return text;
  for (std::int64_t j = 0; j < values.columns(); ++j) {
    for (std::int64_t i = 0; i < values.rows(); ++i) {
      append_number(text, values(i, j));
      text += '\n';
    }
  }
  return text;
}

/// Writes that to a file, which appears whole or not at all.
///
/// Work O(elements). Memory: the text.
/// Errors: output_error; the target is then as it was.
///
/// Names elsewhere: scipy.io.mmwrite.
template <class T>
void write_matrix_market_array(const std::string& path, matrix_view<const T> values) {
  output_file file(path);
  file.write(matrix_market_array_text(values));
  file.commit();
}

}  // namespace evenfold
