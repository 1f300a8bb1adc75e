// sort_columns, sort_indices: a table sorted by year in ascending and by price in descending order,
// and the order of its rows.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  ef::array<int> years = ef::to_context(ctx, std::vector<int>{2001, 1999, 2001, 1999});
  ef::array<float> prices = ef::to_context(ctx, std::vector<float>{5, 7, 8, 7});
  const auto order = ef::make_tuple(ef::ascending(years.data()), ef::descending(prices.data()));

  ef::array<int> rows(ctx, 4);
  ef::sort_indices(ctx, order, rows.data(), 4);
  ef::sort_columns(ctx, order, 4);

  const std::vector<int> from = ef::to_host(ctx, rows);
  const std::vector<int> year = ef::to_host(ctx, years);
  const std::vector<float> price = ef::to_host(ctx, prices);
  for (int i = 0; i < 4; ++i) std::printf("%d, price %g, was row %d\n", year[i], price[i], from[i]);
  return from == std::vector<int>{1, 3, 2, 0} && year == std::vector<int>{1999, 1999, 2001, 2001} &&
                 price == std::vector<float>{7, 7, 8, 5}
             ? 0
             : 1;
}
