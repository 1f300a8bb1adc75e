#pragma once
// The copy of a matrix inside the device, and between host and device.
//
// Inside the device kernels move the elements, 16 bytes at a time where they are adjacent and
// aligned, which is mostly faster than copies of rows by the driver. Between host and device the
// driver copies the elements in their order; only the device transposes.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/backend/cuda/device/for_all_indices.cuh"
#include "evenfold/backend/cuda/device/transpose.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold::device {

template <class T>
struct copy_element {
  matrix_view<const T> from;
  matrix_view<T> to;

  EF_HD void operator()(std::int64_t i, std::int64_t j) const { to(i, j) = from(i, j); }
};

/// Chunk `c` of row i: 16 bytes, or what is left of the row.
template <class T>
struct copy_chunk {
  matrix_view<const T> from;
  matrix_view<T> to;

  __device__ void operator()(std::int64_t i, std::int64_t c) const {
    constexpr int wide = widest_pack<T>;
    const std::int64_t j = c * wide;
    if (j + wide <= to.columns()) {
      store_pack(&to(i, j), load_pack<wide>(&from(i, j)));
    } else {
      for (std::int64_t last = j; last < to.columns(); ++last) to(i, last) = from(i, last);
    }
  }
};

/// Whether all lines consist of adjacent elements and begin at multiples of 16 bytes.
template <class T>
bool lies_wide(const T* data, std::int64_t step, std::int64_t line_stride) {
  return widest_access % sizeof(T) == 0 && step == 1 &&
         reinterpret_cast<std::uintptr_t>(data) % widest_access == 0 &&
         static_cast<std::size_t>(line_stride) * sizeof(T) % widest_access == 0;
}

/// The largest pitch that cudaMemcpy2D accepts.
inline constexpr std::size_t longest_pitch = std::numeric_limits<int>::max();

/// Whether the elements of each row, or of each column, are adjacent in memory.
template <class T>
bool has_adjacent(matrix_view<T> view) {
  const bool in_rows = view.rows() == 1 || view.is_row_major();
  return (in_rows ? view.column_stride() : view.row_stride()) == 1 || view.size() == 1;
}

/// A dense view of `data` with the extents and the order of `view`.
template <class T>
matrix_view<T> dense_like(matrix_view<const std::type_identity_t<T>> view, T* data) {
  return view.rows() == 1 || view.is_row_major()
             ? matrix_view<T>::row_major(data, view.rows(), view.columns())
             : matrix_view<T>::column_major(data, view.rows(), view.columns());
}

/// From how many columns on the driver copies rows of small elements that cannot be moved 16 bytes
/// at a time.
template <class T>
inline constexpr std::int64_t least_columns_for_driver =
    sizeof(T) < 4 ? 512 / static_cast<std::int64_t>(sizeof(T))
                  : std::numeric_limits<std::int64_t>::max();

/// Whether both views are in row-major order, which `to` is unless it is a single row.
template <class T>
bool in_same_order(matrix_view<const T> from, matrix_view<T> to) {
  return to.rows() == 1 || from.is_row_major();
}

}  // namespace evenfold::device
