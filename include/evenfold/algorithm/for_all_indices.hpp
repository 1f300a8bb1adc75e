#pragma once
// for_all_indices: one call of a function for each element of a matrix.

#include "evenfold/backend/reference/for_all_indices.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/for_all_indices.cuh"
#else
#include "evenfold/backend/cpu/for_all_indices.hpp"
#endif

namespace evenfold {

namespace detail {

/// f(j, i) for (i, j).
template <class F>
struct transposed_call {
  F f;

  template <class Index>
  EF_HD constexpr void operator()(Index i, Index j) const {
    f(j, i);
  }
};

}  // namespace detail

/// Calls f(i, j) for every 0 <= i < rows, 0 <= j < columns, in any order, at the same time.
/// Neighbours in a row are visited together: right for memory in row-major order.
///
/// - `rows`, `columns`: of any aspect ratio; either may be 0.
/// - `f`: what to do, with indices of 64 bits; it writes through pointers or views it has captured.
///   Different calls write to different places.
///
/// Work O(rows * columns), span O(rows * columns / workers). No scratch. Deterministic where f is.
/// Does not wait on a cuda_context, where the launch override changes the speed and nothing else.
///
/// Errors: argument_error for a negative extent, and where rows * columns exceeds 64 bits. An
/// exception out of f on a host context leaves the call; some other elements may have been visited.
///
/// Example: examples/for_all_indices.cpp.
/// Names elsewhere: Kokkos::MDRangePolicy, numpy.ndenumerate.
template <class Tuning = default_tuning, context Context, class F>
void for_all_indices(Context& ctx, std::int64_t rows, std::int64_t columns, F f) {
  static_assert(detail::can_be_called<void, F, std::int64_t, std::int64_t>(),
                "for_all_indices: f is called as f(i, j) with two indices of 64 bits; its "
                "operator() is const");
  detail::check_extents("for_all_indices", rows, columns);
  if (rows > 0 && columns > 0) backend::for_all_indices<Tuning>(ctx, rows, columns, f);
}

/// The same for the indices of a view, in the order of its memory: neighbours in a column are
/// visited together where the view is column-major. Reads and writes nothing itself.
template <class Tuning = default_tuning, context Context, class T, class F>
void for_all_indices(Context& ctx, matrix_view<T> view, F f) {
  if (view.is_row_major()) {
    evenfold::for_all_indices<Tuning>(ctx, view.rows(), view.columns(), f);
  } else {
    evenfold::for_all_indices<Tuning>(ctx, view.columns(), view.rows(),
                                      detail::transposed_call<F>{f});
  }
}

}  // namespace evenfold
