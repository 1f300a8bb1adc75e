#pragma once
// transform on a GPU: a grid-stride loop. Any grid of any block covers every index once, so the
// launch shape is a matter of speed alone.

#include <algorithm>
#include <concepts>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/cuda/context.cuh"

namespace evenfold {

/// Launch tuning of transform: threads a block, and blocks a multiprocessor.
template <unsigned Threads = 256, unsigned BlocksPerMultiprocessor = 32>
struct transform_tuning {
  static constexpr unsigned threads = Threads;
  static constexpr unsigned blocks_per_multiprocessor = BlocksPerMultiprocessor;
};

namespace device {

template <class Size, class F>
__global__ void transform_kernel(Size count, F f) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t last = static_cast<std::uint64_t>(count);
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < last;
       i += stride) {
    f(static_cast<Size>(i));
  }
}

}  // namespace device

namespace backend {

template <class Tuning, std::integral Size, class F>
void transform(cuda_context& ctx, Size count, F f) {
  using tuning = tuning_or<Tuning, transform_tuning<>>;
  const unsigned block =
      ctx.launch_override.block > 0 ? ctx.launch_override.block : tuning::threads;
  const std::size_t most =
      static_cast<std::size_t>(ctx.multiprocessors()) * tuning::blocks_per_multiprocessor;
  const std::size_t grid =
      ctx.launch_override.grid > 0
          ? ctx.launch_override.grid
          : std::min<std::size_t>(most, ceil_div(static_cast<std::size_t>(count), block));
  ctx.launch("transform", device::transform_kernel<Size, F>, grid, block, 0, count, f);
}

}  // namespace backend
}  // namespace evenfold
