// A random matrix in row-major order, a block of it copied into a column-major matrix on the other
// side, and both printed.

#include <evenfold/evenfold.hpp>

#include <cstdio>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  ef::matrix<float> rows(ctx, 1000, 800);
  ef::fill_uniform(ctx, rows.view(), 42);

  // Rows 10 to 13 and columns 20 to 24, transposed in memory on the way.
  const auto block = rows.view().block(10, 20, 4, 5);
  ef::matrix<float> columns(ctx, 4, 5, ef::storage_order::column_major);
  ef::copy(ctx, block, columns.view());

  const ef::matrix<float> whole = ef::to_host(ctx, rows);
  const ef::matrix<float> part = ef::to_host(ctx, columns);
  std::printf("%s\n%s", ef::to_text(whole.view(), {.digits = 3, .most_rows = 6}).c_str(),
              ef::to_text(part.view(), {.digits = 3}).c_str());
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 5; ++j) {
      if (part(i, j) != whole(10 + i, 20 + j)) return 1;
    }
  }
  return part.data()[1] == part(1, 0) ? 0 : 1;
}
