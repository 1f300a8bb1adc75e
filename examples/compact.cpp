// compact, compact_plan: the readings above a threshold, and their positions. The plan counts the
// positions first, so that the output has exactly the right size.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const int count = 8;
  const ef::array<float> readings = ef::to_context(ctx, std::vector<float>{1, 7, 3, 9, 2, 8, 4, 6});
  const float* x = readings.data();

  ef::array<float> high(ctx, count);
  const int num_high = ef::compact(
      ctx, x, count, EF_LAMBDA(float reading) { return reading > 5; }, high.data());

  const ef::compact_plan plan(
      ctx, count, EF_LAMBDA(int i) { return x[i] > 5; });
  ef::array<int> positions(ctx, plan.num_kept());
  int* position = positions.data();
  plan.write(EF_LAMBDA(int to, int from) { position[to] = from; });

  const std::vector<float> values = ef::to_host(ctx, high.data(), num_high);
  const std::vector<int> at = ef::to_host(ctx, positions);
  for (int k = 0; k < num_high; ++k) std::printf("reading %d is %g\n", at[k], values[k]);
  return values == std::vector<float>{7, 9, 8, 6} && at == std::vector<int>{1, 3, 5, 7} ? 0 : 1;
}
