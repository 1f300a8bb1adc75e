#pragma once
// A barrier of all blocks of a cooperative launch. At that of grid_barrier.cuh, which takes longer,
// one block acts for all.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"

namespace evenfold::device {

/// All blocks pass it once, and nothing is reset. The word counts blocks in its lower half; the
/// upper one is the generation of the launch, a number that no earlier launch has left there.
struct single_barrier {
  unsigned long long* arrived;
  std::uint32_t generation;

  /// Called by all threads of all blocks.
  __device__ void operator()() const {
    __syncthreads();
    if (threadIdx.x == 0) {
      const unsigned long long none = static_cast<unsigned long long>(generation) << 32;
      atomicMax(arrived, none);
      release_add(arrived, 1);
      while (acquire(arrived) != none + gridDim.x) {
      }
    }
    __syncthreads();
  }
};

}  // namespace evenfold::device
