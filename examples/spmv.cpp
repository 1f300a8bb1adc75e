// Sparse matrix times vector: one dot product a row, rows as uneven as they like.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

/// y = A x for a matrix in compressed sparse rows.
template <class Context>
void spmv(Context& ctx, int num_rows, int num_entries, const int* row_offsets, const int* columns,
          const float* values, const float* x, float* y) {
  ef::transform_segreduce(
      ctx, num_entries, EF_LAMBDA(int i) { return values[i] * x[columns[i]]; }, row_offsets,
      num_rows, y, ef::plus{}, 0.f);
}

int main() {
  ef::default_context ctx;
  // 1 0 2
  // 0 0 0
  // 3 4 5
  const ef::array<int> row_offsets = ef::to_context(ctx, std::vector<int>{0, 2, 2});
  const ef::array<int> columns = ef::to_context(ctx, std::vector<int>{0, 2, 0, 1, 2});
  const ef::array<float> values = ef::to_context(ctx, std::vector<float>{1, 2, 3, 4, 5});
  const ef::array<float> x = ef::to_context(ctx, std::vector<float>{1, 10, 100});
  ef::array<float> y(ctx, 3);
  spmv(ctx, 3, 5, row_offsets.data(), columns.data(), values.data(), x.data(), y.data());

  const std::vector<float> result = ef::to_host(ctx, y);
  for (const float value : result) std::printf("%g ", value);
  std::printf("\n");
  return result == std::vector<float>{201, 0, 543} ? 0 : 1;
}
