// Matrix product on a GPU by cuBLAS.

#include <cublas_v2.h>

#include <cstdio>

#include "gemm.hpp"

int main() {
  evenfold::cuda_context ctx;
  cublasHandle_t blas = nullptr;
  if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) return 1;
  cublasStatus_t status = cublasSetStream(blas, ctx.stream());
  const int wrong = check_product(ctx, [&](auto a, auto b, auto c) {
    const auto leading = [](auto view) { return static_cast<int>(view.column_stride()); };
    const double one = 1, zero = 0;
    if (status == CUBLAS_STATUS_SUCCESS) {
      status = cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(c.rows()),
                           static_cast<int>(c.columns()), static_cast<int>(a.columns()), &one,
                           a.data(), leading(a), b.data(), leading(b), &zero, c.data(), leading(c));
    }
  });
  cublasDestroy(blas);
  if (status != CUBLAS_STATUS_SUCCESS) {
    std::fprintf(stderr, "cublasDgemm: %s\n", cublasGetStatusString(status));
    return 1;
  }
  return wrong;
}
