#pragma once
// Requests to the driver for the shared memory of a kernel.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "evenfold/backend/cuda/launch/error.cuh"

namespace evenfold::device {

/// Requests more than 48 KiB of shared memory per block, which a kernel does not have by default.
template <class Kernel>
void allow_shared(Kernel kernel, std::size_t shared_bytes) {
  if (shared_bytes > 48 * 1024) {
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes)),
               "cudaFuncSetAttribute");
  }
}

/// Requests no more shared memory per multiprocessor than its resident blocks need, so that L1 gets
/// the rest.
template <class Kernel>
void prefer_cache(Kernel kernel, int device, int blocks, std::size_t shared_bytes) {
  constexpr int reserved_per_block = 1024;
  int most = 0;
  check_cuda(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device),
             "cudaDeviceGetAttribute");
  const int needed = blocks * (static_cast<int>(shared_bytes) + reserved_per_block);
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  std::min(100, needed * 100 / most + 1)),
             "cudaFuncSetAttribute");
}

/// The most shared memory that a block may have, in bytes.
inline std::size_t most_shared(int device) {
  int bytes = 0;
  check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(bytes);
}

}  // namespace evenfold::device
