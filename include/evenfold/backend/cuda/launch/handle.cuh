#pragma once
// Handles to CUDA objects that release what they own, and the current device.

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <new>

#include "evenfold/backend/cuda/launch/error.cuh"

namespace evenfold::device {

/// Makes a device current for its lifetime, and restores the one that was current before.
class device_scope {
 public:
  explicit device_scope(int device) {
    check_cuda(cudaGetDevice(&before_), "cudaGetDevice");
    if (before_ == device) return;
    check_cuda(cudaSetDevice(device), "cudaSetDevice");
    changed_ = true;
  }
  /// For destructors: does nothing where the driver reports an error.
  device_scope(int device, std::nothrow_t) noexcept {
    if (cudaGetDevice(&before_) != cudaSuccess || before_ == device) return;
    changed_ = cudaSetDevice(device) == cudaSuccess;
  }
  ~device_scope() {
    if (changed_) cudaSetDevice(before_);
  }
  device_scope(const device_scope&) = delete;
  device_scope& operator=(const device_scope&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

/// Ignores the error of a call in a destructor, which cannot throw, and clears it, so that it is
/// not reported for the next launch.
inline void ignore_cuda(cudaError_t code) noexcept {
  if (code != cudaSuccess) cudaGetLastError();
}

template <auto Release>
struct release_by {
  template <class T>
  void operator()(T* handle) const noexcept {
    ignore_cuda(Release(handle));
  }
};

/// Owns what a CUDA call has made (a stream, a pool, memory) and releases it with another call.
template <class T, auto Release>
using cuda_handle = std::unique_ptr<T, release_by<Release>>;

/// Allocates memory of the current device that belongs to no pool.
template <class T>
cuda_handle<T, cudaFree> make_device_memory(std::size_t bytes) {
  void* memory = nullptr;
  check_cuda(cudaMalloc(&memory, bytes), "cudaMalloc");
  return cuda_handle<T, cudaFree>(static_cast<T*>(memory));
}

}  // namespace evenfold::device
