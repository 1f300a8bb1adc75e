#pragma once
// Device memory in stream order: the pool of a context, and memory from elsewhere.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <type_traits>

#include "evenfold/backend/cuda/launch/handle.cuh"

namespace evenfold {

/// Where cuda_contexts take their memory from: derive from it to pass a memory resource of your
/// own. Both calls name the stream of the context, whose device is current meanwhile. One resource
/// may serve several contexts, on several threads if it is made for that.
///
/// Example: examples/cuda_stream.cu.
class stream_memory_resource {
 public:
  virtual ~stream_memory_resource() = default;

  /// Device memory for the work that is given to `stream` from now on, aligned to `alignment`.
  /// Throws std::bad_alloc where there is none.
  virtual void* allocate(std::size_t bytes, std::size_t alignment, cudaStream_t stream) = 0;

  /// Takes memory back that was allocated with the same arguments. Work that was given to `stream`
  /// before may still use it; what is given to `stream` from now on does not.
  virtual void deallocate(void* memory, std::size_t bytes, std::size_t alignment,
                          cudaStream_t stream) noexcept = 0;

  /// Bytes that are kept here and that nobody uses.
  virtual std::size_t idle_bytes() const { return 0; }
};

/// A pool of CUDA that keeps what was freed, so that repeated calls do not go to the driver.
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

/// The memory of one stream, as arrays take it: asks a stream_memory_resource in the name of the
/// stream.
class memory_of_stream final : public std::pmr::memory_resource {
 public:
  memory_of_stream(stream_memory_resource* from, int device, cudaStream_t stream)
      : from_(from), device_(device), stream_(stream) {}

  std::size_t idle_bytes() const { return from_->idle_bytes(); }

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

}  // namespace device

}  // namespace evenfold
