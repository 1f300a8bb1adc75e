// Sparse matrix times vector, with rows of any lengths: composed of transform_segreduce, and by
// spmv of the library, which is faster on a GPU and also supports scaling and other semirings.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <limits>
#include <vector>

namespace ef = evenfold;

/// y = A x for a matrix in compressed sparse rows.
template <class Context>
void multiply_rows(Context& ctx, int num_rows, int num_entries, const int* row_offsets,
                   const int* columns, const float* values, const float* x, float* y) {
  ef::transform_segreduce(
      ctx, num_entries, EF_LAMBDA(int i) { return values[i] * x[columns[i]]; }, row_offsets,
      num_rows, y, ef::plus{}, 0.f);
}

int main() {
  ef::default_context ctx;
  // 1 0 2
  // 0 0 0
  // 3 4 5
  const std::vector<int> offsets{0, 2, 2, 5};
  const std::vector<int> columns{0, 2, 0, 1, 2};
  const std::vector<float> values{1, 2, 3, 4, 5};
  const ef::csr_view<const float> host{3, 3, 5, offsets.data(), columns.data(), values.data()};
  const ef::csr<float> a = ef::to_context(ctx, host);

  const ef::array<float> x = ef::to_context(ctx, std::vector<float>{1, 10, 100});
  ef::array<float> y(ctx, 3);
  multiply_rows(ctx, 3, 5, a.row_offsets.data(), a.columns.data(), a.values.data(), x.data(),
                y.data());
  const std::vector<float> product = ef::to_host(ctx, y);
  std::printf("A x: ");
  for (const float value : product) std::printf("%g ", value);

  // y = 2 A x - y
  ef::spmv(ctx, a.view(), x.data(), y.data(), 2, -1);
  const std::vector<float> scaled = ef::to_host(ctx, y);
  std::printf("\n2 A x - y: ");
  for (const float value : scaled) std::printf("%g ", value);

  // The lengths of the shortest paths from vertex 1 with one edge: the semiring of minima and sums.
  constexpr float far = std::numeric_limits<float>::infinity();
  const ef::array<float> reached = ef::to_context(ctx, std::vector<float>{far, 0, far});
  ef::spmv(ctx, a.view(), reached.data(), y.data(), ef::plus{}, ef::minimum{}, far);
  const std::vector<float> steps = ef::to_host(ctx, y);
  std::printf("\nshortest paths: ");
  for (const float value : steps) std::printf("%g ", value);
  std::printf("\n");
  const bool right = product == std::vector<float>{201, 0, 543} &&
                     scaled == std::vector<float>{201, 0, 543} &&
                     steps == std::vector<float>{far, far, 4};
  return right ? 0 : 1;
}
