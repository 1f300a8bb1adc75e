#pragma once
// jacobi: the Jacobi iteration for Laplace's equation on a grid with fixed borders; set_border.
//
// Idea: a sweep is one pass, the reduction of the changes of all strips, which also writes the
// averages (matrix/jacobi_sweep.hpp). Sweeps are queued in batches. Each sweep reads the largest
// change of the sweep before; once this change is small enough, the sweep does nothing and returns
// the same change. So the device stops by itself, and the host reads results only once per batch.

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

/// The result of `jacobi`.
template <class T>
struct jacobi_result {
  /// The number of sweeps that changed the grid.
  std::int64_t sweeps;
  /// The largest change of an element by the last sweep: infinity before the first sweep, 0 for a
  /// grid without inner elements.
  T residual;
  /// Whether the residual is at most the tolerance.
  bool converged;
};

namespace detail {

/// The default of `watch`: does nothing.
struct unwatched {
  template <class T>
  void operator()(std::int64_t, T) const {}
};

/// The tuning of the reduction over strips: strips per tile on a CPU; threads per block and strips
/// per thread on a GPU.
struct jacobi_tuning {
  static constexpr std::size_t tile = 4;
  static constexpr int threads = 256;
  static constexpr int items = 1;
};

/// Copies both ends of column i, or, for larger i, both ends of a row except the corners.
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

/// Copies the first and the last row, and those columns, too, unless sweeps do that.
template <context Context, class T>
void copy_border(Context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  using sweep_type = jacobi_sweep<T, jacobi_strip_for(Context::traits.shape)>;
  const std::int64_t ends = sweep_type::copies_ends ? 0 : from.rows() - 2;
  transform(ctx, from.columns() + ends, copy_border_ends<T>{from, to});
}

/// Sweeps alternately from `a` to `b`, whose border is that of `copy_border`, and from `b` to `a`.
/// The newest grid is `a` after an even number of sweeps, `b` after an odd number.
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
      // The sign and payload of a NaN differ from machine to machine.
      result.residual = std::numeric_limits<T>::quiet_NaN();
      break;
    }
  }
  return result;
}

}  // namespace detail

/// Replaces every inner element of A by the average of its four neighbours,
///
///     A'(i, j) = ((A(i-1, j) + A(i+1, j)) + (A(i, j-1) + A(i, j+1))) / 4,
///
/// all at the same time, and repeats this sweep until the largest |A'(i, j) - A(i, j)| of a sweep
/// is at most `tolerance`, but at most `max_sweeps` times. The border does not change; the four
/// corners are never read. This solves Laplace's equation on the grid, with the border as boundary
/// values.
///
/// - `A`: rows x columns, float or double, in any layout, in the context's memory.
/// - `tolerance`: finite, at least 0, in the unit of A.
/// - `max_sweeps`: at least 0.
/// - `watch`: called on the host as watch(sweeps, residual): on a host context after every sweep,
///   on a GPU after every batch of sweeps.
///
/// A grid without inner elements takes no sweep and has converged. If a change is not a number,
/// because of a NaN in A or a difference of infinities, the iteration stops after this sweep, the
/// residual is NaN, and converged is false.
///
/// Per sweep: work O(rows columns), span O(log(rows columns)); reads and writes every element once,
/// 2 sizeof(T) bytes per element. On an n x n grid about n^2 / 2 sweeps gain one digit of accuracy.
/// Scratch: rows x columns elements, twice that if neither the rows nor the columns of A are
/// contiguous, 65 T, and that of transform_reduce. The grid, the number of sweeps and the residual
/// are the same, bit for bit, on every backend and for every layout, as long as no element exceeds
/// a quarter of the largest number. Waits: on a GPU after batches of 1, 2, 4, ..., 64, 64, ...
/// sweeps. The device stops by itself; up to 63 empty launches follow the last sweep.
///
/// Errors: argument_error for a tolerance that is negative or not finite, a negative max_sweeps, A
/// on the wrong side; allocation_error, with A untouched.
///
/// Example: examples/jacobi.cpp.
/// Source: Saad, "Iterative Methods for Sparse Linear Systems", 2nd ed., SIAM 2003, section 4.1.
template <context Context, class T, class Watch = detail::unwatched>
  requires(std::same_as<T, float> || std::same_as<T, double>)
jacobi_result<T> jacobi(Context& ctx, matrix_view<T> A, std::type_identity_t<T> tolerance,
                        std::int64_t max_sweeps, Watch watch = {}) {
  detail::check_pointer(ctx, "jacobi", "A", A.data(), A.size());
  if (!(tolerance >= 0) || std::isinf(tolerance)) {
    detail::refuse_argument("jacobi", "tolerance", tolerance,
                            "it must be a finite number of at least 0",
                            "pass the change at which the grid has converged");
  }
  if (max_sweeps < 0) {
    detail::refuse_argument("jacobi", "max_sweeps", max_sweeps, "a count cannot be negative",
                            "pass the largest number of sweeps");
  }
  if (A.rows() < 3 || A.columns() < 3) return {0, T{0}, true};

  // The transposed grid has the same sums of neighbours.
  const matrix_view<T> grid = A.is_row_major() ? A : A.transposed();
  const bool in_place = grid.column_stride() == 1;
  array<T> scratch(ctx, (in_place ? 1 : 2) * A.size());
  const auto other = matrix_view<T>::row_major(scratch.data(), grid.rows(), grid.columns());
  const auto own =
      in_place ? grid
               : matrix_view<T>::row_major(scratch.data() + A.size(), grid.rows(), grid.columns());
  if (!in_place) copy(ctx, grid, own);
  detail::copy_border<Context, T>(ctx, grid, other);
  const jacobi_result<T> result =
      detail::sweep_in_turns<Context, T>(ctx, own, other, tolerance, max_sweeps, watch);
  const bool in_own = result.sweeps % 2 == 0;
  if (!in_own || !in_place) copy(ctx, in_own ? own : other, grid);
  return result;
}

namespace detail {

/// Sets both ends of column i, or, for larger i, both ends of a row except the corners.
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

}  // namespace detail

/// Sets the border of A: the first row to `top`, the last row to `bottom`, and the rest of the
/// first and the last column to `left` and `right`. A single row is set to `top`; the rest of a
/// single column is set to `left`.
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
  transform(ctx, A.columns() + A.rows(), detail::set_border_ends<T>{A, top, left, bottom, right});
}

}  // namespace evenfold
