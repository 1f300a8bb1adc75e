#pragma once
// Counters of a launch in memory that the context keeps: an earlier launch has left its own numbers
// there.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"

namespace evenfold::device {

/// Counts up to 2^32. The upper half of the word is the generation of the launch.
struct launch_counter {
  unsigned long long* word;
  std::uint32_t generation;

  /// Returns what it was before.
  __device__ unsigned add(unsigned amount) const {
    atomicMax(word, static_cast<unsigned long long>(generation) << 32);
    return static_cast<unsigned>(atomicAdd(word, static_cast<unsigned long long>(amount)));
  }
  __device__ unsigned look() const {
    return count_in(*static_cast<volatile unsigned long long*>(word));
  }
  /// The same. What the threads wrote that added to it before is visible afterwards, if they had a
  /// fence.
  __device__ unsigned acquired() const { return count_in(acquire(word)); }

 private:
  __device__ unsigned count_in(unsigned long long now) const {
    return static_cast<std::uint32_t>(now >> 32) == generation ? static_cast<unsigned>(now) : 0;
  }
};

}  // namespace evenfold::device
