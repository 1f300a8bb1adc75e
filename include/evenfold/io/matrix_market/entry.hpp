#pragma once
// One entry of a Matrix Market file: the types of its value, its position in an array, and its
// mirror image in a matrix with a symmetry.

#include <complex>
#include <concepts>
#include <cstdint>

#include "evenfold/core/pattern.hpp"
#include "evenfold/io/matrix_market/header.hpp"

namespace evenfold {

namespace detail {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

}  // namespace detail

/// The types as which the values of sparse matrices are read from files and written to them.
template <class T>
concept matrix_market_value =
    is_pattern<T> || std::signed_integral<T> || std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

namespace detail {

/// An entry and its position, counted from 0.
template <class Value>
struct matrix_market_entry {
  std::int64_t row = 0, column = 0;
  Value value{};
};

/// The value at (j, i) that follows from the value at (i, j) by the symmetry.
template <class Value>
Value mirrored_value(matrix_market_symmetry symmetry, Value value) {
  if constexpr (is_complex<Value>) {
    if (symmetry == matrix_market_symmetry::hermitian) return std::conj(value);
  }
  if constexpr (!is_pattern<Value>) {
    if (symmetry == matrix_market_symmetry::skew_symmetric) return static_cast<Value>(-value);
  }
  return value;
}

/// The position of an entry of an array: column by column, each from its first stored row on.
class matrix_market_position {
 public:
  matrix_market_position() = default;
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
  /// The number of entries in all columns before this one.
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

  std::int64_t rows_ = 0;
  matrix_market_symmetry shape_ = matrix_market_symmetry::general;
  std::int64_t row_ = 0, column_ = 0;
};

}  // namespace detail

}  // namespace evenfold
