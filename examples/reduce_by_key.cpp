// reduce_by_key, unique_offsets: the sum of the sales of each day, and the position where each day
// begins.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const int count = 6;
  const ef::array<int> day = ef::to_context(ctx, std::vector<int>{3, 3, 5, 5, 5, 9});
  const ef::array<float> sale = ef::to_context(ctx, std::vector<float>{1, 2, 3, 4, 5, 6});
  ef::array<int> days(ctx, count);
  ef::array<float> sums(ctx, count);
  const int num_days = ef::reduce_by_key(ctx, day.data(), sale.data(), count, ef::equal_to{},
                                         days.data(), sums.data(), ef::plus{}, 0.f);

  ef::array<int> offsets(ctx, count);
  ef::unique_offsets(ctx, day.data(), count, ef::equal_to{}, days.data(), offsets.data());

  const std::vector<int> names = ef::to_host(ctx, days.data(), num_days);
  const std::vector<float> totals = ef::to_host(ctx, sums.data(), num_days);
  const std::vector<int> begins = ef::to_host(ctx, offsets.data(), num_days);
  for (int d = 0; d < num_days; ++d) {
    std::printf("day %d begins at %d, sum %g\n", names[d], begins[d], totals[d]);
  }
  return names == std::vector<int>{3, 5, 9} && totals == std::vector<float>{3, 12, 6} &&
                 begins == std::vector<int>{0, 2, 5}
             ? 0
             : 1;
}
