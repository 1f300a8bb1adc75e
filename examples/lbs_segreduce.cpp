// lbs_segreduce: for each point, the largest squared distance to a point of its group. The fold is
// over pairs of points, which are never stored.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  // The points at 0, 1 and 5 are one group, and the points at 10 and 12 are another. Each point is
  // compared with all points of its group.
  const ef::array<double> where = ef::to_context(ctx, std::vector<double>{0, 1, 5, 10, 12});
  const ef::array<int> group_begin = ef::to_context(ctx, std::vector<int>{0, 0, 0, 3, 3});
  const ef::array<int> pair_begin = ef::to_context(ctx, std::vector<int>{0, 3, 6, 9, 11});
  const int num_points = 5;
  const int num_pairs = 13;
  ef::array<double> farthest(ctx, num_points);

  const double* x = where.data();
  using point = ef::tuple<double, int>;
  ef::lbs_segreduce(
      ctx, num_pairs,
      EF_LAMBDA(int, int, int rank, const point& p) {
        const double difference = ef::get<0>(p) - x[ef::get<1>(p) + rank];
        return difference * difference;
      },
      pair_begin.data(), num_points, ef::make_tuple(where.data(), group_begin.data()),
      farthest.data(), ef::maximum{}, 0.);

  const std::vector<double> result = ef::to_host(ctx, farthest);
  std::printf("largest squared distances: ");
  for (const double value : result) std::printf("%g ", value);
  std::printf("\n");
  return result == std::vector<double>{25, 16, 25, 4, 4} ? 0 : 1;
}
