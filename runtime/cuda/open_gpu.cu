// Opens the engines that run on GPUs.

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>

#include "runtime/backend.hpp"
#include "runtime/ranks/rank_communicator.hpp"

namespace evenfold::runtime {

// engine.cpp defines it.
template <>
std::unique_ptr<engine> engine_of(std::unique_ptr<cuda_context> ctx, std::string name,
                                  std::vector<std::unique_ptr<cuda_context>> ranks);

device_facts hardware_facts(const cuda_context& ctx) {
  cudaDeviceProp properties{};
  device::check_cuda(cudaGetDeviceProperties(&properties, ctx.device()), "cudaGetDeviceProperties");
  device_facts facts;
  facts.backend = "CUDA";
  facts.name = properties.name;
  facts.workers = properties.multiProcessorCount;
  facts.memory_bytes = static_cast<double>(properties.totalGlobalMem);
  return facts;
}

device_number number_of(const cuda_context& ctx) {
  cudaDeviceProp properties{};
  device::check_cuda(cudaGetDeviceProperties(&properties, ctx.device()), "cudaGetDeviceProperties");
  device_number number;
  std::copy(std::begin(properties.uuid.bytes), std::end(properties.uuid.bytes),
            number.bytes.begin());
  return number;
}

namespace {

using kept_event = device::cuda_handle<std::remove_pointer_t<cudaEvent_t>, cudaEventDestroy>;

kept_event make_event() {
  cudaEvent_t event = nullptr;
  device::check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
                     "cudaEventCreateWithFlags");
  return kept_event(event);
}

/// Makes later work of one stream of a device wait for the work of another one so far. A stream
/// waits for what an event marked when it was told to wait, so that one event per device is enough.
void order(int number, cudaStream_t first, cudaStream_t second) {
  static std::mutex alone;
  static auto& events = *new std::map<int, kept_event>;  // the driver may end before the program
  const device::device_scope scope(number);
  const std::lock_guard lock(alone);
  if (!events.contains(number)) events.emplace(number, make_event());
  cudaEvent_t const event = events.at(number).get();
  device::check_cuda(cudaEventRecord(event, first), "cudaEventRecord");
  device::check_cuda(cudaStreamWaitEvent(second, event), "cudaStreamWaitEvent");
}

}  // namespace

void order_stream_after(cuda_context& ctx, void* stream) {
  order(ctx.device(), ctx.stream(), static_cast<cudaStream_t>(stream));
}
void order_after_stream(cuda_context& ctx, void* stream) {
  order(ctx.device(), static_cast<cudaStream_t>(stream), ctx.stream());
}

bool knows_gpus() { return true; }

int num_gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

namespace {

void check_index(const char* function, int index) {
  const int gpus = num_gpus();
  if (index >= 0 && index < gpus) return;
  throw device_error(std::string(function) + ": there is no GPU " + std::to_string(index) +
                     ", expected " +
                     (gpus == 0 ? "open_cpu(), since no usable GPU was found"
                                : "a number from 0 to " + std::to_string(gpus - 1)));
}

}  // namespace

std::unique_ptr<engine> open_gpu(int index, std::optional<void*> stream,
                                 stream_memory_resource* memory) {
  check_index("open_gpu", index);
  auto ctx = stream
                 ? std::make_unique<cuda_context>(index, static_cast<cudaStream_t>(*stream), memory)
                 : std::make_unique<cuda_context>(index, own_stream::blocking, memory);
  // The pool gets memory now, so that the first operation does not wait for it.
  if (memory == nullptr) evenfold::array<char>(*ctx, std::size_t{64} << 20);
  ctx->synchronize();
  return engine_of(std::move(ctx), "gpu:" + std::to_string(index), {});
}

std::unique_ptr<engine> open_gpu_ranks(const std::vector<int>& indices) {
  if (indices.empty()) throw device_error("open_gpu_ranks: there are no GPUs, expected one");
  std::string name = "gpu:";
  const auto open = [](int index) {
    check_index("open_gpu_ranks", index);
    auto ctx = std::make_unique<cuda_context>(index);
    ctx->allow_peers();
    return ctx;
  };
  std::vector<std::unique_ptr<cuda_context>> ranks;
  for (const int index : indices) {
    if (!ranks.empty()) name += ',';
    name += std::to_string(index);
    ranks.push_back(open(index));
  }
  return engine_of(open(indices.front()), std::move(name), std::move(ranks));
}

}  // namespace evenfold::runtime
