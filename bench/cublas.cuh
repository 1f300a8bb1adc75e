#pragma once
// cuBLAS, a peer.

#include <cublas_v2.h>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "bench/cuda_platform.cuh"

namespace bench {

inline void check_blas(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw std::runtime_error(std::string(call) + ": " + cublasGetStatusString(status));
  }
}

/// A handle of cuBLAS on the stream of the context. Results stay on the device.
class blas {
 public:
  blas() {
    check_blas(cublasCreate(&handle_), "cublasCreate");
    check_blas(cublasSetStream(handle_, device_context().stream()), "cublasSetStream");
  }
  ~blas() { cublasDestroy(handle_); }
  blas(const blas&) = delete;
  blas& operator=(const blas&) = delete;

  void dot(int count, const float* x, const float* y, float* out) {
    check_blas(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode");
    check_blas(cublasSdot(handle_, count, x, 1, y, 1, out), "cublasSdot");
  }
  void saxpy(int count, float a, const float* x, float* y) {
    check_blas(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
    check_blas(cublasSaxpy(handle_, count, &a, x, 1, y, 1), "cublasSaxpy");
  }
  /// Copies the row-major matrix `from`, whose rows are `leading` elements apart, to the
  /// column-major matrix `to` of rows x columns.
  template <class T>
  void transpose(int rows, int columns, const T* from, int leading, T* to) {
    const T one = 1, zero = 0;
    check_blas(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
    const auto geam = [&] {
      if constexpr (std::is_same_v<T, float>) {
        return cublasSgeam;
      } else {
        return cublasDgeam;
      }
    }();
    check_blas(geam(handle_, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, from, leading, &zero,
                    nullptr, rows, to, rows),
               "cublas geam");
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace bench
