#pragma once
// cuSPARSE, a peer.

#include <cusparse.h>

#include <stdexcept>
#include <string>

#include "bench/cuda_platform.cuh"

namespace bench {

inline void check_sparse(cusparseStatus_t status, const char* call) {
  if (status != CUSPARSE_STATUS_SUCCESS) {
    throw std::runtime_error(std::string(call) + ": " + cusparseGetErrorString(status));
  }
}

/// A handle of cuSPARSE on the stream of the context.
class sparse_library {
 public:
  sparse_library() {
    check_sparse(cusparseCreate(&handle_), "cusparseCreate");
    check_sparse(cusparseSetStream(handle_, device_context().stream()), "cusparseSetStream");
  }
  ~sparse_library() { cusparseDestroy(handle_); }
  sparse_library(const sparse_library&) = delete;
  sparse_library& operator=(const sparse_library&) = delete;

  cusparseHandle_t handle() const { return handle_; }

 private:
  cusparseHandle_t handle_ = nullptr;
};

}  // namespace bench
