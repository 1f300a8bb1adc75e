#pragma once
// copy of a matrix on a GPU, and over the bus.
//
// Inside the device kernels move the elements, 16 bytes at a time where they are adjacent and
// aligned: mostly faster than the driver's copies of rows. Over the bus elements travel as they
// lie, by the driver's copies, and only the device transposes.

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

/// Whether lines of adjacent elements begin at multiples of 16 bytes.
template <class T>
bool lies_wide(const T* data, std::int64_t step, std::int64_t line_stride) {
  return widest_access % sizeof(T) == 0 && step == 1 &&
         reinterpret_cast<std::uintptr_t>(data) % widest_access == 0 &&
         static_cast<std::size_t>(line_stride) * sizeof(T) % widest_access == 0;
}

/// cudaMemcpy2D knows no larger one.
inline constexpr std::size_t longest_pitch = std::numeric_limits<int>::max();

/// Whether neighbours in memory are adjacent.
template <class T>
bool has_adjacent(matrix_view<T> view) {
  const bool in_rows = view.rows() == 1 || view.is_row_major();
  return (in_rows ? view.column_stride() : view.row_stride()) == 1 || view.size() == 1;
}

/// The same extents in dense memory at `data`, in the order of `view`.
template <class T>
matrix_view<T> dense_like(matrix_view<const std::type_identity_t<T>> view, T* data) {
  return view.rows() == 1 || view.is_row_major()
             ? matrix_view<T>::row_major(data, view.rows(), view.columns())
             : matrix_view<T>::column_major(data, view.rows(), view.columns());
}

/// Small elements that cannot be moved 16 bytes at a time are moved by the driver, if rows are
/// long.
template <class T>
inline constexpr std::int64_t least_columns_for_driver =
    sizeof(T) < 4 ? 512 / static_cast<std::int64_t>(sizeof(T))
                  : std::numeric_limits<std::int64_t>::max();

/// Whether both views have their neighbours in rows; `to` has, or is a single row.
template <class T>
bool in_same_order(matrix_view<const T> from, matrix_view<T> to) {
  return to.rows() == 1 || from.is_row_major();
}

}  // namespace evenfold::device
