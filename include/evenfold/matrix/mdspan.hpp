#pragma once
// to_mdspan, to_matrix_view: conversions between matrix_view and cuda::std::mdspan. For translation
// units of nvcc.

#if defined(__CUDACC__)

#include <algorithm>
#include <cstdint>
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <string>
#include <type_traits>

#include "evenfold/core/error.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold {

/// The same elements as a cuda::std::mdspan, without copying. `Layout` is layout_stride, which fits
/// every view, layout_right (row-major without gaps) or layout_left (column-major without gaps).
/// Errors: argument_error if the view does not have the layout.
///
/// Names elsewhere: std::mdspan.
template <class Layout = ::cuda::std::layout_stride, class T>
::cuda::std::mdspan<T, ::cuda::std::dextents<std::int64_t, 2>, Layout> to_mdspan(
    matrix_view<T> view) {
  using extents_type = ::cuda::std::dextents<std::int64_t, 2>;
  using mapping = typename Layout::template mapping<extents_type>;
  const extents_type extents(view.rows(), view.columns());
  if constexpr (std::is_same_v<Layout, ::cuda::std::layout_stride>) {
    const ::cuda::std::array<std::int64_t, 2> strides{
        std::max<std::int64_t>(view.row_stride(), 1),
        std::max<std::int64_t>(view.column_stride(), 1)};
    return {view.data(), mapping(extents, strides)};
  } else {
    constexpr bool right = std::is_same_v<Layout, ::cuda::std::layout_right>;
    static_assert(right || std::is_same_v<Layout, ::cuda::std::layout_left>,
                  "the layout is layout_stride, layout_right or layout_left");
    if (!(right ? view : view.transposed()).is_contiguous()) {
      detail::refuse_argument("to_mdspan", "view",
                              "of strides " + std::to_string(view.row_stride()) + " and " +
                                  std::to_string(view.column_stride()),
                              right ? "layout_right is row-major without gaps"
                                    : "layout_left is column-major without gaps",
                              "ask for layout_stride, or copy() it into a matrix of that order");
    }
    return {view.data(), mapping(extents)};
  }
}

/// The same elements as a matrix_view, without copying. Errors: those of matrix_view.
template <class T, class Extents, class Layout>
  requires(Extents::rank() == 2)
matrix_view<T> to_matrix_view(const ::cuda::std::mdspan<T, Extents, Layout>& span) {
  static_assert(Layout::template mapping<Extents>::is_always_strided(),
                "a matrix_view has one stride per dimension");
  return matrix_view<T>(span.data_handle(), static_cast<std::int64_t>(span.extent(0)),
                        static_cast<std::int64_t>(span.extent(1)),
                        static_cast<std::int64_t>(span.stride(0)),
                        static_cast<std::int64_t>(span.stride(1)));
}

}  // namespace evenfold

#endif
