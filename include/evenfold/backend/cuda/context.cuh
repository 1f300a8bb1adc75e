#pragma once
// The CUDA context: one device, one stream, one stream-ordered memory pool.

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory_resource>
#include <new>
#include <optional>
#include <source_location>
#include <string>
#include <utility>

#include "evenfold/backend/cuda/error.cuh"
#include "evenfold/core/context.hpp"

namespace evenfold {

/// Makes a device current for as long as it lives.
class device_scope {
 public:
  explicit device_scope(int device) {
    check_cuda(cudaGetDevice(&before_), "cudaGetDevice");
    if (before_ != device) check_cuda(cudaSetDevice(device), "cudaSetDevice");
    changed_ = before_ != device;
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

/// Device memory ordered on one stream, from a pool of its own that keeps what was freed, so that
/// repeated calls do not go to the driver.
class cuda_memory final : public std::pmr::memory_resource {
 public:
  cuda_memory(int device, cudaStream_t stream) : device_(device), stream_(stream) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    check_cuda(cudaMemPoolCreate(&pool_, &properties), "cudaMemPoolCreate");
    std::uint64_t keep = UINT64_MAX;
    check_cuda(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep),
               "cudaMemPoolSetAttribute");
  }
  ~cuda_memory() override { cudaMemPoolDestroy(pool_); }
  cuda_memory(const cuda_memory&) = delete;
  cuda_memory& operator=(const cuda_memory&) = delete;

  /// Bytes that the pool keeps and nobody uses.
  std::size_t idle_bytes() const {
    std::uint64_t kept = 0;
    std::uint64_t used = 0;
    check_cuda(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &kept),
               "cudaMemPoolGetAttribute");
    check_cuda(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used),
               "cudaMemPoolGetAttribute");
    return kept - used;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    const device_scope scope(device_);
    void* pointer = nullptr;
    const cudaError_t code = cudaMallocFromPoolAsync(&pointer, bytes, pool_, stream_);
    if (code == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw std::bad_alloc();
    }
    check_cuda(code, "cudaMallocFromPoolAsync");
    return pointer;
  }
  void do_deallocate(void* pointer, std::size_t, std::size_t) override {
    cudaFreeAsync(pointer, stream_);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  int device_;
  cudaStream_t stream_;
  cudaMemPool_t pool_ = nullptr;
};

namespace device {

/// How many 32-bit words a result has on its way to a host that polls for it. Each travels with the
/// ticket of its call in one store, so that no fence has to come between the value and the news.
template <class T>
inline constexpr std::size_t words_of = (sizeof(T) + 3) / 4;

/// Where a kernel leaves one result: at an address, or in the mailbox under a ticket.
template <class T>
struct delivery {
  T* out = nullptr;
  unsigned long long* mailbox = nullptr;
  std::uint32_t ticket = 0;

  /// Called by one thread.
  __device__ void operator()(const T& result) const {
    if (out != nullptr) {
      *out = result;
      return;
    }
    std::uint32_t words[words_of<T>] = {};
    memcpy(words, &result, sizeof(T));
    for (std::size_t w = 0; w < words_of<T>; ++w) {
      static_cast<volatile unsigned long long*>(mailbox)[w] =
          static_cast<unsigned long long>(ticket) << 32 | words[w];
    }
  }
};

}  // namespace device

/// A grid and a block that a grid-stride algorithm uses instead of its own choice; 0 keeps the
/// choice.
struct launch_shape {
  unsigned grid = 0;
  unsigned block = 0;
};

/// One device, one stream, one pool. Everything an algorithm does is ordered on the stream; a call
/// that returns a value to the host waits for it, no other does. Not to be used by two threads at
/// once; make one context a thread.
class cuda_context {
 public:
  static constexpr memory_side side = memory_side::device;
  static constexpr backend_traits traits{work_shape::lanes, 64};

  /// Whether algorithms check on which side their pointers lie (one driver query a pointer).
  bool check_arguments = true;

  /// Overrides the launch of grid-stride algorithms (`transform`), down to one block of one thread.
  launch_shape launch_override;

  /// Opens `device` with a new stream and pool, or with memory from elsewhere, which must be usable
  /// in stream order. Errors: cuda_error where there is no such device.
  explicit cuda_context(int device = 0, std::pmr::memory_resource* memory = nullptr)
      : device_(device) {
    check_cuda(cudaSetDevice(device), "cudaSetDevice");
    check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
               "cudaDeviceGetAttribute");
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
               "cudaStreamCreateWithFlags");
    if (memory == nullptr) pool_.emplace(device, stream_);
    memory_ = memory != nullptr ? memory : &*pool_;
    check_cuda(cudaHostAlloc(&mailbox_, mailbox_words * sizeof(*mailbox_), cudaHostAllocMapped),
               "cudaHostAlloc");
    std::fill_n(mailbox_, mailbox_words, 0ull);
    check_cuda(cudaMalloc(&room_, room_bytes), "cudaMalloc");
    check_cuda(cudaMalloc(&counters_, counters_count * sizeof(unsigned)), "cudaMalloc");
    check_cuda(cudaMemsetAsync(counters_, 0, counters_count * sizeof(unsigned), stream_),
               "cudaMemsetAsync");
    side_of_address = &query_side;
  }
  ~cuda_context() {
    const device_scope scope(device_);
    cudaStreamSynchronize(stream_);
    cudaFreeHost(mailbox_);
    cudaFree(counters_);
    cudaFree(room_);
    pool_.reset();
    cudaStreamDestroy(stream_);
  }
  cuda_context(const cuda_context&) = delete;
  cuda_context& operator=(const cuda_context&) = delete;

  int device() const { return device_; }
  cudaStream_t stream() const { return stream_; }
  int multiprocessors() const { return multiprocessors_; }
  std::pmr::memory_resource* memory() { return memory_; }

  /// Bytes that arrays could still take, where they come from the device: what is free there, and
  /// what the pool keeps.
  std::size_t available_bytes() {
    const device_scope scope(device_);
    std::size_t free = 0;
    std::size_t total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free + (pool_ ? pool_->idle_bytes() : 0);
  }

  /// Waits for everything given to the stream; throws what went wrong on the way.
  void synchronize() { check_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

  /// Launches a kernel on the stream. Errors: cuda_error that names `name` and the caller's place.
  template <class... Parameters, class... Arguments>
  void launch(const char* name, void (*kernel)(Parameters...), std::size_t grid, unsigned block,
              std::size_t shared_bytes, Arguments&&... arguments) {
    const device_scope scope(device_);
    allow_shared(kernel, shared_bytes);
    kernel<<<static_cast<unsigned>(grid), block, shared_bytes, stream_>>>(
        std::forward<Arguments>(arguments)...);
    check_cuda(cudaGetLastError(), name);
  }

  /// Launches a kernel whose blocks wait for each other: all of them run at once, or the launch
  /// fails.
  template <class... Parameters>
  void launch_together(const char* name, void (*kernel)(Parameters...), std::size_t grid,
                       unsigned block, std::size_t shared_bytes,
                       std::type_identity_t<Parameters>... arguments) {
    const device_scope scope(device_);
    allow_shared(kernel, shared_bytes);
    cudaLaunchAttribute together{};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    cudaLaunchConfig_t shape{};
    shape.gridDim = dim3(static_cast<unsigned>(grid));
    shape.blockDim = dim3(block);
    shape.dynamicSmemBytes = shared_bytes;
    shape.stream = stream_;
    shape.attrs = &together;
    shape.numAttrs = 1;
    check_cuda(cudaLaunchKernelEx(&shape, kernel, arguments...), name);
  }

  /// How many blocks of a kernel the device holds at once; asked of the driver once a kernel. With
  /// `leave_cache` L1 gets what shared memory they do not need, else the driver's measure.
  template <class... Parameters>
  std::size_t resident_blocks(void (*kernel)(Parameters...), unsigned block,
                              std::size_t shared_bytes, bool leave_cache = false) {
    const auto key = std::pair(reinterpret_cast<const void*>(kernel), shared_bytes);
    const auto known = resident_.find(key);
    if (known != resident_.end()) return known->second;
    const device_scope scope(device_);
    allow_shared(kernel, shared_bytes);
    int each = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, static_cast<int>(block),
                                                             shared_bytes),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    if (leave_cache) prefer_cache(kernel, each, shared_bytes);
    const std::size_t blocks =
        static_cast<std::size_t>(std::max(each, 1)) * static_cast<std::size_t>(multiprocessors_);
    resident_.emplace(key, blocks);
    return blocks;
  }

  /// Copies bytes between any two sides, ordered on the stream.
  void copy_bytes(void* to, const void* from, std::size_t bytes) {
    const device_scope scope(device_);
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
  }

  /// Fills device memory with one byte, ordered on the stream.
  void fill_bytes(void* to, unsigned char value, std::size_t bytes) {
    const device_scope scope(device_);
    check_cuda(cudaMemsetAsync(to, value, bytes, stream_), "cudaMemsetAsync");
  }

  /// A place in the mailbox, pinned host memory, for the result of one kernel.
  template <class T>
  device::delivery<T> to_mailbox() {
    static_assert(device::words_of<T> <= mailbox_words, "a result returned to the host fits");
    return {nullptr, mailbox_, ++ticket_};
  }

  /// Waits until a kernel has delivered to the mailbox, and reads it. The host looks there for a
  /// while before it waits for the stream, whose end it hears of microseconds later. Throws what
  /// went wrong on the stream.
  template <class T>
  T from_mailbox(const device::delivery<T>& sent) {
    const auto begun = std::chrono::steady_clock::now();
    std::uint32_t words[device::words_of<T>];
    bool waited = false;
    for (std::size_t w = 0, looks = 0; w < device::words_of<T>; ++looks) {
      const unsigned long long found =
          std::atomic_ref(sent.mailbox[w]).load(std::memory_order_relaxed);
      if (found >> 32 == sent.ticket) {
        words[w++] = static_cast<std::uint32_t>(found);
      } else if (!waited && looks % 64 == 63 &&
                 std::chrono::steady_clock::now() - begun > std::chrono::microseconds(200)) {
        synchronize();
        waited = true;
      }
    }
    T result;
    std::memcpy(static_cast<void*>(&result), words, sizeof(T));
    return result;
  }

  /// Device memory for the partial results of one kernel; what it holds is lost with the next.
  template <class T>
  T* room() {
    return static_cast<T*>(room_);
  }
  /// How many T the room holds.
  template <class T>
  static constexpr std::size_t room_for() {
    static_assert(sizeof(T) <= room_bytes, "a value fits the room for partial results");
    return room_bytes / sizeof(T);
  }

  /// Counters in device memory that are zero between kernels: who uses one leaves it at zero.
  unsigned* counters() { return counters_; }

 private:
  static constexpr std::size_t mailbox_words = 1024;
  static constexpr std::size_t counters_count = 64;
  static constexpr std::size_t room_bytes = 256 * 1024;

  /// More shared memory than 48 KiB a block has to be asked for.
  template <class Kernel>
  static void allow_shared(Kernel kernel, std::size_t shared_bytes) {
    if (shared_bytes > 48 * 1024) {
      check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(shared_bytes)),
                 "cudaFuncSetAttribute");
    }
  }

  /// Asks for no more shared memory a multiprocessor than its blocks need.
  template <class Kernel>
  void prefer_cache(Kernel kernel, int blocks, std::size_t shared_bytes) const {
    constexpr int reserved_each = 1024;
    int most = 0;
    check_cuda(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device_),
               "cudaDeviceGetAttribute");
    const int needed = blocks * (static_cast<int>(shared_bytes) + reserved_each);
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    std::min(100, needed * 100 / most + 1)),
               "cudaFuncSetAttribute");
  }

  static memory_side query_side(const void* pointer) {
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

  int device_;
  int multiprocessors_ = 0;
  cudaStream_t stream_ = nullptr;
  std::optional<cuda_memory> pool_;
  std::pmr::memory_resource* memory_ = nullptr;
  unsigned long long* mailbox_ = nullptr;
  std::uint32_t ticket_ = 0;
  void* room_ = nullptr;
  unsigned* counters_ = nullptr;
  std::map<std::pair<const void*, std::size_t>, std::size_t> resident_;
};

}  // namespace evenfold
