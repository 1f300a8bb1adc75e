#pragma once
// argmax, argmin: the largest or smallest element of a dense matrix and its position.

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "evenfold/algorithm/argmin.hpp"
#include "evenfold/algorithm/detail/indexed.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/row_order.hpp"

namespace evenfold {

/// An element and its position.
template <class T>
struct located {
  T value;
  std::int64_t row, column;
};

namespace detail {

/// Element (i, j) of a view with its index in row-major order, which is computed from strides, as
/// the view may be that of the transposed matrix.
template <class T>
struct element_in_rows {
  matrix_view<const T> from;
  std::int64_t row_stride, column_stride;

  EF_HD indexed<T> operator()(std::int64_t i, std::int64_t j) const {
    return {from(i, j), i * row_stride + j * column_stride};
  }
};

/// The element of `a` that comes first. `Extreme` is the minimum if `before` is `less`, else the
/// maximum.
template <class Extreme, context Context, class T, class Before>
located<T> locate_first(Context& ctx, const char* algorithm, matrix_view<const T> a,
                        Before before) {
  check_pointer(ctx, algorithm, "a", a.data(), a.size());
  if (a.empty()) {
    refuse_argument(algorithm, "a", std::to_string(a.rows()) + " x " + std::to_string(a.columns()),
                    "there is no element to locate", "pass a matrix with elements");
  }
  const bool by_rows = a.is_row_major();
  if constexpr (Context::traits.shape == work_shape::runs) {
    // CPU threads find an extreme of a sequence in vectors.
    if (by_rows && a.is_contiguous()) {
      const std::int64_t at =
          index_of_extreme<default_tuning, Extreme>(ctx, algorithm, a.data(), a.size(), before);
      return {a.data()[at], at / a.columns(), at % a.columns()};
    }
  }
  const matrix_view<const T> lines = by_rows ? a : a.transposed();
  const element_in_rows<T> element{lines, by_rows ? a.columns() : 1, by_rows ? 1 : a.columns()};
  const indexed<T> none{identity_of<Extreme, T>::value, std::numeric_limits<std::int64_t>::max()};
  const indexed<T> first = fold_in_row_order(ctx, lines.rows(), lines.columns(), element,
                                             first_of<Before>{before}, none);
  return {first.value, first.index / a.columns(), first.index % a.columns()};
}

}  // namespace detail

/// The largest element of a matrix, with its row and column. If several are equal (-0 and +0 are),
/// it is the first in row-major order. If there are NaN, it is the first NaN.
///
/// - `a`: a view of any layout with arithmetic elements, in the context's memory. Memory is read in
///   its own order.
///
/// Work O(rows * columns), span O(rows * columns / workers + log workers); reads each element once,
/// but CPU threads read those of a contiguous matrix up to the result again. Scratch as
/// `transform_reduce`, for values of 16 bytes. Deterministic. Waits for the result.
///
/// Errors: argument_error for a matrix without elements or on the wrong side;
/// allocation_error.
///
/// Example: examples/aggregate.cpp.
/// Names elsewhere: numpy.argmax with numpy.unravel_index, cub::DeviceReduce::ArgMax,
/// thrust::max_element.
template <context Context, class E>
located<std::remove_const_t<E>> argmax(Context& ctx, matrix_view<E> a) {
  using T = std::remove_const_t<E>;
  return detail::locate_first<maximum, Context, T>(ctx, "argmax", a, greater{});
}

/// The smallest element of a matrix and its row and column, with the guarantees of `argmax`. Names
/// elsewhere: numpy.argmin, cub::DeviceReduce::ArgMin, thrust::min_element.
template <context Context, class E>
located<std::remove_const_t<E>> argmin(Context& ctx, matrix_view<E> a) {
  using T = std::remove_const_t<E>;
  return detail::locate_first<minimum, Context, T>(ctx, "argmin", a, less{});
}

}  // namespace evenfold
