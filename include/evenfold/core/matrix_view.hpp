#pragma once
// `matrix_view<T>`: a matrix in any regular layout, in memory that the view does not own.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/core/config.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold {

namespace detail {

/// Throws argument_error for a negative extent, and for more elements than a 64-bit index can
/// count.
inline void check_extents(const char* algorithm, std::int64_t rows, std::int64_t columns) {
  if (rows < 0 || columns < 0) {
    refuse_argument(algorithm, rows < 0 ? "rows" : "columns", rows < 0 ? rows : columns,
                    "an extent cannot be negative", "pass the number of rows and of columns");
  }
  if (columns > 0 && rows > std::numeric_limits<std::int64_t>::max() / columns) {
    refuse_argument(algorithm, "rows", rows, "rows * columns exceeds a 64-bit index",
                    "take fewer rows at a time");
  }
}

/// Throws argument_error for a negative stride.
inline void check_stride(const char* argument, std::int64_t value) {
  if (value < 0) {
    refuse_argument("matrix_view", argument, value, "a stride cannot be negative",
                    "view the first element in memory order as element (0, 0)");
  }
}

/// Throws argument_error unless each step of the outer dimension goes beyond the whole inner
/// dimension.
inline void check_reach(const char* outer_name, std::int64_t outer, std::int64_t outer_stride,
                        const char* inner_name, std::int64_t inner, std::int64_t inner_stride) {
  const char* const rule = "two elements would have the same address";
  if (inner > 1 && inner_stride == 0) {
    refuse_argument("matrix_view", inner_name, inner_stride, rule, "pass at least 1");
  }
  if (outer > 1 &&
      (outer_stride == 0 || (inner_stride > 0 && inner - 1 > (outer_stride - 1) / inner_stride))) {
    refuse_argument("matrix_view", outer_name, outer_stride, rule,
                    "pass more than the other dimension reaches");
  }
}

/// Throws argument_error for a negative extent or stride, and if two elements of the matrix would
/// have the same address.
inline void check_layout(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                         std::int64_t column_stride) {
  check_extents("matrix_view", rows, columns);
  check_stride("row_stride", row_stride);
  check_stride("column_stride", column_stride);
  if (rows == 0 || columns == 0) return;
  if (column_stride <= row_stride) {
    check_reach("row_stride", rows, row_stride, "column_stride", columns, column_stride);
  } else {
    check_reach("column_stride", columns, column_stride, "row_stride", rows, row_stride);
  }
}

}  // namespace detail

/// Element (i, j) is `data[i * row_stride + j * column_stride]`. Row-major and column-major
/// matrices, their blocks, rows, columns and transposes are all of this form; making one copies
/// nothing. Strides count elements and are not negative; a stride may be 0 only if its extent is at
/// most 1. Indices are not checked.
///
/// Cheap to copy; can be captured by a lambda for any context.
///
/// Names elsewhere: std::mdspan with layout_stride, numpy.ndarray with two dimensions.
template <class T>
class matrix_view {
 public:
  using index = std::int64_t;

  matrix_view() = default;

  /// Errors: argument_error for a negative extent or stride, and if two elements would have the
  /// same address.
  matrix_view(T* data, index rows, index columns, index row_stride, index column_stride)
      : data_(data),
        rows_(rows),
        columns_(columns),
        row_stride_(row_stride),
        column_stride_(column_stride) {
    detail::check_layout(rows, columns, row_stride, column_stride);
  }

  /// A view of constant elements from a view of mutable ones. (A conversion operator would do, but
  /// nvcc warns of it if T is const already.)
  template <class U>
    requires(std::is_const_v<T> && std::is_same_v<const U, T> && !std::is_const_v<U>)
  matrix_view(const matrix_view<U>& other)
      : matrix_view(unchecked{}, other.data_, other.rows_, other.columns_, other.row_stride_,
                    other.column_stride_) {}

  /// Rows one after the other; they begin `leading` elements apart.
  static matrix_view row_major(T* data, index rows, index columns, index leading) {
    return matrix_view(data, rows, columns, leading, 1);
  }
  static matrix_view row_major(T* data, index rows, index columns) {
    return matrix_view(data, rows, columns, columns, 1);
  }
  /// Columns one after the other, as in BLAS; they begin `leading` elements apart.
  static matrix_view column_major(T* data, index rows, index columns, index leading) {
    return matrix_view(data, rows, columns, 1, leading);
  }
  static matrix_view column_major(T* data, index rows, index columns) {
    return matrix_view(data, rows, columns, 1, rows);
  }

  EF_HD T* data() const { return data_; }
  EF_HD index rows() const { return rows_; }
  EF_HD index columns() const { return columns_; }
  EF_HD index row_stride() const { return row_stride_; }
  EF_HD index column_stride() const { return column_stride_; }
  EF_HD index size() const { return rows_ * columns_; }
  EF_HD bool empty() const { return size() == 0; }

  EF_HD T& operator()(index row, index column) const {
    return data_[row * row_stride_ + column * column_stride_];
  }

  /// The block of `rows` by `columns` elements that begins at (row, column). Errors: argument_error
  /// if it is not inside of the matrix.
  matrix_view block(index row, index column, index rows, index columns) const {
    check_part("rows", row, rows, rows_);
    check_part("columns", column, columns, columns_);
    const index first = rows * columns > 0 ? row * row_stride_ + column * column_stride_ : 0;
    return matrix_view(unchecked{}, data_ + first, rows, columns, row_stride_, column_stride_);
  }
  /// One row, as a matrix of one row. Errors as for block().
  matrix_view row(index i) const { return block(i, 0, 1, columns_); }
  /// One column, as a matrix of one column.
  matrix_view column(index j) const { return block(0, j, rows_, 1); }
  /// The transpose, in the same memory: its element (i, j) is element (j, i) of this view.
  matrix_view transposed() const {
    return matrix_view(unchecked{}, data_, columns_, rows_, column_stride_, row_stride_);
  }

  /// Whether neighbours in a row are no farther apart than neighbours in a column.
  EF_HD bool is_row_major() const { return column_stride_ <= row_stride_; }
  /// Whether the elements are adjacent in memory, row after row.
  EF_HD bool is_contiguous() const {
    return empty() ||
           ((columns_ == 1 || column_stride_ == 1) && (rows_ == 1 || row_stride_ == columns_));
  }

 private:
  template <class>
  friend class matrix_view;
  struct unchecked {};

  matrix_view(unchecked, T* data, index rows, index columns, index row_stride, index column_stride)
      : data_(data),
        rows_(rows),
        columns_(columns),
        row_stride_(row_stride),
        column_stride_(column_stride) {}

  static void check_part(const char* name, index first, index extent, index whole) {
    if (first < 0 || extent < 0 || first > whole || extent > whole - first) {
      detail::refuse_part("matrix_view::block", name, first, extent, whole,
                          "ask for a part inside it");
    }
  }

  T* data_ = nullptr;
  index rows_ = 0, columns_ = 0, row_stride_ = 0, column_stride_ = 0;
};

namespace detail {

/// to(i, j) = from(i, j), serially, between two views that the host can reach.
template <class T>
void copy_element_by_element(matrix_view<const T> from, matrix_view<T> to) {
  for (std::int64_t i = 0; i < to.rows(); ++i) {
    for (std::int64_t j = 0; j < to.columns(); ++j) to(i, j) = from(i, j);
  }
}

}  // namespace detail

}  // namespace evenfold
