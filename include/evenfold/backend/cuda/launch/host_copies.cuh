#pragma once
// Copies between host memory and a GPU beside the work of its stream.
//
// The bus moves pinned memory several times as fast as other memory, and in both directions at
// once. Each of several threads per direction has two pinned buffers: it copies one chunk between
// the host array and a buffer while the bus moves the other buffer.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/error.cuh"
#include "evenfold/backend/cuda/launch/handle.cuh"
#include "evenfold/backend/cuda/launch/stream.cuh"
#include "evenfold/core/host_copies.hpp"

namespace evenfold {

namespace device {

/// Two pinned buffers and a stream, for one thread.
class copy_lane {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

  copy_lane() : stream_(make_stream(own_stream::non_blocking)) {
    void* memory = nullptr;
    check_cuda(cudaHostAlloc(&memory, 2 * chunk_bytes, cudaHostAllocDefault), "cudaHostAlloc");
    memory_.reset(static_cast<std::byte*>(memory));
    for (auto& event : copied_) {
      cudaEvent_t made = nullptr;
      check_cuda(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "cudaEventCreate");
      event.reset(made);
    }
  }

  /// Copies the chunks number `first`, `first` + `step`, ... Returns when they are copied.
  void copy(std::span<const detail::byte_copy> copies, std::size_t first, std::size_t step,
            bool to_device) {
    std::size_t number = 0;
    std::size_t turn = 0;
    detail::byte_copy coming{};  // on its way to its buffer, which is that of the turn before
    for (const detail::byte_copy& all : copies) {
      for (std::size_t at = 0; at < all.bytes; at += chunk_bytes, ++number) {
        if (number % step != first) continue;
        const detail::byte_copy chunk{static_cast<const std::byte*>(all.from) + at,
                                      static_cast<std::byte*>(all.to) + at,
                                      std::min(chunk_bytes, all.bytes - at)};
        if (to_device) {
          wait(turn);
          std::memcpy(buffer(turn), chunk.from, chunk.bytes);
          start(chunk.to, buffer(turn), chunk.bytes, turn);
        } else {
          start(buffer(turn), chunk.from, chunk.bytes, turn);
          finish(coming, turn + 1);
          coming = {buffer(turn), chunk.to, chunk.bytes};
        }
        ++turn;
      }
    }
    finish(coming, turn + 1);
    check_cuda(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
  }

 private:
  std::byte* buffer(std::size_t turn) const { return memory_.get() + turn % 2 * chunk_bytes; }

  void start(void* to, const void* from, std::size_t bytes, std::size_t turn) {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_.get()),
               "cudaMemcpyAsync");
    check_cuda(cudaEventRecord(copied_[turn % 2].get(), stream_.get()), "cudaEventRecord");
  }
  void wait(std::size_t turn) {
    check_cuda(cudaEventSynchronize(copied_[turn % 2].get()), "cudaEventSynchronize");
  }
  void finish(const detail::byte_copy& coming, std::size_t turn) {
    if (coming.bytes == 0) return;
    wait(turn);
    std::memcpy(coming.to, coming.from, coming.bytes);
  }

  cuda_handle<std::byte, cudaFreeHost> memory_;
  stream_handle stream_;
  cuda_handle<std::remove_pointer_t<cudaEvent_t>, cudaEventDestroy> copied_[2];
};

}  // namespace device

namespace detail {

template <>
class host_copies<cuda_context> {
 public:
  host_copies(cuda_context& ctx, std::size_t most_bytes) : device_(ctx.device()) {
    const device::device_scope scope(device_);
    const std::size_t threads = std::max(2u, std::thread::hardware_concurrency());
    const std::size_t chunks = most_bytes / device::copy_lane::chunk_bytes;
    each_way_ = std::clamp<std::size_t>(chunks, 1, std::min(most_each_way, threads / 2));
    lanes_ = std::vector<device::copy_lane>(2 * each_way_);
  }

  void move(std::span<const byte_copy> in, std::span<const byte_copy> out) {
    std::exception_ptr thrown;
    std::mutex mutex;
    const auto run = [&](std::size_t lane) noexcept {
      try {
        const device::device_scope scope(device_);
        const bool to_device = lane < each_way_;
        lanes_[lane].copy(to_device ? in : out, lane % each_way_, each_way_, to_device);
      } catch (...) {
        const std::lock_guard lock(mutex);
        thrown = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t lane = 1; lane < lanes_.size(); ++lane) {
        if ((lane < each_way_ ? in : out).empty()) continue;
        others.emplace_back(run, lane);
      }
      run(0);
    }
    if (thrown) std::rethrow_exception(thrown);
  }

 private:
  static constexpr std::size_t most_each_way = 8;

  int device_;
  std::size_t each_way_ = 1;
  std::vector<device::copy_lane> lanes_;
};

}  // namespace detail

}  // namespace evenfold
