#pragma once
// A barrier of all blocks of a cooperative launch, at which one block acts for all.

#include <cuda/atomic>

#include "evenfold/backend/cuda/device/block.cuh"

namespace evenfold::device {

/// The block that arrives last acts while the others wait. It may therefore read and change shared
/// data without atomics, and decide what all blocks do next, at the cost of a plain barrier: one
/// round trip to the L2 cache each way. `arrived` and `turn` are zero between kernels.
class grid_barrier {
 public:
  EF_HD grid_barrier(unsigned* arrived, unsigned* turn) : arrived_(arrived), turn_(turn) {}

  /// Called by all threads of all blocks. All threads of the last block call `act`. All writes
  /// before the barrier are visible to `act`, and its writes to all threads afterwards.
  template <class Act>
  __device__ void operator()(Act act) {
    __shared__ bool last;
    ++turns_;
    __syncthreads();
    if (threadIdx.x == 0) {
      last = counter(*arrived_).fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
      act();
      __syncthreads();
      if (threadIdx.x == 0) {
        *arrived_ = 0;
        counter(*turn_).store(turns_, cuda::memory_order_release);
      }
    } else if (threadIdx.x == 0) {
      while (counter(*turn_).load(cuda::memory_order_acquire) != turns_) __nanosleep(20);
    }
    __syncthreads();
  }

  /// Called once by all threads of all blocks, after their last barrier: resets the counters.
  __device__ void leave() {
    __shared__ int last;
    if (arrive_last(arrived_, &last) && threadIdx.x == 0) *turn_ = 0;
  }

 private:
  using counter = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

  unsigned* arrived_;
  unsigned* turn_;
  unsigned turns_ = 0;
};

}  // namespace evenfold::device
