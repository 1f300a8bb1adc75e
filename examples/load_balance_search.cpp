// load_balance_search: the row of every entry of a CSR matrix, which converts it to coordinates.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const int num_entries = 6;
  const ef::array<int> row_offsets = ef::to_context(ctx, std::vector<int>{0, 2, 2, 5});
  ef::array<int> rows(ctx, num_entries);
  ef::load_balance_search(ctx, num_entries, row_offsets.data(), 4, rows.data());

  const std::vector<int> result = ef::to_host(ctx, rows);
  std::printf("rows of the entries: ");
  for (const int row : result) std::printf("%d ", row);
  std::printf("\n");
  return result == std::vector<int>{0, 0, 2, 2, 2, 3} ? 0 : 1;
}
