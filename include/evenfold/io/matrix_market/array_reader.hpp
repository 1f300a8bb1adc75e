#pragma once
// Reads dense matrices in Matrix Market's array format in parallel.
//
// Idea: the text is cut into chunks of whole lines. Pass one counts the entries of each chunk, and
// a scan over the counts gives the first element of each chunk. Pass two reads all chunks at the
// same time, directly to a column-major matrix. Memory is allocated after the number of entries has
// been checked, so a short file cannot take much of it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/element_type.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/matrix_market/checks.hpp"
#include "evenfold/io/matrix_market/entries.hpp"
#include "evenfold/io/matrix_market/entry.hpp"
#include "evenfold/io/matrix_market/header.hpp"
#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/line_chunks.hpp"

namespace evenfold {

/// A dense matrix from a Matrix Market file, column-major on the host. The elements are
/// std::int64_t for the field `integer` and double for the field `real` (decimal, including `nan`
/// and `inf`; one leading plus is allowed). The file of a symmetric or skew-symmetric matrix has
/// the lower triangle; this object has all elements.
///
/// Work O(bytes) in two passes, span O(bytes / workers + chunks).
///
/// Names elsewhere: scipy.io.mmread.
class matrix_market_array {
 public:
  /// Reads a file, as file_text does.
  ///
  /// Errors: input_error, with the line, for an invalid header (see matrix_market_text), the
  /// coordinate format, complex elements, an entry that is not one number, integers out of the
  /// range of 64 bits, reals out of the range of a double, too few or too many entries, more rows
  /// or columns without any entries than plausible_extent(); allocation_error.
  template <context Context>
  static matrix_market_array read_file(Context& ctx, const std::string& name) {
    return read_text(ctx, file_text(ctx, name).text(), name);
  }

  /// The same for a text in memory, cut into chunks of about `chunk_bytes` bytes (at least 1).
  /// `name` is its name in errors.
  template <context Context>
  static matrix_market_array read_text(Context& ctx, std::string_view text, const std::string& name,
                                       std::size_t chunk_bytes = default_chunk_bytes) {
    static_assert(Context::side == memory_side::host, "files are read on the host");
    const matrix_market_text source(text, name);
    const matrix_market_header& header = source.header();
    if (header.format != matrix_market_format::array) {
      source.fail_at(source.text(),
                     "the matrix is sparse (coordinate format), expected a dense one ('array')");
    }
    if (header.field == matrix_market_field::complex) {
      source.fail_at(source.text(), "the elements are complex, expected real ones or integers");
    }
    matrix_market_array result(header);
    if (header.field == matrix_market_field::integer) {
      result.values_ = read_elements<std::int64_t>(ctx, source, chunk_bytes);
    } else {
      result.values_ = read_elements<double>(ctx, source, chunk_bytes);
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

  template <class T, class Context>
  static std::vector<T> read_elements(Context& ctx, const matrix_market_text& source,
                                      std::size_t chunk_bytes) {
    const matrix_market_header& header = source.header();
    const detail::line_chunks chunks(ctx, source.entries(), chunk_bytes,
                                     matrix_market_text::count_entries);
    detail::check_matrix_market_count<T>(source, chunks.entries);
    detail::check_matrix_market_extents(source, source.text().size());
    std::vector<T> values(static_cast<std::size_t>(header.rows * header.columns));
    const auto element = [&](std::int64_t row, std::int64_t column) -> T& {
      return values[static_cast<std::size_t>(row + column * header.rows)];
    };
    transform(ctx, chunks.texts.size(), [&](std::size_t chunk) {
      detail::matrix_market_entries<T> entries(source, chunks.texts[chunk], chunks.begins[chunk]);
      for (detail::matrix_market_entry<T> entry; entries.next(entry);) {
        element(entry.row, entry.column) = entry.value;
        if (header.symmetry != matrix_market_symmetry::general && entry.row != entry.column) {
          element(entry.column, entry.row) = detail::mirrored_value(header.symmetry, entry.value);
        }
      }
    });
    return values;
  }

  std::int64_t rows_, columns_;
  std::variant<std::vector<std::int64_t>, std::vector<double>> values_;
};

}  // namespace evenfold
