#pragma once
// The kernel of the transposing copies inside the device whose tiles have a fixed shape:
// transpose_blocks.cuh where all rows are aligned, transpose_skewed.cuh where they are not.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold::device {

/// Tiles are numbered along the rows, `across` in each. A tile loads its rows and columns, and
/// Tile::left columns to the left of these.
template <class Tile, class T>
__global__ void __launch_bounds__(Tile::threads)
    transpose_tiles_kernel(matrix_view<const T> from, matrix_view<T> to, unsigned across) {
  auto& tile = shared_as<Tile>();
  const std::int64_t row = std::int64_t{blockIdx.x / across} * Tile::rows;
  const std::int64_t column = std::int64_t{blockIdx.x % across} * Tile::columns;
  const std::int64_t first = column - Tile::left;
  if (row + Tile::rows <= to.rows() && first >= 0 && column + Tile::columns <= to.columns()) {
    tile.template gather<true>(from, row, first);
    __syncthreads();
    tile.template scatter<true>(to, row, column);
  } else {
    tile.template gather<false>(from, row, first);
    __syncthreads();
    tile.template scatter<false>(to, row, column);
  }
}

}  // namespace evenfold::device
