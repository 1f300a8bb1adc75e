#pragma once
// aggregate: the fold of all elements of a dense matrix, read once in the order of memory.
//
// Idea: elements that fill one run of memory are a sequence; if the operator commutes, this holds
// for either storage order. Otherwise there are two passes: the lines of memory are folded in
// pieces first (matrix/column_pieces.hpp), then their folds in order. Only where an operator that
// does not commute meets a row-major view with gaps, and on a GPU where any order gives the same
// bits, is the index of an element split into row and column, by a multiplication.

#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/aggregate_axis.hpp"
#include "evenfold/matrix/argmax.hpp"
#include "evenfold/matrix/column_pieces.hpp"
#include "evenfold/matrix/max_abs_difference.hpp"
#include "evenfold/matrix/row_order.hpp"

namespace evenfold {

namespace detail {

/// The fold of `aggregate`, returned to the host or written to `out`.
template <context Context, class E, class Op, class T, class... Out>
auto fold_matrix(Context& ctx, matrix_view<const E> a, Op op, T init, Out... out) {
  constexpr bool any_order = is_commutative<Op, T>;
  check_pointer(ctx, "aggregate", "a", a.data(), a.size());
  (check_pointer(ctx, "aggregate", "out", out, 1), ...);
  const matrix_view<const E> lines = a.is_row_major() ? a : a.transposed();
  const matrix_view<const E> from = any_order ? lines : a;
  if (from.is_contiguous()) {
    return transform_reduce(ctx, from.size(), element_of<T, const E*>{from.data()}, op, init,
                            out...);
  }
  // One kernel takes less time than two. On a CPU it is faster to fold pieces of rows first.
  const bool in_one_pass = any_order
                               ? is_exact_fold<Op, T> && Context::traits.shape != work_shape::runs
                               : a.is_row_major();
  if (in_one_pass) {
    return fold_in_row_order(ctx, from.rows(), from.columns(), from, op, init, out...);
  }
  const auto cut = column_cut::of(lines.rows(), lines.columns());
  array<T> scratch(ctx, cut.folds());
  const auto folds = matrix_view<T>::row_major(scratch.data(), cut.runs, lines.columns());
  fold_column_pieces(ctx, lines, cut, folds, op, no_init{});
  if constexpr (any_order) {
    return transform_reduce(ctx, cut.folds(), element_of<T, const T*>{folds.data()}, op, init,
                            out...);
  } else {
    const matrix_view<const T> pieces = folds.transposed();
    return fold_in_row_order(ctx, pieces.rows(), pieces.columns(), pieces, op, init, out...);
  }
}

}  // namespace detail

/// init (+) a(0, 0) (+) a(0, 1) (+) ... (+) a(rows - 1, columns - 1), row by row in any layout,
/// returned to the host. A matrix without elements gives `init`.
///
/// - `a`: a view of any layout, in the context's memory; its elements are converted to T, the type
///   of `init`.
/// - `op`: associative; operands keep their order unless `is_commutative<Op, T>`.
/// - `init`: the first operand.
///
/// | operator     | fold    | without elements | NumPy      |
/// | ------------ | ------- | ---------------- | ---------- |
/// | `plus`       | sum     | 0                | numpy.sum  |
/// | `multiplies` | product | 1                | numpy.prod |
/// | `minimum`    | min     | +infinity or max | numpy.min  |
/// | `maximum`    | max     | -infinity or min | numpy.max  |
///
/// If an element is NaN, the minimum and the maximum are NaN; -0 is less than +0.
///
/// Memory is read in its own order. Work O(rows * columns), span O(rows * columns / workers + log
/// workers); reads each element once. Scratch: that of `transform_reduce`; for a view with gaps,
/// and for an operator that does not commute over a column-major view, additionally one T per run
/// of at least 16 elements, at most 2^18 T or one line of memory. On a GPU one kernel, or two with
/// such runs. Deterministic: the same bits on every backend. Waits for the result.
///
/// Errors: argument_error for a view on the wrong side; allocation_error.
///
/// Example: examples/aggregate.cpp, examples/aggregate_sizes.cpp.
/// Names elsewhere: numpy.ufunc.reduce(a, axis=None), cub::DeviceReduce, thrust::reduce.
template <context Context, class E, class Op, class T>
  requires(!std::is_pointer_v<T>)
T aggregate(Context& ctx, matrix_view<E> a, Op op, T init) {
  return detail::fold_matrix<Context, std::remove_const_t<E>>(ctx, a, op, init);
}

/// The same without an initial value, for an operator whose identity is known (`identity_of`); a
/// matrix without elements gives this identity. Sums and products of integers have 64 bits, all
/// other folds have the type of the elements.
template <context Context, class E, class Op>
detail::fold_type_t<Op, std::remove_const_t<E>> aggregate(Context& ctx, matrix_view<E> a, Op op) {
  return aggregate(ctx, a, op,
                   detail::known_identity<Op, detail::fold_type_t<Op, std::remove_const_t<E>>>());
}

/// The same folds, written to out[0] in the context's memory. They do not wait.
template <context Context, class E, class Op, class T>
void aggregate(Context& ctx, matrix_view<E> a, Op op, std::type_identity_t<T> init, T* out) {
  detail::fold_matrix<Context, std::remove_const_t<E>>(ctx, a, op, init, out);
}
template <context Context, class E, class Op, class T>
void aggregate(Context& ctx, matrix_view<E> a, Op op, T* out) {
  aggregate(ctx, a, op, detail::known_identity<Op, T>(), out);
}

/// The arithmetic mean of all elements, in double; NaN for a matrix without elements. The
/// guarantees are those of `aggregate`. Names elsewhere: numpy.mean(a, dtype=float64).
template <context Context, class E>
double mean(Context& ctx, matrix_view<E> a) {
  return aggregate(ctx, a, plus{}, 0.0) / static_cast<double>(a.size());
}

}  // namespace evenfold
