#pragma once
// The CUDA context: one device, one stream, one stream-ordered memory pool.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/launch/block_cache.cuh"
#include "evenfold/backend/cuda/launch/error.cuh"
#include "evenfold/backend/cuda/launch/handle.cuh"
#include "evenfold/backend/cuda/launch/mailbox.cuh"
#include "evenfold/backend/cuda/launch/memory.cuh"
#include "evenfold/backend/cuda/launch/shared_memory.cuh"
#include "evenfold/backend/cuda/launch/stream.cuh"
#include "evenfold/core/context.hpp"

namespace evenfold {

namespace device {

/// Words in device memory for flags, and the generation that a kernel stores in them.
template <class Word>
struct flag_words {
  Word* words = nullptr;
  std::uint32_t generation = 0;
};

}  // namespace device

/// The numbers of blocks and of threads per block for grid-stride algorithms; 0 leaves the number
/// to the algorithm.
struct launch_shape {
  unsigned grid = 0;
  unsigned block = 0;
};

/// One device, one stream, one memory pool. All work of an algorithm is submitted to the stream. A
/// call that returns a value to the host waits for it; no other call waits. The pool keeps what it
/// has taken from the device until the context is destroyed, and large blocks whole, for arrays of
/// the same size (launch/block_cache.cuh).
///
/// By default the stream is ordered with the legacy default stream: a cudaMemcpy or a kernel launch
/// that names no stream is complete before the work of a later call begins, and begins after the
/// work of an earlier call is complete. A program compiled with `--default-stream per-thread` has
/// another default stream, cudaStreamPerThread, which it can pass to the constructor.
///
/// A context must not be used by two threads at once; create one context per thread. A context can
/// be moved: its arrays stay valid, and the moved-from context can only be assigned to or
/// destroyed. Creating and destroying a context leave the current device as it was. A thread that
/// uses a device other than 0 should make it current, so that calls need not switch the device.
///
/// Example: examples/cuda_stream.cu.
class cuda_context {
 public:
  static constexpr memory_side side = memory_side::device;
  static constexpr backend_traits traits{work_shape::lanes, 64, 64};

  /// Whether algorithms check on which side their pointers lie (one driver query per pointer).
  bool check_arguments = true;

  /// Overrides the launch of grid-stride algorithms such as `transform`, down to one thread.
  launch_shape launch_override;

  /// Opens `device` with a new stream. Memory comes from `memory`, which must outlive the context,
  /// or from a pool of the context's own. Errors: cuda_error where there is no such device.
  explicit cuda_context(int device = 0, own_stream kind = own_stream::blocking,
                        stream_memory_resource* memory = nullptr)
      : state_(open(device, memory, [kind] { return device::make_stream(kind); })) {}

  /// Opens `device` with a stream of the caller's, which must outlive the context: a stream of that
  /// device, or a default stream (0, cudaStreamLegacy, cudaStreamPerThread). Errors: argument_error
  /// where the stream belongs to another device.
  cuda_context(int device, cudaStream_t stream, stream_memory_resource* memory = nullptr)
      : state_(open(device, memory, [=] { return device::adopt_stream(device, stream); })) {}

  /// A context of the same device and stream with the memory of a resource that outlives it, such
  /// as a workspace in device memory. What is freed there is used again in the order of the stream.
  cuda_context with_memory(std::pmr::memory_resource& memory) const {
    cuda_context other(open(
        device(), nullptr, [this] { return device::adopt_stream(device(), stream()); }, &memory));
    other.check_arguments = check_arguments;
    other.launch_override = launch_override;
    return other;
  }

  int device() const { return state_->device; }
  /// 10 times the compute capability of the device, such as 90.
  int architecture() const { return state_->architecture; }
  cudaStream_t stream() const { return state_->stream.get(); }
  int multiprocessors() const { return state_->multiprocessors; }
  std::pmr::memory_resource* memory() { return &state_->memory; }

  /// Bytes that arrays in device memory could still take: the free memory of the device, and what
  /// the pool holds unused.
  std::size_t available_bytes() {
    const device::device_scope scope(device());
    std::size_t free = 0;
    std::size_t total = 0;
    device::check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free + state_->memory.idle_bytes();
  }

  /// Lets all other devices of this machine that can reach this one read and write the arrays of
  /// the context. Ranks that are GPUs of one process need it before they exchange data, and read
  /// the arrays of each other where they are. Errors: cuda_error.
  void allow_peers() {
    const device::device_scope scope(device());
    int devices = 0;
    device::check_cuda(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    bool all_reach = true;
    for (int other = 0; other < devices; ++other) {
      if (other == device()) continue;
      int reaches = 0;
      device::check_cuda(cudaDeviceCanAccessPeer(&reaches, other, device()),
                         "cudaDeviceCanAccessPeer");
      all_reach = all_reach && reaches != 0;
      if (reaches != 0) state_->memory.allow_access(other);
    }
    // A memory resource of the user need not make its memory accessible to kernels of others.
    state_->shows_arrays = all_reach && state_->has_pool;
  }

  /// Whether kernels of all other devices of this machine can read the arrays of the context.
  bool shows_arrays_to_peers() const { return state_->shows_arrays; }

  /// A second context of the device, for work beside that of this one, which is before other work
  /// of the device. It is opened by the first call, and lasts as long as this context.
  cuda_context& beside() {
    if (!state_->beside) {
      const device::device_scope scope(device());
      state_->beside_stream = device::make_urgent_stream();
      state_->beside = std::make_unique<cuda_context>(
          device(), state_->beside_stream.get(),
          state_->own_memory == nullptr ? state_->memory.from() : nullptr);
      state_->beside->check_arguments = check_arguments;
      if (state_->shows_arrays) state_->beside->allow_peers();
    }
    return *state_->beside;
  }

  /// Work that is submitted later runs after that which `other` has been given so far, a context of
  /// the same device. Does not wait.
  void follow(cuda_context& other) {
    const device::device_scope scope(device());
    device::check_cuda(cudaEventRecord(other.state_->submitted.get(), other.stream()),
                       "cudaEventRecord");
    device::check_cuda(cudaStreamWaitEvent(stream(), other.state_->submitted.get()),
                       "cudaStreamWaitEvent");
  }

  /// Waits for all work on the stream. Errors: cuda_error where any of it failed.
  void synchronize() {
    const device::device_scope scope(device());
    device::check_cuda(cudaStreamSynchronize(stream()), "cudaStreamSynchronize");
  }

  /// Launches a kernel on the stream. Errors: cuda_error that names `name`.
  template <class... Parameters, class... Arguments>
  void launch(const char* name, void (*kernel)(Parameters...), std::size_t grid, unsigned block,
              std::size_t shared_bytes, Arguments&&... arguments) {
    const device::device_scope scope(device());
    device::allow_shared(kernel, shared_bytes);
    kernel<<<static_cast<unsigned>(grid), block, shared_bytes, stream()>>>(
        std::forward<Arguments>(arguments)...);
    device::check_cuda(cudaGetLastError(), name);
  }

  /// Launches a kernel whose blocks wait for each other (a cooperative launch): all blocks are
  /// resident at once, or the launch fails.
  template <class... Parameters>
  void launch_together(const char* name, void (*kernel)(Parameters...), std::size_t grid,
                       unsigned block, std::size_t shared_bytes,
                       std::type_identity_t<Parameters>... arguments) {
    const device::device_scope scope(device());
    device::allow_shared(kernel, shared_bytes);
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

  /// How many blocks of a kernel are resident on the device at once; the driver is asked once per
  /// kernel. With `leave_cache`, L1 gets the memory that the blocks do not need as shared memory;
  /// otherwise the driver decides.
  template <class... Parameters>
  std::size_t resident_blocks(void (*kernel)(Parameters...), unsigned block,
                              std::size_t shared_bytes, bool leave_cache = false) {
    const auto key = std::pair(reinterpret_cast<const void*>(kernel), shared_bytes);
    const auto known = state_->resident.find(key);
    if (known != state_->resident.end()) return known->second;
    const device::device_scope scope(device());
    device::allow_shared(kernel, shared_bytes);
    int per_multiprocessor = 0;
    device::check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                           &per_multiprocessor, kernel, static_cast<int>(block), shared_bytes),
                       "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    if (leave_cache) {
      device::prefer_cache(kernel, device(), per_multiprocessor, shared_bytes);
    }
    const std::size_t blocks =
        static_cast<std::size_t>(per_multiprocessor > 1 ? per_multiprocessor : 1) *
        static_cast<std::size_t>(multiprocessors());
    state_->resident.emplace(key, blocks);
    return blocks;
  }

  /// Copies bytes between any two sides, in stream order.
  void copy_bytes(void* to, const void* from, std::size_t bytes) {
    const device::device_scope scope(device());
    device::check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()),
                       "cudaMemcpyAsync");
  }

  /// Sets bytes of device memory to one value, in stream order.
  void fill_bytes(void* to, unsigned char value, std::size_t bytes) {
    const device::device_scope scope(device());
    device::check_cuda(cudaMemsetAsync(to, value, bytes, stream()), "cudaMemsetAsync");
  }

  /// Where the next kernel delivers a result to the host: a slot in pinned host memory.
  template <class T>
  device::delivery<T> to_mailbox() {
    return state_->results.template next<T>();
  }

  /// Waits until a kernel has delivered its result, and returns it. The host polls for a while
  /// before it waits for the stream. Errors: cuda_error where work on the stream failed.
  template <class T>
  T from_mailbox(const device::delivery<T>& sent) {
    return device::mailbox::read(sent, [&] { synchronize(); });
  }

  /// The same while work that was submitted after that kernel still runs: `submit` submits it, once
  /// the kernel is launched. It must not deliver results to the host.
  template <class T, class Submit>
  T from_mailbox(const device::delivery<T>& sent, Submit submit) {
    cudaEvent_t const delivered = state_->submitted.get();
    {
      const device::device_scope scope(device());
      device::check_cuda(cudaEventRecord(delivered, stream()), "cudaEventRecord");
    }
    submit();
    return device::mailbox::read(
        sent, [&] { device::check_cuda(cudaEventSynchronize(delivered), "cudaEventSynchronize"); });
  }

  /// Device memory for the partial results of one kernel; the next kernel may overwrite it.
  template <class T>
  T* scratch() {
    return static_cast<T*>(state_->scratch.get());
  }
  /// How many T fit the scratch memory.
  template <class T>
  static constexpr std::size_t scratch_capacity() {
    static_assert(sizeof(T) <= scratch_bytes,
                  "a value fits the scratch memory for partial results");
    return scratch_bytes / sizeof(T);
  }

  /// The words of each size that the context keeps for flags.
  static constexpr std::size_t flags_capacity = std::size_t{1} << 16;

  /// Words for the flags of what the blocks of one kernel publish to each other; the next kernel
  /// may overwrite them. The upper half of a word holds a generation, and that of the result is one
  /// that no word holds yet.
  template <class Word>
  device::flag_words<Word> next_flags() {
    constexpr bool is_short = sizeof(Word) == sizeof(std::uint64_t);
    static_assert(is_short || sizeof(Word) == 2 * sizeof(std::uint64_t));
    if (++state_->generation == 0) {
      fill_bytes(state_->flags.get(), 0, flags_bytes);
      state_->generation = 1;
    }
    // The words of 8 bytes come first, then those of 16 bytes.
    char* const words =
        state_->flags.get() + (is_short ? 0 : flags_capacity * sizeof(std::uint64_t));
    return {reinterpret_cast<Word*>(words), state_->generation};
  }

  /// Whether the work of the stream is being captured into a graph, which may be launched often.
  bool is_capturing() const {
    const device::device_scope scope(device());
    return device::is_capturing(stream());
  }

  /// Counters in device memory that are zero between kernels: a kernel that uses one resets it.
  unsigned* counters() { return state_->counters.get(); }
  /// Counters of 64 bits, one for each page of the segments that a kernel may cut.
  static constexpr std::size_t num_wide_counters = std::size_t{1} << 17;
  unsigned long long* wide_counters() {
    return reinterpret_cast<unsigned long long*>(counters() + 64);
  }

 private:
  static constexpr std::size_t counters_count = 64 + 2 * num_wide_counters;
  static constexpr std::size_t scratch_bytes = 256 * 1024;
  static constexpr std::size_t flags_bytes = 3 * flags_capacity * sizeof(std::uint64_t);

  /// What a context holds. Its address does not change when the context is moved, since arrays
  /// point to its memory resource. It is created while its device is current.
  struct state {
    state(int number, device::stream_handle given, stream_memory_resource* from,
          std::pmr::memory_resource* of_caller)
        : device(number),
          multiprocessors(attribute(cudaDevAttrMultiProcessorCount)),
          architecture(10 * attribute(cudaDevAttrComputeCapabilityMajor) +
                       attribute(cudaDevAttrComputeCapabilityMinor)),
          has_pool(from == nullptr && of_caller == nullptr),
          stream(std::move(given)),
          own_memory(from == nullptr ? make_memory(of_caller) : nullptr),
          memory(from == nullptr ? own_memory.get() : from, number, stream.get()) {
      cudaEvent_t made = nullptr;
      device::check_cuda(cudaEventCreateWithFlags(&made, cudaEventDisableTiming),
                         "cudaEventCreate");
      submitted.reset(made);
      device::check_cuda(
          cudaMemsetAsync(counters.get(), 0, counters_count * sizeof(unsigned), stream.get()),
          "cudaMemsetAsync");
      device::check_cuda(cudaMemsetAsync(flags.get(), 0, flags_bytes, stream.get()),
                         "cudaMemsetAsync");
    }
    /// Waits for kernels that use the memory that is freed next.
    ~state() {
      const device::device_scope scope(device, std::nothrow);
      device::ignore_cuda(cudaStreamSynchronize(stream.get()));
    }
    state(const state&) = delete;
    state& operator=(const state&) = delete;

    int attribute(cudaDeviceAttr which) const {
      int value = 0;
      device::check_cuda(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
      return value;
    }

    /// Memory of the caller's, or a pool.
    std::unique_ptr<stream_memory_resource> make_memory(
        std::pmr::memory_resource* of_caller) const {
      if (of_caller != nullptr) return std::make_unique<device::memory_for_stream>(*of_caller);
      return std::make_unique<device::block_cache>(std::make_unique<cuda_pool>(device),
                                                   stream.get());
    }

    int device;
    int multiprocessors;
    int architecture;
    bool has_pool;
    bool shows_arrays = false;
    device::stream_handle stream;
    std::unique_ptr<stream_memory_resource> own_memory;
    device::memory_of_stream memory;
    device::mailbox results;
    device::cuda_handle<void, cudaFree> scratch = device::make_device_memory<void>(scratch_bytes);
    device::cuda_handle<unsigned, cudaFree> counters =
        device::make_device_memory<unsigned>(counters_count * sizeof(unsigned));
    device::cuda_handle<char, cudaFree> flags = device::make_device_memory<char>(flags_bytes);
    std::uint32_t generation = 0;
    std::map<std::pair<const void*, std::size_t>, std::size_t> resident;
    device::cuda_handle<std::remove_pointer_t<cudaEvent_t>, cudaEventDestroy> submitted;
    device::stream_handle beside_stream;
    std::unique_ptr<cuda_context> beside;  // destroyed before its stream
  };

  template <class GetStream>
  static std::unique_ptr<state> open(int device, stream_memory_resource* memory, GetStream stream,
                                     std::pmr::memory_resource* of_caller = nullptr) {
    const device::device_scope scope(device);
    auto opened = std::make_unique<state>(device, stream(), memory, of_caller);
    detail::side_of_address = &device::query_side;
    return opened;
  }

  explicit cuda_context(std::unique_ptr<state> opened) : state_(std::move(opened)) {}

  std::unique_ptr<state> state_;
};

}  // namespace evenfold
