#pragma once
// for_all_indices: calls a function for each element of a matrix.

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

/// (i, j) -> f(j, i)
template <class F>
struct transposed_call {
  F f;

  template <class Index>
  EF_HD constexpr void operator()(Index i, Index j) const {
    f(j, i);
  }
};

}  // namespace detail

/// Calls f(i, j) for every 0 <= i < rows, 0 <= j < columns, in any order, concurrently. Neighbours
/// in a row are visited together, which is fast for row-major memory.
///
/// - `rows`, `columns`: of any aspect ratio; either may be 0.
/// - `f`: a function of two 64-bit indices that writes to pointers or views it has captured.
///   Different calls write to different addresses.
///
/// Work O(rows * columns), span O(rows * columns / workers). No scratch. Deterministic if f is.
/// Does not wait on a cuda_context, where the launch override changes the speed and nothing else.
///
/// Errors: argument_error for a negative extent, and if rows * columns exceeds 64 bits. If f throws
/// on a host context, the caller gets the exception; f may have been called for some other
/// elements.
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

/// The same for the indices of a view, in the order of its memory: if the view is column-major,
/// neighbours in a column are visited together. The elements of the view are not read or written.
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
