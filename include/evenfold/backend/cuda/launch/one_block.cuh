#pragma once
// Launches the kernel of backend/cuda/device/one_block.cuh.

#include "evenfold/backend/cuda/device/one_block.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"

namespace evenfold::backend {

/// Calls f(team, shared) by a block of `Threads` threads. Does not wait.
template <int Threads, class F>
void by_one_block(cuda_context& ctx, const char* name, const F& f) {
  ctx.launch(name, device::one_block_kernel<Threads, F>, 1, Threads,
             sizeof(typename F::shared_type), f);
}

}  // namespace evenfold::backend
