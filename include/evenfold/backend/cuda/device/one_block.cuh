#pragma once
// A function that all threads of one block call together.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// The sum of the values of earlier threads, and of all threads.
template <class T>
struct sums_of_block {
  T before, total;
};

/// The threads of a block. All of them call each function; it synchronises them.
template <int Threads>
class block_team {
 public:
  static constexpr int threads = Threads;

  struct scratch_type {
    alignas(16) unsigned char bytes[Threads / warp_threads * 16];
  };

  __device__ explicit block_team(scratch_type& scratch) : scratch_(&scratch) {}

  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ void synchronise() const { __syncthreads(); }

  /// The least value of all threads, in each of them.
  template <class T>
  __device__ T minimum_of_all(T value) const {
    auto* const slots = reinterpret_cast<uninitialized<T>*>(scratch_->bytes);
    const T least = block_fold<Threads>(value, Threads, slots, minimum{});
    __syncthreads();
    if (threadIdx.x == 0) slots[0] = uninitialized<T>(least);
    __syncthreads();
    const T result = slots[0].value;
    __syncthreads();
    return result;
  }

  template <class T>
  __device__ sums_of_block<T> sum(T value) const {
    auto* const slots = reinterpret_cast<uninitialized<T>*>(scratch_->bytes);
    const auto sums = block_scan<Threads>(value, slots, plus{});
    __syncthreads();
    return {threadIdx.x == 0 ? T{0} : sums.before.value, sums.total};
  }

 private:
  scratch_type* scratch_;
};

/// f(team, shared), with shared memory for an F::shared_type.
template <int Threads, class F>
__global__ void __launch_bounds__(Threads) one_block_kernel(F f) {
  __shared__ typename block_team<Threads>::scratch_type scratch;
  f(block_team<Threads>(scratch), shared_as<typename F::shared_type>());
}

}  // namespace evenfold::device
