// group_by: the number of sales, their sum and their median in each region, where one amount is
// null.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const std::vector<int> region = {3, 1, 3, 1, 3, 2};
  const ef::array<int> regions = ef::to_context(ctx, region);
  const ef::array<double> amounts = ef::to_context(ctx, std::vector<double>{10, 20, 30, 40, 50, 0});
  const ef::array<unsigned char> is_null =
      ef::to_context(ctx, std::vector<unsigned char>{0, 0, 0, 0, 0, 1});

  const double* const x = amounts.data();
  const unsigned char* const nulls = is_null.data();
  const auto found =
      ef::group_by(ctx, regions.data(), 6, ef::count_rows(), ef::count_of(nulls),
                   ef::sum_of(x, nulls), ef::mean_of(x, nulls), ef::median_of(x, nulls));

  const std::vector<int> rows = ef::to_host(ctx, found.first_rows);
  const auto sales = ef::to_host(ctx, ef::get<0>(found.values));
  const auto known = ef::to_host(ctx, ef::get<1>(found.values));
  const auto sums = ef::to_host(ctx, ef::get<2>(found.values));
  const auto means = ef::to_host(ctx, ef::get<3>(found.values));
  const auto medians = ef::to_host(ctx, ef::get<4>(found.values));
  for (std::size_t g = 0; g < found.size(); ++g) {
    std::printf("region %d: %lld sales", region[rows[g]], static_cast<long long>(sales[g]));
    // A mean of no value is NaN, and the sum of no value 0; the number of values tells.
    if (known[g] > 0) std::printf(", sum %g, mean %g, median %g", sums[g], means[g], medians[g]);
    std::printf("\n");
  }
  return rows == std::vector<int>{1, 5, 0} && sums == std::vector<double>{60, 0, 90} &&
                 means[2] == 30 && medians[0] == 30
             ? 0
             : 1;
}
