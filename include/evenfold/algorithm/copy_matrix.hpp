#pragma once
// copy: copies a matrix, between any layouts and between host and device memory.

#include <string>
#include <type_traits>

#include "evenfold/backend/reference/copy_matrix.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/copy_matrix.cuh"
#else
#include "evenfold/backend/cpu/copy_matrix.hpp"
#endif

namespace evenfold {

/// to(i, j) = from(i, j) for every row i and column j.
///
/// - `from`, `to`: views of the same extents, each with its own strides: if one is row-major and
///   the other column-major, this transposes memory. They do not overlap; that is not checked. On a
///   host context both are in host memory; on a cuda_context each may be in host or device memory.
///
/// Work O(rows * columns), span O(rows * columns / workers); reads and writes each element once.
/// Between host and device, elements are transferred in the layout of the host view and transposed
/// on the device. Scratch: none if both views are in the same memory; else rows * columns *
/// sizeof(T) bytes on the device if the layouts differ, and as many on the host if the elements of
/// the host view are adjacent neither in rows nor in columns. Deterministic. On a cuda_context it
/// waits only for host memory that the driver cannot copy asynchronously: if it is not pinned, if
/// the elements are not adjacent, or if both views are in host memory.
///
/// Errors: argument_error if the extents differ, or if a view is in memory that the context cannot
/// use; allocation_error, with `to` untouched.
///
/// Example: examples/copy_matrix.cpp.
/// Source of the tiles: Ruetsch and Micikevicius, "Optimizing matrix transpose in CUDA", 2009.
/// Names elsewhere: cublas<t>geam, cblas_?omatcopy, numpy.copyto(to, from), cudaMemcpy2D.
template <class Tuning = default_tuning, context Context, class T>
void copy(Context& ctx, matrix_view<const std::type_identity_t<T>> from, matrix_view<T> to) {
  static_assert(std::is_trivially_copyable_v<T>,
                "the type of the elements is trivially copyable: they are copied byte by byte");
  if (from.rows() != to.rows() || from.columns() != to.columns()) {
    const auto extents = [](auto view) {
      return std::to_string(view.rows()) + " x " + std::to_string(view.columns());
    };
    detail::refuse_argument("copy", "to", extents(to), "from is " + extents(from),
                            "pass views of the same extents, such as a block() of the larger one");
  }
  if constexpr (Context::side == memory_side::host) {
    detail::check_pointer(ctx, "copy", "from", from.data(), from.size());
    detail::check_pointer(ctx, "copy", "to", to.data(), to.size());
  } else {
    detail::check_not_null("copy", "from", from.data(), from.size());
    detail::check_not_null("copy", "to", to.data(), to.size());
  }
  if (to.empty()) return;
  // The backends take a `to` that is row-major.
  const bool is_column = to.columns() == 1;
  if (is_column || (to.rows() > 1 && !to.is_row_major())) {
    backend::copy_matrix<Tuning>(ctx, from.transposed(), to.transposed());
  } else {
    backend::copy_matrix<Tuning>(ctx, from, to);
  }
}

}  // namespace evenfold
