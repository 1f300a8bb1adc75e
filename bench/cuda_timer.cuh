#pragma once
// Time measured by the clock of the device.

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "bench/harness.hpp"
#include "evenfold/backend/cuda/launch/error.cuh"

namespace bench {

/// Keeps the device busy for a while.
static __global__ void hold_kernel(std::uint64_t nanoseconds) {
  const auto now = [] {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
  };
  const std::uint64_t start = now();
  while (now() - start < nanoseconds) {
  }
}

/// Records an event before and after each stretch of work, and waits only after all are queued. The
/// device is held before each stretch, so that the host submits it meanwhile, and the time of its
/// launches does not count, however short they are.
class event_timer final : public timer {
 public:
  explicit event_timer(cudaStream_t stream) : stream_(stream) {}
  ~event_timer() override {
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  event_timer(const event_timer&) = delete;
  event_timer& operator=(const event_timer&) = delete;

  void begin() override {
    hold_kernel<<<1, 1, 0, stream_>>>(hold_nanoseconds);
    evenfold::device::check_cuda(cudaGetLastError(), "hold_kernel");
    record();
  }
  void end() override { record(); }

  std::vector<double> collect_ms() override {
    std::vector<double> times;
    for (std::size_t i = 0; i + 1 < events_.size(); i += 2) {
      evenfold::device::check_cuda(cudaEventSynchronize(events_[i + 1]), "cudaEventSynchronize");
      float ms = 0;
      evenfold::device::check_cuda(cudaEventElapsedTime(&ms, events_[i], events_[i + 1]),
                                   "cudaEventElapsedTime");
      times.push_back(ms);
    }
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
    events_.clear();
    return times;
  }

 private:
  /// As long as the host takes to submit some launches.
  static constexpr std::uint64_t hold_nanoseconds = 40'000;

  void record() {
    cudaEvent_t event = nullptr;
    evenfold::device::check_cuda(cudaEventCreate(&event), "cudaEventCreate");
    events_.push_back(event);
    evenfold::device::check_cuda(cudaEventRecord(event, stream_), "cudaEventRecord");
  }

  cudaStream_t stream_;
  std::vector<cudaEvent_t> events_;
};

}  // namespace bench
