// copy: a block of a random row-major matrix is copied to a column-major matrix, and both are
// printed.

#include <evenfold/evenfold.hpp>

#include <cstdio>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  ef::matrix<float> rows(ctx, 1000, 800);
  ef::fill_uniform(ctx, rows.view(), 42);

  // Rows 10 to 13 and columns 20 to 24. The copy has the other storage order.
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
