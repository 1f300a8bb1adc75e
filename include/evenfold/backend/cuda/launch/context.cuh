#pragma once
// The CUDA context: one device, one stream, one stream-ordered memory pool.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/launch/error.cuh"
#include "evenfold/backend/cuda/launch/handle.cuh"
#include "evenfold/backend/cuda/launch/mailbox.cuh"
#include "evenfold/backend/cuda/launch/memory.cuh"
#include "evenfold/core/context.hpp"

namespace evenfold {

/// A grid and a block that a grid-stride algorithm uses instead of its own choice; 0 keeps the
/// choice.
struct launch_shape {
  unsigned grid = 0;
  unsigned block = 0;
};

/// What a stream that a context makes for itself has to do with the legacy default stream: it is
/// ordered with it (blocking), or independent of it (non_blocking).
enum class own_stream { blocking, non_blocking };

/// One device, one stream, one pool. Everything an algorithm does is ordered on the stream; a call
/// that returns a value to the host waits for it, no other does.
///
/// By default the stream is ordered with the legacy default stream, as a kernel launch that names
/// no stream is: a cudaMemcpy or a kernel before a call is done before the call's work begins, and
/// one after it begins after. A program compiled with `--default-stream per-thread` has another
/// default stream, cudaStreamPerThread, which it can pass.
///
/// Not to be used by two threads at once; make one context per thread. A context can be moved; its
/// arrays stay valid, and the context that was moved from can only be assigned to or destroyed.
/// Opening and destroying a context leave the caller's current device as it was. A thread that
/// works on another device than 0 does well to make it current: each call then finds it so.
///
/// Example: examples/cuda_stream.cu.
class cuda_context {
 public:
  static constexpr memory_side side = memory_side::device;
  static constexpr backend_traits traits{work_shape::lanes, 64};

  /// Whether algorithms check on which side their pointers lie (one driver query a pointer).
  bool check_arguments = true;

  /// Overrides the launch of grid-stride algorithms (`transform`), down to one block of one thread.
  launch_shape launch_override;

  /// Opens `device` with a stream of its own. Memory comes from `memory`, which outlives the
  /// context and is told the stream at each call, or from a pool of the context's own. Errors:
  /// cuda_error where there is no such device.
  explicit cuda_context(int device = 0, own_stream kind = own_stream::blocking,
                        stream_memory_resource* memory = nullptr)
      : state_(open(device, memory, [kind] { return make_stream(kind); })) {}

  /// Opens `device` on a stream of the caller's, which outlives the context: one of that device's,
  /// or a default stream (0, cudaStreamLegacy, cudaStreamPerThread). Errors: argument_error where
  /// the stream belongs to another device.
  cuda_context(int device, cudaStream_t stream, stream_memory_resource* memory = nullptr)
      : state_(open(device, memory, [=] { return adopt_stream(device, stream); })) {}

  int device() const { return state_->device; }
  cudaStream_t stream() const { return state_->stream.get(); }
  int multiprocessors() const { return state_->multiprocessors; }
  std::pmr::memory_resource* memory() { return &state_->memory; }

  /// Bytes that arrays could still take, where they come from the device: what is free there, and
  /// what the pool keeps.
  std::size_t available_bytes() {
    const device::device_scope scope(device());
    std::size_t free = 0;
    std::size_t total = 0;
    device::check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free + state_->memory.idle_bytes();
  }

  /// Waits for everything given to the stream; throws what went wrong on the way.
  void synchronize() {
    const device::device_scope scope(device());
    device::check_cuda(cudaStreamSynchronize(stream()), "cudaStreamSynchronize");
  }

  /// Launches a kernel on the stream. Errors: cuda_error that names `name` and the caller's place.
  template <class... Parameters, class... Arguments>
  void launch(const char* name, void (*kernel)(Parameters...), std::size_t grid, unsigned block,
              std::size_t shared_bytes, Arguments&&... arguments) {
    const device::device_scope scope(device());
    allow_shared(kernel, shared_bytes);
    kernel<<<static_cast<unsigned>(grid), block, shared_bytes, stream()>>>(
        std::forward<Arguments>(arguments)...);
    device::check_cuda(cudaGetLastError(), name);
  }

  /// Launches a kernel whose blocks wait for each other: all of them run at once, or the launch
  /// fails.
  template <class... Parameters>
  void launch_together(const char* name, void (*kernel)(Parameters...), std::size_t grid,
                       unsigned block, std::size_t shared_bytes,
                       std::type_identity_t<Parameters>... arguments) {
    const device::device_scope scope(device());
    allow_shared(kernel, shared_bytes);
    cudaLaunchAttribute together{};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    cudaLaunchConfig_t shape{};
    shape.gridDim = dim3(static_cast<unsigned>(grid));
    shape.blockDim = dim3(block);
    shape.dynamicSmemBytes = shared_bytes;
    shape.stream = stream();
    shape.attrs = &together;
    shape.numAttrs = 1;
    device::check_cuda(cudaLaunchKernelEx(&shape, kernel, arguments...), name);
  }

  /// How many blocks of a kernel the device holds at once; asked of the driver once a kernel. With
  /// `leave_cache` L1 gets what shared memory they do not need, else the driver's measure.
  template <class... Parameters>
  std::size_t resident_blocks(void (*kernel)(Parameters...), unsigned block,
                              std::size_t shared_bytes, bool leave_cache = false) {
    const auto key = std::pair(reinterpret_cast<const void*>(kernel), shared_bytes);
    const auto known = state_->resident.find(key);
    if (known != state_->resident.end()) return known->second;
    const device::device_scope scope(device());
    allow_shared(kernel, shared_bytes);
    int each = 0;
    device::check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                           &each, kernel, static_cast<int>(block), shared_bytes),
                       "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    if (leave_cache) prefer_cache(kernel, each, shared_bytes);
    const std::size_t blocks =
        static_cast<std::size_t>(std::max(each, 1)) * static_cast<std::size_t>(multiprocessors());
    state_->resident.emplace(key, blocks);
    return blocks;
  }

  /// Copies bytes between any two sides, ordered on the stream.
  void copy_bytes(void* to, const void* from, std::size_t bytes) {
    const device::device_scope scope(device());
    device::check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()),
                       "cudaMemcpyAsync");
  }

  /// Fills device memory with one byte, ordered on the stream.
  void fill_bytes(void* to, unsigned char value, std::size_t bytes) {
    const device::device_scope scope(device());
    device::check_cuda(cudaMemsetAsync(to, value, bytes, stream()), "cudaMemsetAsync");
  }

  /// A place in the mailbox, pinned host memory, for the result of one kernel.
  template <class T>
  device::delivery<T> to_mailbox() {
    return state_->results.template next<T>();
  }

  /// Waits until a kernel has delivered to the mailbox, and reads it. The host looks there for a
  /// while before it waits for the stream. Throws what went wrong on the stream.
  template <class T>
  T from_mailbox(const device::delivery<T>& sent) {
    return device::mailbox::read(sent, [&] { synchronize(); });
  }

  /// Device memory for the partial results of one kernel; what it holds is lost with the next.
  template <class T>
  T* scratch() {
    return static_cast<T*>(state_->scratch.get());
  }
  /// How many T the room holds.
  template <class T>
  static constexpr std::size_t scratch_capacity() {
    static_assert(sizeof(T) <= scratch_bytes, "a value fits the scratch for partial results");
    return scratch_bytes / sizeof(T);
  }

  /// Counters in device memory that are zero between kernels: who uses one leaves it at zero.
  unsigned* counters() { return state_->counters.get(); }

 private:
  static constexpr std::size_t counters_count = 64;
  static constexpr std::size_t scratch_bytes = 256 * 1024;

  /// More shared memory than 48 KiB a block has to be asked for.
  template <class Kernel>
  static void allow_shared(Kernel kernel, std::size_t shared_bytes) {
    if (shared_bytes > 48 * 1024) {
      device::check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              static_cast<int>(shared_bytes)),
                         "cudaFuncSetAttribute");
    }
  }

  /// Asks for no more shared memory a multiprocessor than its blocks need.
  template <class Kernel>
  void prefer_cache(Kernel kernel, int blocks, std::size_t shared_bytes) const {
    constexpr int reserved_each = 1024;
    int most = 0;
    device::check_cuda(
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device()),
        "cudaDeviceGetAttribute");
    const int needed = blocks * (static_cast<int>(shared_bytes) + reserved_each);
    device::check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                            std::min(100, needed * 100 / most + 1)),
                       "cudaFuncSetAttribute");
  }

  static memory_side query_side(const void* pointer) {
    cudaPointerAttributes attributes{};
    device::check_cuda(cudaPointerGetAttributes(&attributes, pointer), "cudaPointerGetAttributes");
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

  /// Adopted streams stay the caller's.
  struct destroy_own {
    bool own;
    void operator()(cudaStream_t stream) const noexcept {
      if (own) device::ignore_cuda(cudaStreamDestroy(stream));
    }
  };
  using stream_handle = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, destroy_own>;

  static stream_handle make_stream(own_stream kind) {
    cudaStream_t stream = nullptr;
    device::check_cuda(
        cudaStreamCreateWithFlags(
            &stream, kind == own_stream::blocking ? cudaStreamDefault : cudaStreamNonBlocking),
        "cudaStreamCreateWithFlags");
    return {stream, {true}};
  }

  static stream_handle adopt_stream(int device, cudaStream_t stream) {
    int its_device = device;
    device::check_cuda(cudaStreamGetDevice(stream, &its_device), "cudaStreamGetDevice");
    if (its_device != device) {
      detail::refuse_argument(
          "cuda_context", "stream", "one of device " + std::to_string(its_device),
          "the context opens device " + std::to_string(device), "pass the stream's device");
    }
    return {stream, {false}};
  }

  /// What a context holds. It has one address for life, for the arrays that were made with its
  /// memory, and is made while its device is current.
  struct state {
    state(int number, stream_handle given, stream_memory_resource* from)
        : device(number),
          stream(std::move(given)),
          pool(from == nullptr ? std::make_unique<cuda_pool>(number) : nullptr),
          memory(from == nullptr ? pool.get() : from, number, stream.get()) {
      device::check_cuda(
          cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, number),
          "cudaDeviceGetAttribute");
      device::check_cuda(
          cudaMemsetAsync(counters.get(), 0, counters_count * sizeof(unsigned), stream.get()),
          "cudaMemsetAsync");
    }
    /// Waits for kernels that use what is about to be freed.
    ~state() {
      const device::device_scope scope(device, std::nothrow);
      device::ignore_cuda(cudaStreamSynchronize(stream.get()));
    }
    state(const state&) = delete;
    state& operator=(const state&) = delete;

    int device;
    int multiprocessors = 0;
    stream_handle stream;
    std::unique_ptr<cuda_pool> pool;
    device::memory_of_stream memory;
    device::mailbox results;
    device::cuda_handle<void, cudaFree> scratch = device::make_device_memory<void>(scratch_bytes);
    device::cuda_handle<unsigned, cudaFree> counters =
        device::make_device_memory<unsigned>(counters_count * sizeof(unsigned));
    std::map<std::pair<const void*, std::size_t>, std::size_t> resident;
  };

  template <class GetStream>
  static std::unique_ptr<state> open(int device, stream_memory_resource* memory, GetStream stream) {
    const device::device_scope scope(device);
    auto opened = std::make_unique<state>(device, stream(), memory);
    detail::side_of_address = &query_side;
    return opened;
  }

  std::unique_ptr<state> state_;
};

}  // namespace evenfold
