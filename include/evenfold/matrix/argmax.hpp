#pragma once
// argmax, argmin: the largest or smallest element of a dense matrix and its position.

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "evenfold/balance/fold_order.hpp"
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

/// An element and its number in row-major order.
template <class T>
struct numbered {
  T value;
  std::int64_t number;
};

/// Element (i, j) of a view with its number, which is computed from strides, as the view may be
/// that of the transposed matrix.
template <class T>
struct numbered_element {
  matrix_view<const T> from;
  std::int64_t row_stride, column_stride;

  EF_HD numbered<T> operator()(std::int64_t i, std::int64_t j) const {
    return {from(i, j), i * row_stride + j * column_stride};
  }
};

/// The operand that comes first: NaN before all other values, then the order `before`; of
/// equivalent operands the one with the lower number.
template <class Before>
struct first_of {
  Before before;

  template <class T>
  EF_HD constexpr numbered<T> operator()(const numbered<T>& a, const numbered<T>& b) const {
    const bool a_first = before(a.value, b.value);
    if (a_first != before(b.value, a.value)) return a_first ? a : b;
    if (is_nan(a.value) != is_nan(b.value)) return is_nan(a.value) ? a : b;
    return a.number < b.number ? a : b;
  }

 private:
  template <class T>
  EF_HD static constexpr bool is_nan(const T& value) {
    if constexpr (std::is_floating_point_v<T>) return value != value;
    return false;
  }
};

}  // namespace detail

template <class Before, class T>
inline constexpr bool is_commutative<detail::first_of<Before>, detail::numbered<T>> = true;
template <class Before, class T>
inline constexpr bool detail::is_exact_fold<detail::first_of<Before>, detail::numbered<T>> = true;

namespace detail {

/// The element of `a` that comes first, where no element comes after `last`.
template <context Context, class T, class Before>
located<T> locate_first(Context& ctx, const char* algorithm, matrix_view<const T> a, Before before,
                        T last) {
  check_pointer(ctx, algorithm, "a", a.data(), a.size());
  if (a.empty()) {
    refuse_argument(algorithm, "a", std::to_string(a.rows()) + " x " + std::to_string(a.columns()),
                    "there is no element to locate", "pass a matrix with elements");
  }
  const bool by_rows = a.is_row_major();
  const matrix_view<const T> lines = by_rows ? a : a.transposed();
  const numbered_element<T> element{lines, by_rows ? a.columns() : 1, by_rows ? 1 : a.columns()};
  const numbered<T> none{last, std::numeric_limits<std::int64_t>::max()};
  const numbered<T> first = fold_in_row_order(ctx, lines.rows(), lines.columns(), element,
                                              first_of<Before>{before}, none);
  return {first.value, first.number / a.columns(), first.number % a.columns()};
}

}  // namespace detail

/// The largest element of a matrix, with its row and column. If several are equal (-0 and +0 are),
/// it is the first in row-major order. If there are NaN, it is the first NaN.
///
/// - `a`: a view of any layout with arithmetic elements, in the context's memory. Memory is read in
///   its own order.
///
/// Work O(rows * columns), span O(rows * columns / workers + log workers); reads each element once.
/// Scratch as `transform_reduce`, for values of 16 bytes. Deterministic. Waits for the result.
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
  return detail::locate_first<Context, T>(ctx, "argmax", a, greater{},
                                          identity_of<maximum, T>::value);
}

/// The smallest element of a matrix and its row and column, with the guarantees of `argmax`. Names
/// elsewhere: numpy.argmin, cub::DeviceReduce::ArgMin, thrust::min_element.
template <context Context, class E>
located<std::remove_const_t<E>> argmin(Context& ctx, matrix_view<E> a) {
  using T = std::remove_const_t<E>;
  return detail::locate_first<Context, T>(ctx, "argmin", a, less{}, identity_of<minimum, T>::value);
}

}  // namespace evenfold
