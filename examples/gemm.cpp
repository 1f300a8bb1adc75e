// Matrix product on the CPU by OpenBLAS, or by any other library with the CBLAS interface.

#include <cblas.h>

#include "gemm.hpp"

int main() {
  evenfold::cpu_context ctx;
  return check_product(ctx, [](auto a, auto b, auto c) {
    const auto leading = [](auto view) { return static_cast<int>(view.column_stride()); };
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(c.rows()),
                static_cast<int>(c.columns()), static_cast<int>(a.columns()), 1., a.data(),
                leading(a), b.data(), leading(b), 0., c.data(), leading(c));
  });
}
