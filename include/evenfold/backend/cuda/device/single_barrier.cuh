#pragma once
// A barrier of all blocks of a cooperative launch. At that of grid_barrier.cuh, which takes longer,
// one block acts for all.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"

namespace evenfold::device {

/// All blocks arrive once, and nothing is reset. The word counts blocks in its lower half; the
/// upper one is the generation of the launch, a number that no earlier launch has left there.
struct single_barrier {
  unsigned long long* arrived;
  std::uint32_t generation;

  /// Called by one thread of each block, once.
  __device__ void arrive() const {
    atomicMax(arrived, none());
    release_add(arrived, 1);
  }
  /// Waits until all blocks have arrived. Called by one thread.
  __device__ void wait() const {
    while (acquire(arrived) != none() + gridDim.x) {
    }
  }

 private:
  __device__ unsigned long long none() const {
    return static_cast<unsigned long long>(generation) << 32;
  }
};

}  // namespace evenfold::device
