#pragma once
// copy: the elements of a matrix, from any layout to any layout, from any side to any side.

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
/// - `from`, `to`: views of the same extents, each with strides of its own: where one is row-major
///   and the other column-major, memory is transposed. They do not overlap; that is not checked.
///   On a host context both are in host memory; on a cuda_context each may be on either side.
///
/// Work O(rows * columns), span O(rows * columns / workers); reads and writes each element once.
/// Between host and device the elements cross the bus as they lie and are transposed on the device.
/// Scratch: none on one side; else rows * columns * sizeof(T) bytes on the device where the layouts
/// differ, and as many on the host where the elements of the host view are adjacent neither in rows
/// nor in columns. Deterministic. On a cuda_context it waits only where host memory takes part that
/// the driver cannot reach asynchronously: memory that is not pinned, elements that are not
/// adjacent, or both views on the host.
///
/// Errors: argument_error where the extents differ, or a view lies on a side that the context
/// cannot reach; allocation_error, with `to` untouched.
///
/// Example: examples/copy_matrix.cpp.
/// Source of the tiles: Ruetsch and Micikevicius, "Optimizing matrix transpose in CUDA", 2009.
/// Names elsewhere: cublas<t>geam, cblas_?omatcopy, numpy.copyto(to, from), cudaMemcpy2D.
template <class Tuning = default_tuning, context Context, class T>
void copy(Context& ctx, matrix_view<const std::type_identity_t<T>> from, matrix_view<T> to) {
  static_assert(std::is_trivially_copyable_v<T>, "elements move between memories byte by byte");
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
  // From here on, neighbours in a row of `to` are the nearest ones in its memory.
  const bool is_column = to.columns() == 1;
  if (is_column || (to.rows() > 1 && !to.is_row_major())) {
    backend::copy_matrix<Tuning>(ctx, from.transposed(), to.transposed());
  } else {
    backend::copy_matrix<Tuning>(ctx, from, to);
  }
}

}  // namespace evenfold
