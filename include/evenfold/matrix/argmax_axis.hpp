#pragma once
// argmax_rows, argmax_columns, argmin_rows, argmin_columns: the largest or smallest element of each
// row or column of a dense matrix, and its position.
//
// Idea: two passes, each in the order of memory. The first folds the rows. In the second, every
// element that equals the fold of its row lowers the stored column to its own by an atomic
// operation. Few elements do, so the operations cost little unless many elements are equal.

#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/for_all_indices.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/aggregate_axis.hpp"

namespace evenfold {

namespace detail {

/// target = min(target, value), atomically.
EF_HD inline void lower_to(std::int64_t& target, std::int64_t value) {
  const atomic_ref<std::int64_t> shared(target);
  std::int64_t seen = shared.load(memory_order_relaxed);
  while (value < seen && !shared.compare_exchange_weak(seen, value, memory_order_relaxed)) {
  }
}

/// Stores the column of an element that equals the fold of its row, if it is the lowest so far.
template <class T>
struct claim_column {
  matrix_view<const T> a;
  const T* folds;
  std::int64_t* columns;

  EF_HD void operator()(std::int64_t i, std::int64_t j) const {
    const T element = a(i, j);
    const T fold = folds[i];
    const bool both_nan = element != element && fold != fold;
    if (element == fold || both_nan) lower_to(columns[i], j);
  }
};

/// The fold of each row by `op`, which selects one of two operands, and its first column.
/// `algorithm` is the name in errors.
template <line_gaps Gaps = line_gaps::possible, context Context, class T, class Op>
void locate_in_rows(Context& ctx, const char* algorithm, matrix_view<const T> a, T* values,
                    std::int64_t* columns, Op op) {
  check_pointer(ctx, algorithm, "the array of positions", columns, a.rows());
  fold_rows<Gaps>(ctx, algorithm, a, values, op, identity_of<Op, T>::value);
  fill(ctx, columns, a.rows(), a.columns());
  for_all_indices(ctx, a, claim_column<T>{a, values, columns});
}

}  // namespace detail

/// values[i] = the largest element of row i, columns[i] = its column. If several are equal (-0 and
/// +0 are), it is the first. If there are NaN, it is the first NaN. A row without elements gives
/// the identity of `maximum` and the column a.columns().
///
/// - `a`: a view of any layout with arithmetic elements, in the context's memory. Memory is read in
///   its own order.
/// - `values`, `columns`: as many elements as `a` has rows, in the context's memory.
///
/// Work O(rows * columns), span O(rows * columns / workers + log columns) if few elements of a
/// row equal its largest; reads each element twice. Scratch: that of `aggregate_rows`.
/// Deterministic. Does not wait.
///
/// Errors: argument_error for `a`, `values` or `columns` on the wrong side; allocation_error.
///
/// Example: examples/aggregate.cpp.
/// Names elsewhere: numpy.argmax(a, axis=1), cub::DeviceSegmentedReduce::ArgMax.
template <context Context, class E, class T>
void argmax_rows(Context& ctx, matrix_view<E> a, T* values, std::int64_t* columns) {
  detail::locate_in_rows<detail::line_gaps::possible, Context, T>(ctx, "argmax_rows", a, values,
                                                                  columns, maximum{});
}

/// The smallest element of each row, with the guarantees of `argmax_rows`. Names elsewhere:
/// numpy.argmin(a, axis=1).
template <context Context, class E, class T>
void argmin_rows(Context& ctx, matrix_view<E> a, T* values, std::int64_t* columns) {
  detail::locate_in_rows<detail::line_gaps::possible, Context, T>(ctx, "argmin_rows", a, values,
                                                                  columns, minimum{});
}

/// The same for each column: `argmax_rows` of the transposed view. Names elsewhere:
/// numpy.argmax(a, axis=0).
template <context Context, class E, class T>
void argmax_columns(Context& ctx, matrix_view<E> a, T* values, std::int64_t* rows) {
  detail::locate_in_rows<detail::line_gaps::possible, Context, T>(
      ctx, "argmax_columns", a.transposed(), values, rows, maximum{});
}
template <context Context, class E, class T>
void argmin_columns(Context& ctx, matrix_view<E> a, T* values, std::int64_t* rows) {
  detail::locate_in_rows<detail::line_gaps::possible, Context, T>(
      ctx, "argmin_columns", a.transposed(), values, rows, minimum{});
}

}  // namespace evenfold
