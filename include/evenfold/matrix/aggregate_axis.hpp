#pragma once
// aggregate_rows, aggregate_columns: the fold of each row or each column of a dense matrix.
//
// Idea: there are two cases. If the elements of a fold are consecutive in memory, the folds are
// segments of equal length, which the load-balanced segmented reduction shares evenly, however
// short or long they are; of lengths that suit a thread block, a GPU folds one by each. Otherwise
// columns are folded in pieces (matrix/column_pieces.hpp); the folds of the pieces are few, and are
// segments again.

#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/uniform_offsets.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/column_pieces.hpp"
#include "evenfold/matrix/row_order.hpp"

namespace evenfold {

namespace detail {

/// The initial value of a fold to which none is passed.
template <class Op, class T>
constexpr T known_identity() {
  static_assert(has_identity<Op, T>,
                "the identity of this operator is not known: pass an initial value, or specialise "
                "evenfold::identity_of");
  return identity_of<Op, T>::value;
}

/// The value of an item whose segment is a row.
template <class E>
struct element_of_row {
  matrix_view<const E> from;
  EF_HD const E& operator()(std::int64_t, std::int64_t row, std::int64_t column) const {
    return from(row, column);
  }
};

/// Folds each row of a matrix whose rows are consecutive in memory.
template <context Context, class E, class T, class Op>
void fold_rows_with_gaps(Context& ctx, matrix_view<const E> from, T* out, Op op, T init) {
  const uniform_offsets rows{from.columns()};
  if constexpr (Context::traits.shape == work_shape::runs) {
    // A run of items of one row is a loop over consecutive memory.
    lbs_segreduce(ctx, from.size(), element_of_row<E>{from}, rows, from.rows(), out, op, init);
  } else {
    with_row_order(from.rows(), from.columns(), from, [&](auto count, auto element) {
      transform_segreduce(ctx, count, element, rows, from.rows(), out, op, init);
    });
  }
}

/// Whether there may be gaps between the lines of a matrix. If none are possible, the folds compile
/// in less time.
enum class line_gaps { possible, none };

/// Folds each row of a matrix whose rows are consecutive in memory, or empty.
template <line_gaps Gaps, context Context, class E, class T, class Op>
void fold_rows_along(Context& ctx, matrix_view<const E> from, T* out, Op op, T init) {
  if constexpr (Gaps == line_gaps::possible) {
    if (!from.is_contiguous()) return fold_rows_with_gaps(ctx, from, out, op, init);
  }
  segreduce(ctx, from.data(), from.size(), uniform_offsets{from.columns()}, from.rows(), out, op,
            init);
}

/// Folds each column of a matrix that has elements and whose rows are consecutive in memory.
template <context Context, class E, class T, class Op>
void fold_columns_across(Context& ctx, matrix_view<const E> from, T* out, Op op, T init) {
  const std::int64_t columns = from.columns();
  const auto cut = column_cut::of(from.rows(), columns);
  if (cut.runs == 1) {
    fold_column_pieces(ctx, from, cut, matrix_view<T>::row_major(out, 1, columns), op, init);
    return;
  }
  array<T> scratch(ctx, cut.runs * columns);
  const auto folds = matrix_view<T>::row_major(scratch.data(), cut.runs, columns);
  fold_column_pieces(ctx, from, cut, folds, op, no_init{});
  // A second pass of this kind is faster than a segmented reduction if there are few pieces.
  // Threads always make it if the order makes no difference, which compiles in less time.
  constexpr std::int64_t few = 256;
  constexpr bool always = Context::traits.shape == work_shape::runs && is_exact_fold<Op, T>;
  const matrix_view<const T> pieces = folds;
  if constexpr (!always) {
    if (cut.runs > few) {
      return fold_rows_along<line_gaps::possible>(ctx, pieces.transposed(), out, op, init);
    }
  }
  fold_columns_across(ctx, pieces, out, op, init);
}

/// The common part of `aggregate_rows` and `aggregate_columns`. `algorithm` is the name in errors.
template <line_gaps Gaps = line_gaps::possible, context Context, class E, class T, class Op>
void fold_rows(Context& ctx, const char* algorithm, matrix_view<const E> a, T* out, Op op, T init) {
  check_pointer(ctx, algorithm, "a", a.data(), a.size());
  check_pointer(ctx, algorithm, "out", out, a.rows());
  if (a.rows() == 0) return;
  if (a.columns() == 0 || a.rows() == 1 || (a.columns() > 1 && a.is_row_major())) {
    fold_rows_along<Gaps>(ctx, a, out, op, init);
  } else {
    fold_columns_across(ctx, a.transposed(), out, op, init);
  }
}

}  // namespace detail

/// out[i] = init (+) a(i, 0) (+) a(i, 1) (+) ... for each row i, in this order. A row without
/// elements gives `init`.
///
/// - `a`: a view of any layout; its elements are converted to T.
/// - `out`: as many T as `a` has rows, in the context's memory.
/// - `op`: associative; operands keep their order unless `is_commutative<Op, T>`. `plus`,
///   `multiplies`, `minimum` and `maximum` give sum, product, min and max; the last two give NaN
///   for a row with a NaN.
/// - `init`: the first operand of every row; by default the identity of `op` (`identity_of`).
///
/// Every worker gets the same number of elements, whatever the aspect ratio and the layout, and
/// memory is read in its own order. Work O(rows * columns), span O(rows * columns / workers + log
/// columns); reads each element once and writes each fold once. Scratch: that of `segreduce`. If
/// the elements of a row are not the nearest ones in memory, also one T per run of a row, which has
/// at least 16 elements, unless every row is one run. Deterministic: the same bits on every
/// backend. Does not wait.
///
/// Errors: argument_error for `a` or `out` on the wrong side; allocation_error, with `out`
/// untouched.
///
/// Example: examples/aggregate.cpp.
/// Names elsewhere: numpy.ufunc.reduce(a, axis=1), numpy.sum(a, axis=1),
/// cub::DeviceSegmentedReduce.
template <context Context, class E, class T, class Op>
void aggregate_rows(Context& ctx, matrix_view<E> a, T* out, Op op, std::type_identity_t<T> init) {
  detail::fold_rows<detail::line_gaps::possible, Context, std::remove_const_t<E>, T>(
      ctx, "aggregate_rows", a, out, op, init);
}
template <context Context, class E, class T, class Op>
void aggregate_rows(Context& ctx, matrix_view<E> a, T* out, Op op) {
  aggregate_rows(ctx, a, out, op, detail::known_identity<Op, T>());
}

/// out[j] = init (+) a(0, j) (+) a(1, j) (+) ... for each column j: `aggregate_rows` of the
/// transposed view, with the same guarantees. `out` has as many T as `a` has columns. Names
/// elsewhere: numpy.ufunc.reduce(a, axis=0), numpy.sum(a, axis=0).
template <context Context, class E, class T, class Op>
void aggregate_columns(Context& ctx, matrix_view<E> a, T* out, Op op,
                       std::type_identity_t<T> init) {
  detail::fold_rows<detail::line_gaps::possible, Context, std::remove_const_t<E>, T>(
      ctx, "aggregate_columns", a.transposed(), out, op, init);
}
template <context Context, class E, class T, class Op>
void aggregate_columns(Context& ctx, matrix_view<E> a, T* out, Op op) {
  aggregate_columns(ctx, a, out, op, detail::known_identity<Op, T>());
}

}  // namespace evenfold
