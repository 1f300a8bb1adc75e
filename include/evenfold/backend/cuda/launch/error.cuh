#pragma once
// The exception for a failed CUDA call.

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>

#include "evenfold/core/error.hpp"

namespace evenfold {

/// A CUDA call or a kernel launch failed. The message names the call, its source location and the
/// driver's reason.
class cuda_error : public error {
 public:
  cuda_error(cudaError_t code, const std::string& call, const std::source_location& location)
      : error(call + " failed at " + location.file_name() + ":" + std::to_string(location.line()) +
              ": " + cudaGetErrorName(code) + ", " + cudaGetErrorString(code)),
        code_(code) {}

  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

namespace device {

/// Throws cuda_error unless `code` is cudaSuccess, and clears the last error of the runtime.
inline void check_cuda(cudaError_t code, const char* call,
                       const std::source_location& location = std::source_location::current()) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw cuda_error(code, call, location);
}

}  // namespace device

}  // namespace evenfold
