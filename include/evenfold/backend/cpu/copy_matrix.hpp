#pragma once
// copy of a matrix on CPU threads.
//
// Rows to rows are copied in equal runs. Where the order differs, threads take tiles that are one
// cache line of the target wide: the source is read in as many streams as a line has elements, and
// each line of the target is written at once, by way of a buffer, whatever the distance of its
// rows.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/for_all_indices.hpp"
#include "evenfold/backend/cpu/transpose.hpp"
#include "evenfold/balance/matrix_tiles.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {
namespace cpu {

/// Elements of a cache line, as a power of two.
template <class T>
inline constexpr int line_bits = static_cast<int>(std::bit_width(64 / sizeof(T) | 1)) - 1;

/// to(i, j) = from(i, j) where columns of `from` and rows of `to` are adjacent elements.
template <class T>
void transpose_tile(matrix_view<const T> from, matrix_view<T> to) {
  constexpr std::int64_t side = square_side<T>;
  constexpr std::int64_t line = std::int64_t{1} << line_bits<T>;
  const std::int64_t rows = to.rows() / side * side;
  const std::int64_t columns = to.columns() / line * line;
  for (std::int64_t j = 0; j < columns; j += line) {
    for (std::int64_t i = 0; i < rows; i += side) {
      alignas(64) unsigned char buffer[side][line * sizeof(T)];
      T* const lines = reinterpret_cast<T*>(buffer);
#pragma GCC unroll 4
      for (std::int64_t at = 0; at < line; at += side) {
        transpose_square(&from(i, j + at), from.column_stride(), lines + at, line);
      }
#pragma GCC unroll 4
      for (std::int64_t k = 0; k < side; ++k) {
        std::memcpy(static_cast<void*>(&to(i + k, j)), buffer[k], sizeof(buffer[k]));
      }
    }
  }
  const auto rest = [&](std::int64_t i, std::int64_t j, std::int64_t height, std::int64_t width) {
    detail::copy_element_by_element(from.block(i, j, height, width), to.block(i, j, height, width));
  };
  rest(rows, 0, to.rows() - rows, columns);
  rest(0, columns, to.rows(), to.columns() - columns);
}

}  // namespace cpu

namespace backend {

/// `to` has its neighbours in rows, or a single row.
template <class Tuning, class T>
void copy_matrix(cpu_context& ctx, matrix_view<const T> from, matrix_view<T> to) {
  const bool adjacent_to = to.column_stride() == 1;
  if (to.rows() == 1 || from.is_row_major()) {
    const bool adjacent = adjacent_to && from.column_stride() == 1;
    const bool one_run = from.is_contiguous() && to.is_contiguous();
    cpu::for_row_runs(ctx, one_run ? 1 : to.rows(), one_run ? to.size() : to.columns(),
                      [&](std::int64_t i, std::int64_t first, std::int64_t last) {
                        if (adjacent) {
                          std::memcpy(static_cast<void*>(&to(i, first)), &from(i, first),
                                      static_cast<std::size_t>(last - first) * sizeof(T));
                        } else {
                          for (std::int64_t j = first; j < last; ++j) to(i, j) = from(i, j);
                        }
                      });
    return;
  }
  const bool in_squares = cpu::square_side<T> > 1 && adjacent_to && from.row_stride() == 1;
  const detail::matrix_tiles tiles(to.rows(), to.columns(), 8, cpu::line_bits<T>);
  ctx.parallel(static_cast<std::size_t>(tiles.count()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const detail::matrix_tiles::part part = tiles[static_cast<std::int64_t>(t)];
      const auto tile_from = from.block(part.row, part.column, part.rows, part.columns);
      const auto tile_to = to.block(part.row, part.column, part.rows, part.columns);
      if constexpr (cpu::square_side<T> > 1) {
        if (in_squares) {
          cpu::transpose_tile(tile_from, tile_to);
          continue;
        }
      }
      detail::copy_element_by_element(tile_from, tile_to);
    }
  });
}

}  // namespace backend
}  // namespace evenfold
