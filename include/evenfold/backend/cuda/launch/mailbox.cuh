#pragma once
// Results of kernels for the host, which polls for them: a word that a kernel writes to pinned
// memory reaches the host microseconds earlier than the completion of the stream.

#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "evenfold/backend/cuda/device/delivery.cuh"
#include "evenfold/backend/cuda/launch/handle.cuh"

namespace evenfold::device {

/// Pinned host memory for the results of one call at a time.
class mailbox {
  static constexpr std::size_t count = 1024;

 public:
  mailbox() {
    void* words = nullptr;
    check_cuda(cudaHostAlloc(&words, count * sizeof(unsigned long long), cudaHostAllocMapped),
               "cudaHostAlloc");
    words_.reset(static_cast<unsigned long long*>(words));
    std::memset(words, 0, count * sizeof(unsigned long long));
  }

  /// Whether some results fit.
  template <class T>
  static constexpr bool takes(std::size_t results) {
    return results * words_of<T> <= count;
  }

  /// The address and ticket of the next result, which may be followed by others.
  template <class T>
  delivery<T> next() {
    static_assert(takes<T>(1), "a result returned to the host fits");
    return {nullptr, words_.get(), ++ticket_};
  }

  /// Waits for a result and returns it. Polls for 200 microseconds; then calls wait(), which
  /// returns once the kernel has ended.
  template <class T, class Wait>
  static T read(const delivery<T>& sent, Wait wait) {
    const auto begun = nanoseconds();
    std::uint32_t words[words_of<T>];
    bool waited = false;
    for (std::size_t w = 0, looks = 0; w < words_of<T>; ++looks) {
      const unsigned long long found =
          std::atomic_ref(sent.mailbox[w]).load(std::memory_order_relaxed);
      if (found >> 32 == sent.ticket) {
        words[w++] = static_cast<std::uint32_t>(found);
      } else if (!waited && looks % 64 == 63 && nanoseconds() - begun > 200000) {
        wait();
        waited = true;
      }
    }
    T result;
    std::memcpy(static_cast<void*>(&result), words, sizeof(T));
    return result;
  }

 private:
  /// Nearly every file includes this header, and <chrono> would include <sstream>.
  static std::int64_t nanoseconds() {
    std::timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
  }

  cuda_handle<unsigned long long, cudaFreeHost> words_;
  std::uint32_t ticket_ = 0;
};

}  // namespace evenfold::device
