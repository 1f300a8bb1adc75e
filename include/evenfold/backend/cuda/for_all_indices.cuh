#pragma once
// for_all_indices on a GPU: blocks take tiles, so that no element costs a division and narrow
// matrices fill the lanes.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "evenfold/backend/cuda/context.cuh"
#include "evenfold/balance/matrix_tiles.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

/// Launch tuning of for_all_indices: threads a block, and the tile that a block takes.
template <unsigned Threads = 256, int RowBits = 5, int ColumnBits = 5>
struct for_all_indices_tuning {
  static constexpr unsigned threads = Threads;
  static constexpr int row_bits = RowBits;
  static constexpr int column_bits = ColumnBits;
};

namespace device {

template <class F>
__global__ void for_all_indices_kernel(matrix_tiles tiles, F f) {
  const int area = 1 << (tiles.row_bits() + tiles.column_bits());
  for (std::int64_t tile = blockIdx.x; tile < tiles.count(); tile += gridDim.x) {
    const matrix_tiles::part part = tiles[tile];
    for (int at = static_cast<int>(threadIdx.x); at < area; at += static_cast<int>(blockDim.x)) {
      const int i = at >> tiles.column_bits();
      const int j = at & ((1 << tiles.column_bits()) - 1);
      if (i < part.rows && j < part.columns) f(part.row + i, part.column + j);
    }
  }
}

}  // namespace device

namespace backend {

template <class Tuning, class F>
void for_all_indices(cuda_context& ctx, std::int64_t rows, std::int64_t columns, F f) {
  using tuning = tuning_or<Tuning, for_all_indices_tuning<>>;
  const matrix_tiles tiles(rows, columns, tuning::row_bits, tuning::column_bits);
  const unsigned block =
      ctx.launch_override.block > 0 ? ctx.launch_override.block : tuning::threads;
  const std::int64_t grid =
      ctx.launch_override.grid > 0
          ? ctx.launch_override.grid
          : std::min<std::int64_t>(tiles.count(), std::numeric_limits<int>::max());
  ctx.launch("for_all_indices", device::for_all_indices_kernel<F>, static_cast<std::size_t>(grid),
             block, 0, tiles, f);
}

}  // namespace backend
}  // namespace evenfold
