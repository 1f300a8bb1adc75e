#pragma once
// for_all_indices on a GPU: blocks take tiles of the matrix, so that no element costs a division
// and narrow matrices fill the lanes.

#include <cstdint>

#include "evenfold/balance/matrix_tiles.hpp"

namespace evenfold {

/// Launch tuning of for_all_indices: threads per block, and the size of a tile in powers of two.
template <unsigned Threads = 256, int RowBits = 5, int ColumnBits = 5>
struct for_all_indices_tuning {
  static constexpr unsigned threads = Threads;
  static constexpr int row_bits = RowBits;
  static constexpr int column_bits = ColumnBits;
};

namespace device {

template <class F>
__global__ void for_all_indices_kernel(detail::matrix_tiles tiles, F f) {
  const int area = 1 << (tiles.row_bits() + tiles.column_bits());
  for (std::int64_t tile = blockIdx.x; tile < tiles.count(); tile += gridDim.x) {
    const detail::matrix_tiles::part part = tiles[tile];
    for (int at = static_cast<int>(threadIdx.x); at < area; at += static_cast<int>(blockDim.x)) {
      const int i = at >> tiles.column_bits();
      const int j = at & ((1 << tiles.column_bits()) - 1);
      if (i < part.rows && j < part.columns) f(part.row + i, part.column + j);
    }
  }
}

}  // namespace device

}  // namespace evenfold
