#pragma once
// The stream of a context: one of its own, or one of the caller's.

#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <type_traits>

#include "evenfold/backend/cuda/launch/error.cuh"
#include "evenfold/backend/cuda/launch/handle.cuh"
#include "evenfold/core/error.hpp"

namespace evenfold {

/// How a stream that a context creates relates to the legacy default stream: ordered with it
/// (blocking), or independent of it (non_blocking).
enum class own_stream { blocking, non_blocking };

namespace device {

/// Destroys a stream of the context's own, and leaves one of the caller's alone.
struct destroy_own {
  bool own;
  void operator()(cudaStream_t stream) const noexcept {
    if (own) ignore_cuda(cudaStreamDestroy(stream));
  }
};
using stream_handle = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, destroy_own>;

inline stream_handle make_stream(own_stream kind) {
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(
                 &stream, kind == own_stream::blocking ? cudaStreamDefault : cudaStreamNonBlocking),
             "cudaStreamCreateWithFlags");
  return {stream, {true}};
}

/// A stream whose kernels are before others of the device, independent of the default stream.
inline stream_handle make_urgent_stream() {
  int least = 0;
  int greatest = 0;
  check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest),
             "cudaDeviceGetStreamPriorityRange");
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest),
             "cudaStreamCreateWithPriority");
  return {stream, {true}};
}

/// A stream of the caller's. The default streams belong to every device.
inline stream_handle adopt_stream(int device, cudaStream_t stream) {
  const bool is_default =
      stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
  int device_of_stream = device;
  if (!is_default) {
    check_cuda(cudaStreamGetDevice(stream, &device_of_stream), "cudaStreamGetDevice");
  }
  if (device_of_stream != device) {
    detail::refuse_argument(
        "cuda_context", "stream", "one of device " + std::to_string(device_of_stream),
        "the context opens device " + std::to_string(device), "pass the stream's device");
  }
  return {stream, {false}};
}

/// Whether the work of a stream of the current device is being captured into a graph.
inline bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check_cuda(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace device

}  // namespace evenfold
