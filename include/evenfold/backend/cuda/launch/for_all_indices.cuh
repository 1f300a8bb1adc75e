#pragma once
// Launches the kernels of backend/cuda/device/for_all_indices.cuh.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "evenfold/backend/cuda/device/for_all_indices.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/matrix_tiles.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, class F>
void for_all_indices(cuda_context& ctx, std::int64_t rows, std::int64_t columns, F f) {
  using tuning = detail::tuning_or<Tuning, for_all_indices_tuning<>>;
  const detail::matrix_tiles tiles(rows, columns, tuning::row_bits, tuning::column_bits);
  const unsigned block =
      ctx.launch_override.block > 0 ? ctx.launch_override.block : tuning::threads;
  const std::int64_t grid =
      ctx.launch_override.grid > 0
          ? ctx.launch_override.grid
          : std::min<std::int64_t>(tiles.count(), std::numeric_limits<int>::max());
  ctx.launch("for_all_indices", device::for_all_indices_kernel<F>, static_cast<std::size_t>(grid),
             block, 0, tiles, f);
}

}  // namespace evenfold::backend
