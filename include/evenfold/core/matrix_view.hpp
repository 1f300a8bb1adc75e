#pragma once
// `matrix_view<T>`: rows and columns over memory that somebody else owns, in any regular layout.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/core/config.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold {

namespace detail {

/// Refuses a negative extent, and more elements than a 64-bit index can count.
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

}  // namespace detail

/// Element (i, j) lies at `data[i * row_stride + j * column_stride]`. Row-major and column-major
/// matrices, blocks of them, single rows and columns, and transposes are all of this form; none of
/// them copies. Strides count elements and are not negative; a stride may be 0 only where its
/// extent is at most 1. Indices are not checked.
///
/// Cheap to copy; usable in a lambda on every side.
///
/// Names elsewhere: std::mdspan with layout_stride, numpy.ndarray with two dimensions.
template <class T>
class matrix_view {
 public:
  using index = std::int64_t;

  matrix_view() = default;

  /// Errors: argument_error for a negative extent or stride, and where two elements would share a
  /// place.
  matrix_view(T* data, index rows, index columns, index row_stride, index column_stride)
      : data_(data),
        rows_(rows),
        columns_(columns),
        row_stride_(row_stride),
        column_stride_(column_stride) {
    detail::check_extents("matrix_view", rows, columns);
    check_stride("row_stride", row_stride);
    check_stride("column_stride", column_stride);
    if (rows == 0 || columns == 0) return;
    if (column_stride <= row_stride) {
      check_reach("row_stride", rows, row_stride, "column_stride", columns, column_stride);
    } else {
      check_reach("column_stride", columns, column_stride, "row_stride", rows, row_stride);
    }
  }

  /// Whoever may write may also read. (A conversion operator would do, but nvcc warns of it where T
  /// is const already.)
  template <class U>
    requires(std::is_const_v<T> && std::is_same_v<const U, T> && !std::is_const_v<U>)
  matrix_view(const matrix_view<U>& other)
      : matrix_view(unchecked{}, other.data_, other.rows_, other.columns_, other.row_stride_,
                    other.column_stride_) {}

  /// Rows one after the other, `leading` elements apart.
  static matrix_view row_major(T* data, index rows, index columns, index leading) {
    return matrix_view(data, rows, columns, leading, 1);
  }
  static matrix_view row_major(T* data, index rows, index columns) {
    return matrix_view(data, rows, columns, columns, 1);
  }
  /// Columns one after the other, `leading` elements apart, as BLAS has them.
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

  /// `rows` by `columns` elements from (row, column) on. Errors: argument_error where they do not
  /// lie inside.
  matrix_view block(index row, index column, index rows, index columns) const {
    check_part("rows", row, rows, rows_);
    check_part("columns", column, columns, columns_);
    const index first = rows * columns > 0 ? row * row_stride_ + column * column_stride_ : 0;
    return matrix_view(unchecked{}, data_ + first, rows, columns, row_stride_, column_stride_);
  }
  /// One row, as a matrix of one row. Errors as of block().
  matrix_view row(index i) const { return block(i, 0, 1, columns_); }
  /// One column, as a matrix of one column.
  matrix_view column(index j) const { return block(0, j, rows_, 1); }
  /// Element (j, i) for (i, j): the same memory.
  matrix_view transposed() const {
    return matrix_view(unchecked{}, data_, columns_, rows_, column_stride_, row_stride_);
  }

  /// Whether neighbours in a row are at most as far apart as neighbours in a column.
  EF_HD bool is_row_major() const { return column_stride_ <= row_stride_; }
  /// Whether the elements, row after row, fill one run of memory.
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

  static void check_stride(const char* argument, index value) {
    if (value < 0) {
      detail::refuse_argument("matrix_view", argument, value, "a stride cannot be negative",
                              "view the first element in memory order as element (0, 0)");
    }
  }
  /// Each step of the outer dimension goes beyond all of the inner one.
  static void check_reach(const char* outer_name, index outer, index outer_stride,
                          const char* inner_name, index inner, index inner_stride) {
    const char* const rule = "two elements would share a place";
    if (inner > 1 && inner_stride == 0) {
      detail::refuse_argument("matrix_view", inner_name, inner_stride, rule, "pass at least 1");
    }
    if (outer > 1 && (outer_stride == 0 ||
                      (inner_stride > 0 && inner - 1 > (outer_stride - 1) / inner_stride))) {
      detail::refuse_argument("matrix_view", outer_name, outer_stride, rule,
                              "pass more than the other dimension reaches");
    }
  }
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
