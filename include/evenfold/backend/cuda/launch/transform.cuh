#pragma once
// Launches the kernels of backend/cuda/device/transform.cuh.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>

#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F>
void transform(cuda_context& ctx, Size count, F f) {
  using tuning = detail::tuning_or<Tuning, transform_tuning<>>;
  constexpr int width = device::transform_width<F>;
  const unsigned block = ctx.launch_override.block > 0 ? ctx.launch_override.block
                         : width > 1                   ? tuning::threads_wide
                                                       : tuning::threads;
  // Where a thread handles several elements, one block per tile is faster than a loop in fewer
  // blocks (docs/performance.md).
  const std::size_t most = width > 1 ? std::numeric_limits<int>::max()
                                     : std::size_t{tuning::blocks_per_multiprocessor} *
                                           static_cast<std::size_t>(ctx.multiprocessors());
  const std::size_t each = std::size_t{block} * width;
  const std::size_t grid =
      ctx.launch_override.grid > 0
          ? ctx.launch_override.grid
          : std::min(most, detail::ceil_div(static_cast<std::size_t>(count), each));
  if constexpr (width > 1) {
    ctx.launch("transform", device::transform_wide_kernel<F>, grid, block, 0,
               static_cast<std::uint64_t>(count), f);
  } else {
    ctx.launch("transform", device::transform_kernel<Size, F>, grid, block, 0, count, f);
  }
}

}  // namespace evenfold::backend
