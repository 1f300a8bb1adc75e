#pragma once
// What gemm.cpp and gemm.cu share: C = A B for row-major matrices in host memory. The BLAS works on
// column-major copies of them in the memory of the context, with leading dimensions that are larger
// than the number of rows.

#include <evenfold/evenfold.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

/// A block of `rows` x `columns` in a column-major matrix whose leading dimension is rows + gap.
template <class Context>
struct padded_matrix {
  evenfold::matrix<double> storage;
  evenfold::matrix_view<double> view;

  padded_matrix(Context& ctx, std::int64_t rows, std::int64_t columns, std::int64_t gap)
      : storage(ctx, rows + gap, columns, evenfold::storage_order::column_major),
        view(storage.view().block(0, 0, rows, columns)) {}
};

/// Copies A and B to the context, calls `product(a, b, c)`, which computes c = a b there, copies C
/// back and compares it with plain loops. Returns the exit status of the program.
template <class Context, class Product>
int check_product(Context& ctx, Product product) {
  constexpr std::int64_t m = 150, n = 120, k = 90;
  evenfold::reference_context host;
  evenfold::matrix<double> A(host, m, k), B(host, k, n), C(host, m, n);
  evenfold::fill_uniform(host, A.view(), 1, -1, 1);
  evenfold::fill_uniform(host, B.view(), 2, -1, 1);

  padded_matrix<Context> a(ctx, m, k, 10), b(ctx, k, n, 6), c(ctx, m, n, 1);
  evenfold::copy(ctx, A, a.view);
  evenfold::copy(ctx, B, b.view);
  product(a.view, b.view, c.view);
  evenfold::copy(ctx, c.view, C.view());
  ctx.synchronize();

  double worst = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l) sum += A(i, l) * B(l, j);
      worst = std::fmax(worst, std::fabs(sum - C(i, j)));
    }
  }
  std::printf("%lld x %lld times %lld x %lld: the difference from plain loops is at most %.1e\n",
              static_cast<long long>(m), static_cast<long long>(k), static_cast<long long>(k),
              static_cast<long long>(n), worst);
  return worst < 1e-12 ? 0 : 1;
}
