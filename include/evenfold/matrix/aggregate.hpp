#pragma once
// aggregate: the fold of all elements of a dense matrix, in one pass, as the memory lies.
//
// Idea: elements that fill one run of memory are a sequence, and if the operator commutes, in
// either storage order. In a view with gaps, a number is turned into a row and a column by a
// multiplication. Only where operands must go row by row across column-major memory are rows folded
// in pieces first (matrix/column_pieces.hpp), and the folds of the pieces then in order.

#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/aggregate_axis.hpp"
#include "evenfold/matrix/argmax.hpp"
#include "evenfold/matrix/column_pieces.hpp"
#include "evenfold/matrix/max_abs_difference.hpp"
#include "evenfold/matrix/row_order.hpp"

namespace evenfold {

/// The fold behind `aggregate`, to the host or to `out` where it is given.
template <context Context, class E, class Op, class T, class... Out>
auto fold_matrix(Context& ctx, matrix_view<const E> a, Op op, T init, Out... out) {
  constexpr bool any_order = is_commutative<Op, T>;
  detail::check_pointer(ctx, "aggregate", "a", a.data(), a.size());
  (detail::check_pointer(ctx, "aggregate", "out", out, 1), ...);
  const matrix_view<const E> lines = a.is_row_major() ? a : a.transposed();
  const matrix_view<const E> from = any_order ? lines : a;
  if (from.is_contiguous()) {
    return transform_reduce(ctx, from.size(), element_of<T, const E*>{from.data()}, op, init,
                            out...);
  }
  // On a CPU, whole rows at a time are faster than a place for each element.
  if constexpr (!any_order || Context::traits.shape == work_shape::runs) {
    if (any_order || !a.is_row_major()) {
      const auto cut =
          column_cut::of(Context::traits.shape, lines.rows(), lines.columns(), sizeof(T));
      array<T> room(ctx, cut.runs * lines.columns());
      const auto folds = matrix_view<T>::row_major(room.data(), cut.runs, lines.columns());
      fold_column_pieces(ctx, lines, cut, folds, op, no_init{});
      const matrix_view<const T> pieces = folds.transposed();
      return fold_in_row_order(ctx, pieces.rows(), pieces.columns(), pieces, op, init, out...);
    }
  }
  return fold_in_row_order(ctx, from.rows(), from.columns(), from, op, init, out...);
}

/// init (+) a(0, 0) (+) a(0, 1) (+) ... (+) a(rows - 1, columns - 1), row by row whatever the
/// layout, on the host. A matrix without elements gives `init`.
///
/// - `a`: a view of any layout, in the context's memory; its elements are converted to T, the type
///   of `init`.
/// - `op`: associative; operands keep their order unless `is_commutative<Op, T>` says it does not
///   matter.
/// - `init`: the first operand.
///
/// | operator     | fold    | without elements | NumPy      |
/// | ------------ | ------- | ---------------- | ---------- |
/// | `plus`       | sum     | 0                | numpy.sum  |
/// | `multiplies` | product | 1                | numpy.prod |
/// | `minimum`    | min     | +infinity or max | numpy.min  |
/// | `maximum`    | max     | -infinity or min | numpy.max  |
///
/// The minimum and the maximum of elements with a NaN among them is NaN, and -0 is less than +0.
///
/// Memory is read as it lies. Work O(rows * columns), span O(rows * columns / workers + log
/// workers); reads each element once. One kernel on a GPU, and scratch as `transform_reduce`; two
/// kernels, and one T for each run of a row (at least 16 elements) on top, where an operator that
/// does not commute meets a column-major view. On a CPU a view with gaps costs one T for each 32
/// elements. Deterministic; on the CPU whatever the number of threads. Waits for the result.
///
/// Errors: argument_error for a view on the wrong side; allocation_error.
///
/// Example: examples/aggregate.cpp, examples/aggregate_sizes.cpp.
/// Names elsewhere: numpy.ufunc.reduce(a, axis=None), cub::DeviceReduce, thrust::reduce.
template <context Context, class E, class Op, class T>
  requires(!std::is_pointer_v<T>)
T aggregate(Context& ctx, matrix_view<E> a, Op op, T init) {
  return fold_matrix<Context, std::remove_const_t<E>>(ctx, a, op, init);
}

/// The same without an initial value, for an operator whose identity is known (`identity_of`),
/// which is what a matrix without elements gives. Sums and products of integers have 64 bits, all
/// other folds the type of the elements.
template <context Context, class E, class Op>
detail::fold_type_t<Op, std::remove_const_t<E>> aggregate(Context& ctx, matrix_view<E> a, Op op) {
  return aggregate(ctx, a, op,
                   known_identity<Op, detail::fold_type_t<Op, std::remove_const_t<E>>>());
}

/// The same folds, left in out[0], in the context's memory. Do not wait.
template <context Context, class E, class Op, class T>
void aggregate(Context& ctx, matrix_view<E> a, Op op, std::type_identity_t<T> init, T* out) {
  fold_matrix<Context, std::remove_const_t<E>>(ctx, a, op, init, out);
}
template <context Context, class E, class Op, class T>
void aggregate(Context& ctx, matrix_view<E> a, Op op, T* out) {
  aggregate(ctx, a, op, known_identity<Op, T>(), out);
}

/// The sum of all elements over their number, in double; NaN for a matrix without elements. The
/// promises are those of `aggregate`. Names elsewhere: numpy.mean(a, dtype=float64).
template <context Context, class E>
double mean(Context& ctx, matrix_view<E> a) {
  return aggregate(ctx, a, plus{}, 0.0) / static_cast<double>(a.size());
}

}  // namespace evenfold
