#pragma once
// A matrix in blocks whose elements fill one run of memory in the type that folds compute in, for
// matrices.cpp.
//
// Folds are compiled for dense matrices of four types. Elements of narrower integers, and those of
// a view with gaps, are copied to scratch of one block at a time, which fits a cache, as NumPy does
// with its buffers. A fold for each type would take three times as long to compile.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/for_all_indices.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/element_type.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "runtime/matrices.hpp"

namespace evenfold::runtime {

/// The type that elements are folded in: integers have 64 bits.
template <class E>
using wide =
    std::conditional_t<std::is_floating_point_v<E>, E,
                       std::conditional_t<std::is_signed_v<E>, std::int64_t, std::uint64_t>>;

/// A matrix whose elements are of a type known at run time.
struct typed_matrix {
  const void* data;
  element_type type;
  matrix_shape shape;

  std::int64_t rows() const { return shape.rows; }
  std::int64_t columns() const { return shape.columns; }
  std::int64_t size() const { return shape.rows * shape.columns; }

  template <class E>
  matrix_view<const E> view() const {
    return {static_cast<const E*>(data), shape.rows, shape.columns, shape.row_stride,
            shape.column_stride};
  }
  /// As the functions of matrix_view.
  bool is_row_major() const { return shape.column_stride <= shape.row_stride; }
  bool is_contiguous() const { return view<char>().is_contiguous(); }
  typed_matrix transposed() const {
    return {data, type, {shape.columns, shape.rows, shape.column_stride, shape.row_stride}};
  }
  typed_matrix block(std::int64_t row, std::int64_t column, std::int64_t rows,
                     std::int64_t columns) const {
    const std::int64_t first = row * shape.row_stride + column * shape.column_stride;
    const auto offset = static_cast<std::size_t>(first) * size_of(type);
    return {static_cast<const char*>(data) + offset,
            type,
            {rows, columns, shape.row_stride, shape.column_stride}};
  }
  /// The elements of a matrix that is contiguous, as one row.
  typed_matrix as_row() const { return {data, type, matrix_shape::row_major(1, size())}; }
};

/// to(i, j) = from(i, j)
template <class E, class T>
struct convert_at {
  matrix_view<const E> from;
  matrix_view<T> to;

  EF_HD void operator()(std::int64_t i, std::int64_t j) const {
    to(i, j) = static_cast<T>(from(i, j));
  }
};

/// Copies the elements to a row-major run of T, which is the type that they are folded in.
template <class T, class Context>
void widen(Context& ctx, const typed_matrix& from, T* to) {
  // A run of memory is walked as one long row.
  const typed_matrix source = from.is_contiguous() ? from.as_row() : from;
  visit_element_type(from.type, [&]<class E>(std::type_identity<E>) {
    if constexpr (std::is_same_v<wide<E>, T>) {
      const auto target = matrix_view<T>::row_major(to, source.rows(), source.columns());
      for_all_indices(ctx, source.rows(), source.columns(),
                      convert_at<E, T>{source.view<E>(), target});
    }
  });
}

/// Calls f(block, row, column) for blocks that cover a matrix, whose rows lie along the memory: in
/// the order of the rows, those of a row from left to right. `block` is a dense, row-major view of
/// T, the type that the elements are folded in; its first element is element (row, column). A
/// matrix without elements is one block.
///
/// A matrix that is dense and of that type is one block, in place. Scratch otherwise: 8 MiB at
/// most.
template <class T, class Context, class F>
void for_each_block(Context& ctx, const typed_matrix& a, F f) {
  using block_view = matrix_view<const T>;
  constexpr std::int64_t most = std::int64_t{1} << 20;
  const std::int64_t zero = 0;
  if (a.size() == 0) return f(block_view::row_major(nullptr, a.rows(), a.columns()), zero, zero);
  const bool in_place = a.type == element_type_of<T>() && a.is_contiguous();
  const std::int64_t width = in_place ? a.columns() : std::min(a.columns(), most);
  const std::int64_t height = in_place ? a.rows() : std::min(a.rows(), most / width);
  evenfold::array<T> scratch(ctx, in_place ? zero : width * height);
  for (std::int64_t row = 0; row < a.rows(); row += height) {
    for (std::int64_t column = 0; column < a.columns(); column += width) {
      const typed_matrix from = a.block(row, column, std::min(height, a.rows() - row),
                                        std::min(width, a.columns() - column));
      if (!in_place) widen(ctx, from, scratch.data());
      const T* const data = in_place ? static_cast<const T*>(a.data) : scratch.data();
      f(block_view::row_major(data, from.rows(), from.columns()), row, column);
    }
  }
}

}  // namespace evenfold::runtime
