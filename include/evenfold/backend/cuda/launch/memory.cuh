#pragma once
// Stream-ordered device memory: the pool of a context, and memory resources of the user.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <type_traits>

#include "evenfold/backend/cuda/launch/error.cuh"
#include "evenfold/backend/cuda/launch/handle.cuh"
#include "evenfold/core/context.hpp"

namespace evenfold {

/// Allocates the memory of a cuda_context; derive from it to pass a memory resource of your own.
/// Both calls name the stream of the context, and are made while its device is current. One
/// resource may serve several contexts, also on several threads if it is thread-safe.
///
/// Example: examples/cuda_stream.cu.
class stream_memory_resource {
 public:
  virtual ~stream_memory_resource() = default;

  /// Allocates device memory, aligned to `alignment`, for work submitted to `stream` after this
  /// call. Throws std::bad_alloc where memory is exhausted.
  virtual void* allocate(std::size_t bytes, std::size_t alignment, cudaStream_t stream) = 0;

  /// Frees memory that was allocated with the same arguments. Work submitted to `stream` before
  /// this call may still use the memory; work submitted afterwards does not.
  virtual void deallocate(void* memory, std::size_t bytes, std::size_t alignment,
                          cudaStream_t stream) noexcept = 0;

  /// Bytes that the resource holds and that are not allocated.
  virtual std::size_t idle_bytes() const { return 0; }

  /// Lets another device read and write the memory that the resource allocates. Nothing is to be
  /// done for memory of cudaMalloc.
  virtual void allow_access(int /*device*/) {}
};

/// A memory pool of CUDA that keeps freed memory, so that later allocations do not call the driver.
class cuda_pool final : public stream_memory_resource {
 public:
  explicit cuda_pool(int device) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool = nullptr;
    device::check_cuda(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate");
    pool_.reset(pool);
    std::uint64_t keep = UINT64_MAX;
    device::check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
                       "cudaMemPoolSetAttribute");
  }

  void* allocate(std::size_t bytes, std::size_t, cudaStream_t stream) override {
    void* memory = nullptr;
    const cudaError_t code = cudaMallocFromPoolAsync(&memory, bytes, pool_.get(), stream);
    if (code == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw std::bad_alloc();
    }
    device::check_cuda(code, "cudaMallocFromPoolAsync");
    return memory;
  }

  void deallocate(void* memory, std::size_t, std::size_t, cudaStream_t stream) noexcept override {
    device::ignore_cuda(cudaFreeAsync(memory, stream));
  }

  std::size_t idle_bytes() const override {
    return attribute(cudaMemPoolAttrReservedMemCurrent) - attribute(cudaMemPoolAttrUsedMemCurrent);
  }

  void allow_access(int device) override {
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = device;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    device::check_cuda(cudaMemPoolSetAccess(pool_.get(), &access, 1), "cudaMemPoolSetAccess");
  }

 private:
  std::uint64_t attribute(cudaMemPoolAttr which) const {
    std::uint64_t bytes = 0;
    device::check_cuda(cudaMemPoolGetAttribute(pool_.get(), which, &bytes),
                       "cudaMemPoolGetAttribute");
    return bytes;
  }

  device::cuda_handle<std::remove_pointer_t<cudaMemPool_t>, cudaMemPoolDestroy> pool_;
};

namespace device {

/// On which side of the bus an address lies, by a query of the driver.
inline memory_side query_side(const void* pointer) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, pointer), "cudaPointerGetAttributes");
  switch (attributes.type) {
    case cudaMemoryTypeDevice:
      return memory_side::device;
    case cudaMemoryTypeHost:
    case cudaMemoryTypeManaged:
      return memory_side::either;
    default:
      return memory_side::host;
  }
}

/// Adapts a stream_memory_resource to std::pmr: the memory of one stream, as arrays take it.
class memory_of_stream final : public std::pmr::memory_resource {
 public:
  memory_of_stream(stream_memory_resource* from, int device, cudaStream_t stream)
      : from_(from), device_(device), stream_(stream) {}

  stream_memory_resource* from() const { return from_; }
  std::size_t idle_bytes() const { return from_->idle_bytes(); }
  void allow_access(int device) { from_->allow_access(device); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const device_scope scope(device_);
    return from_->allocate(bytes, alignment, stream_);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    const device_scope scope(device_, std::nothrow);
    from_->deallocate(memory, bytes, alignment, stream_);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  stream_memory_resource* from_;
  int device_;
  cudaStream_t stream_;
};

/// Adapts a resource of std::pmr, whose memory is that of a device, to a context of one stream.
class memory_for_stream final : public stream_memory_resource {
 public:
  explicit memory_for_stream(std::pmr::memory_resource& from) : from_(&from) {}

  void* allocate(std::size_t bytes, std::size_t alignment, cudaStream_t) override {
    return from_->allocate(bytes, alignment);
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment,
                  cudaStream_t) noexcept override {
    from_->deallocate(memory, bytes, alignment);
  }

 private:
  std::pmr::memory_resource* from_;
};

}  // namespace device

}  // namespace evenfold
