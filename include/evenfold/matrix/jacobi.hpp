#pragma once
// jacobi: a grid with fixed borders, averaged until it rests; set_border.
//
// Idea: a sweep is one pass: a fold of the changes of all strips, which write the averages on the
// way (matrix/jacobi_sweep.hpp). Sweeps are queued in batches. A sweep looks at the largest change
// of the one before, and once that is small enough it does nothing and hands the change on: the
// device stops by itself, and the host asks only now and then.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/copy_matrix.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/jacobi_sweep.hpp"

namespace evenfold {

/// How `jacobi` ended.
template <class T>
struct jacobi_result {
  /// How many sweeps changed the grid.
  std::int64_t sweeps;
  /// The largest change of an element in the last of them: infinity before the first, 0 where
  /// nothing can change.
  T residual;
  /// Whether the residual is at most the tolerance.
  bool converged;
};

/// Tells nobody how `jacobi` gets on.
struct unwatched {
  template <class T>
  void operator()(std::int64_t, T) const {}
};

/// How the sweeps are folded: on a CPU, strips a tile; on a GPU, threads a block.
struct jacobi_tuning {
  static constexpr std::size_t tile = 16;
  static constexpr int threads = 256;
  static constexpr int items = 1;
};

/// Copies the ends of a column and then, but for the corners, of a row.
template <class T>
struct copy_border_ends {
  matrix_view<const T> from;
  matrix_view<T> to;

  EF_HD void operator()(std::int64_t i) const {
    const std::int64_t columns = from.columns();
    const std::int64_t rows = from.rows();
    if (i < columns) {
      to(0, i) = from(0, i);
      to(rows - 1, i) = from(rows - 1, i);
    } else {
      const std::int64_t row = i - columns + 1;
      to(row, 0) = from(row, 0);
      to(row, columns - 1) = from(row, columns - 1);
    }
  }
};

/// Copies the first and the last row and column.
template <context Context, class T>
void copy_border(Context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  transform(ctx, from.columns() + from.rows() - 2, copy_border_ends<T>{from, to});
}

/// Sweeps `a` and `b`, alike but for the interior of `b`, in turns. The newest grid is `a` after an
/// even number of sweeps, `b` after an odd one.
template <context Context, class T, class Watch>
jacobi_result<T> sweep_in_turns(Context& ctx, matrix_view<T> a, matrix_view<T> b, T tolerance,
                                std::int64_t max_sweeps, Watch& watch) {
  using sweep_type = jacobi_sweep<T, jacobi_strip_for(Context::traits.shape)>;
  constexpr std::int64_t most_queued = Context::traits.queue_depth;
  const std::vector<T> untouched(1, std::numeric_limits<T>::infinity());
  array<T> changes(ctx, most_queued + 1);
  copy(ctx, untouched.data(), 1, changes.data());

  jacobi_result<T> result{0, untouched[0], false};
  for (std::int64_t queued = 1; result.sweeps < max_sweeps && !result.converged;
       queued = std::min(2 * queued, most_queued)) {
    const std::int64_t batch = std::min(queued, max_sweeps - result.sweeps);
    for (std::int64_t k = 0; k < batch; ++k) {
      const matrix_view<T> from = (result.sweeps + k) % 2 == 0 ? a : b;
      const matrix_view<T> to = (result.sweeps + k) % 2 == 0 ? b : a;
      const sweep_type sweep{{from.data(), from.row_stride()},
                             {to.data(), to.row_stride()},
                             a.rows(),
                             a.columns(),
                             changes.data() + k,
                             tolerance};
      transform_reduce<jacobi_tuning>(ctx, sweep.strips(), sweep, larger_change{}, T{0},
                                      changes.data() + k + 1);
    }
    const std::vector<T> seen = to_host(ctx, changes.data() + 1, static_cast<std::size_t>(batch));
    const auto last =
        std::find_if(seen.begin(), seen.end() - 1, [&](T c) { return !(c > tolerance); });
    result = {result.sweeps + (last - seen.begin()) + 1, *last, *last <= tolerance};
    watch(result.sweeps, result.residual);
    if (std::isnan(result.residual)) {
      // Whose sign and payload differ from machine to machine.
      result.residual = std::numeric_limits<T>::quiet_NaN();
      break;
    }
  }
  return result;
}

/// Replaces every inner element of A by the average of its four neighbours,
///
///     A'(i, j) = ((A(i-1, j) + A(i+1, j)) + (A(i, j-1) + A(i, j+1))) / 4,
///
/// all at the same time, again and again, until the largest |A'(i, j) - A(i, j)| of a sweep is at
/// most `tolerance`, or `max_sweeps` times. The border stays; the four corners are never read. This
/// solves Laplace's equation on the grid, with the border as the boundary values.
///
/// - `A`: rows x columns, float or double, in any layout, in the context's memory.
/// - `tolerance`: finite, at least 0, in the unit of A.
/// - `max_sweeps`: at least 0.
/// - `watch`: called on the host as watch(sweeps, residual) from time to time, after every sweep on
///   a host context.
///
/// A grid without inner elements takes no sweep and has converged. Where a change is not a number
/// -- a NaN in A, or infinities that meet -- the sweep that meets it is the last, the residual is
/// NaN, and converged is false.
///
/// Each sweep: work O(rows columns), span O(log(rows columns)); reads and writes every element
/// once, 2 sizeof(T) bytes an element. On an n x n grid about n^2 / 2 sweeps take a digit off the
/// error. Scratch: rows x columns elements, twice that where neither the rows nor the columns of A
/// are contiguous, 65 T, and that of transform_reduce. The grid, the number of sweeps and the
/// residual are the same, bit for bit, on every backend and for every layout, as long as no element
/// exceeds a quarter of the largest number. Waits: on a GPU after 1, 2, 4, ..., 64, 64, ... sweeps,
/// since the device stops by itself; up to 63 empty launches follow the last sweep.
///
/// Errors: argument_error for a tolerance that is negative or not finite, a negative max_sweeps, A
/// on the wrong side; allocation_error, with A untouched.
///
/// Example: examples/jacobi.cpp.
/// Source: Saad, "Iterative Methods for Sparse Linear Systems", 2nd ed., SIAM 2003, section 4.1.
template <context Context, class T, class Watch = unwatched>
  requires(std::same_as<T, float> || std::same_as<T, double>)
jacobi_result<T> jacobi(Context& ctx, matrix_view<T> A, std::type_identity_t<T> tolerance,
                        std::int64_t max_sweeps, Watch watch = {}) {
  detail::check_pointer(ctx, "jacobi", "A", A.data(), A.size());
  if (!(tolerance >= 0) || std::isinf(tolerance)) {
    detail::refuse_argument("jacobi", "tolerance", tolerance,
                            "it must be a finite number of at least 0",
                            "pass the largest change at which the grid counts as at rest");
  }
  if (max_sweeps < 0) {
    detail::refuse_argument("jacobi", "max_sweeps", max_sweeps, "a count cannot be negative",
                            "pass how many sweeps may be made at most");
  }
  if (A.rows() < 3 || A.columns() < 3) return {0, T{0}, true};

  // The sum of the four neighbours is that of the transposed grid.
  const matrix_view<T> grid = A.is_row_major() ? A : A.transposed();
  const bool in_place = grid.column_stride() == 1;
  array<T> scratch(ctx, (in_place ? 1 : 2) * A.size());
  const auto other = matrix_view<T>::row_major(scratch.data(), grid.rows(), grid.columns());
  const auto own =
      in_place ? grid
               : matrix_view<T>::row_major(scratch.data() + A.size(), grid.rows(), grid.columns());
  if (!in_place) copy(ctx, grid, own);
  copy_border<Context, T>(ctx, grid, other);
  const jacobi_result<T> result =
      sweep_in_turns<Context, T>(ctx, own, other, tolerance, max_sweeps, watch);
  const bool in_own = result.sweeps % 2 == 0;
  if (!in_own || !in_place) copy(ctx, in_own ? own : other, grid);
  return result;
}

/// Sets the ends of a column and then, but for the corners, of a row.
template <class T>
struct set_border_ends {
  matrix_view<T> A;
  T top, left, bottom, right;

  EF_HD void operator()(std::int64_t i) const {
    const std::int64_t row = i - A.columns();
    if (row < 0) {
      A(A.rows() - 1, i) = bottom;
      A(0, i) = top;
    } else if (row > 0 && row < A.rows() - 1) {
      A(row, A.columns() - 1) = right;
      A(row, 0) = left;
    }
  }
};

/// Sets the border of A: the first row to `top`, the last to `bottom`, and what is left of the
/// first and the last column to `left` and `right`. So the corners belong to the top and the
/// bottom; of a single row or column, top goes before bottom and left before right.
///
/// Work O(rows + columns). No scratch. Does not wait.
///
/// Errors: argument_error for A on the wrong side.
///
/// Example: examples/jacobi.cpp.
template <context Context, class T>
void set_border(Context& ctx, matrix_view<T> A, std::type_identity_t<T> top,
                std::type_identity_t<T> left, std::type_identity_t<T> bottom,
                std::type_identity_t<T> right) {
  detail::check_pointer(ctx, "set_border", "A", A.data(), A.size());
  if (A.empty()) return;
  transform(ctx, A.columns() + A.rows(), set_border_ends<T>{A, top, left, bottom, right});
}

}  // namespace evenfold
