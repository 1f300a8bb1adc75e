#pragma once
// A function that one thread block of a GPU calls, for steps too small for more.

#if defined(__CUDACC__)

#include "evenfold/backend/cuda/launch/one_block.cuh"
#include "evenfold/contexts.hpp"

namespace evenfold::detail {

/// Calls f(team, shared) by a block of `Threads` threads; see device::block_team. Does not wait.
template <int Threads, class F>
void by_one_block(cuda_context& ctx, const char* name, const F& f) {
  backend::by_one_block<Threads>(ctx, name, f);
}

}  // namespace evenfold::detail

#endif
