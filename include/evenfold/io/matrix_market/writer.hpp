#pragma once
// Writes sparse matrices to Matrix Market files.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "evenfold/core/error.hpp"
#include "evenfold/io/matrix_market/entry.hpp"
#include "evenfold/io/matrix_market/header.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

namespace detail {

/// Calls f(row, column, value) for each entry in the order of the matrix, which is on the host.
template <class Value, class Index, class Offset, class F>
void for_each_entry(coo_view<Value, Index, Offset> a, F&& f) {
  for (Offset k = 0; k < a.num_nonzeros; ++k) {
    f(std::int64_t{a.rows[k]}, std::int64_t{a.columns[k]}, a.value(k));
  }
}
template <class Value, class Index, class Offset, class F>
void for_each_entry(csr_view<Value, Index, Offset> a, F&& f) {
  for (Index row = 0; row < a.num_rows; ++row) {
    for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
      f(std::int64_t{row}, std::int64_t{a.columns[k]}, a.value(k));
    }
  }
}

}  // namespace detail

/// The options of write_matrix_market.
struct matrix_market_write_options {
  /// The file of a symmetric, skew-symmetric or hermitian matrix has only the lower triangle.
  matrix_market_symmetry symmetry = matrix_market_symmetry::general;
};

namespace detail {

/// The checks before a file is written.
template <class View>
class matrix_market_checks {
  using value_type = decltype(View{}.value(0));
  static_assert(matrix_market_value<value_type>);
  using entry = matrix_market_entry<value_type>;

 public:
  matrix_market_checks(View a, matrix_market_symmetry symmetry) : symmetry_(symmetry) {
    const bool general = symmetry == matrix_market_symmetry::general;
    if (!general) check_kind(a);
    for_each_entry(a, [&](std::int64_t row, std::int64_t column, const value_type& value) {
      if (row < 0 || row >= a.num_rows || column < 0 || column >= a.num_columns) {
        refuse("an entry", position(row, column),
               "the matrix has " + std::to_string(a.num_rows) + " rows and " +
                   std::to_string(a.num_columns) + " columns, counted from 0",
               "remove this entry");
      }
      if (!general) collect({row, column, value});
    });
    entries_ = general ? static_cast<std::int64_t>(a.num_nonzeros)
                       : static_cast<std::int64_t>(lower_.size());
    if (!general) check_mirrors();
  }

  /// The number of entries of the file.
  std::int64_t entries() const { return entries_; }

 private:
  void check_kind(View a) const {
    const std::string name = matrix_market_name(symmetry_);
    if (a.num_rows != a.num_columns) {
      refuse("symmetry", name, "the matrix is not square", "write it as general");
    }
    if (is_pattern<value_type> && symmetry_ == matrix_market_symmetry::skew_symmetric) {
      refuse("symmetry", name, "a pattern has no signs", "write it as symmetric");
    }
    if (!is_complex<value_type> && symmetry_ == matrix_market_symmetry::hermitian) {
      refuse("symmetry", name, "the values are not complex", "write it as symmetric");
    }
  }

  /// Collects the entries of the lower triangle, and the mirror images of the upper one.
  void collect(const entry& e) {
    if (symmetry_ == matrix_market_symmetry::skew_symmetric) {
      if (e.row == e.column) {
        refuse("an entry", position(e.row, e.column),
               "a skew-symmetric matrix has no entries on its diagonal",
               "drop it, or write the matrix as general");
      }
      if constexpr (std::is_integral_v<value_type>) {
        if (e.value == std::numeric_limits<value_type>::min()) {
          refuse("a value", e.value, "its negative is out of range", "write the matrix as general");
        }
      }
    }
    if (e.row >= e.column) lower_.push_back(e);
    if (e.row <= e.column)
      mirrors_.push_back({e.column, e.row, mirrored_value(symmetry_, e.value)});
  }

  void check_mirrors() {
    const auto by_position = [](const entry& a, const entry& b) {
      return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    };
    // Stable, since entries in the same row and column must be mirrored in the same order.
    std::stable_sort(lower_.begin(), lower_.end(), by_position);
    std::stable_sort(mirrors_.begin(), mirrors_.end(), by_position);
    const auto [a, b] =
        std::mismatch(lower_.begin(), lower_.end(), mirrors_.begin(), mirrors_.end(),
                      [](const entry& x, const entry& y) {
                        return x.row == y.row && x.column == y.column &&
                               (x.value == y.value || (x.value != x.value && y.value != y.value));
                      });
    if (a == lower_.end() && b == mirrors_.end()) return;
    const entry& alone =
        b == mirrors_.end() || (a != lower_.end() && !by_position(*b, *a)) ? *a : *b;
    refuse("symmetry", matrix_market_name(symmetry_),
           "the entries at " + position(alone.row, alone.column) + " and " +
               position(alone.column, alone.row) + " do not mirror each other",
           "write the matrix as general");
  }

  template <class T>
  [[noreturn]] static void refuse(const char* argument, const T& value, const std::string& rule,
                                  const char* remedy) {
    refuse_argument("write_matrix_market", argument, value, rule, remedy);
  }
  static std::string position(std::int64_t row, std::int64_t column) {
    return "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
  }

  matrix_market_symmetry symmetry_;
  std::int64_t entries_ = 0;
  std::vector<entry> lower_, mirrors_;
};

/// A coo_view or csr_view.
template <class View>
concept view_with_columns = requires(View a) {
  a.columns[0];
  a.value(0);
};

}  // namespace detail

/// Makes the text of a file and calls write(part) for its parts of about one MiB, in order. Errors:
/// those of write_matrix_market, before the first part.
template <detail::view_with_columns View, class Write>
void make_matrix_market(View a, const matrix_market_write_options& options, Write&& write) {
  using value_type = decltype(a.value(0));
  const bool general = options.symmetry == matrix_market_symmetry::general;
  const std::int64_t entries = detail::matrix_market_checks<View>(a, options.symmetry).entries();
  std::string text = "%%MatrixMarket matrix coordinate ";
  text += is_pattern<value_type>           ? "pattern "
          : detail::is_complex<value_type> ? "complex "
          : std::is_integral_v<value_type> ? "integer "
                                           : "real ";
  text += matrix_market_name(options.symmetry);
  const auto append = [&](char before, auto number) { append_number(text += before, number); };
  append('\n', a.num_rows);
  append(' ', a.num_columns);
  append(' ', entries);
  detail::for_each_entry(a, [&](std::int64_t row, std::int64_t column, const value_type& value) {
    if (!general && row < column) return;
    append('\n', row + 1);
    append(' ', column + 1);
    if constexpr (detail::is_complex<value_type>) {
      append(' ', value.real());
      append(' ', value.imag());
    } else if constexpr (!is_pattern<value_type>) {
      append(' ', value);
    }
    if (text.size() < std::size_t{1} << 20) return;
    write(text);
    text.clear();
  });
  write(text += '\n');
}

/// Writes a matrix on the host to a file in coordinate format, which appears whole or not at all.
/// The field is `pattern`, `integer`, `real` or `complex`, by the type of the values. Entries keep
/// their order, and numbers are written in the shortest form that is read as the same value (a
/// float as the same float).
///
/// - `a`: a coo_view or csr_view; entries in the same row and column are written one by one.
/// - `options.symmetry`: if it is not `general`, only the entries of the lower triangle are
///   written, and those of the upper triangle must be their exact mirror images, in the same order
///   if several have the same row and column.
///
/// Work O(entries), or O(entries log entries) with a symmetry, on the calling thread. Memory: one
/// MiB of text; with a symmetry, also two copies of the entries with 64-bit indices.
///
/// Errors: argument_error for an entry outside of the matrix, and for a symmetry that the matrix
/// does not have; output_error if the file cannot be written. The target has then not changed.
///
/// Example: examples/matrix_market.cpp.
/// Names elsewhere: scipy.io.mmwrite.
template <detail::view_with_columns View>
void write_matrix_market(const std::string& path, View a,
                         const matrix_market_write_options& options = {}) {
  output_file file(path);
  make_matrix_market(a, options, [&](std::string_view text) { file.write(text); });
  file.commit();
}

}  // namespace evenfold
