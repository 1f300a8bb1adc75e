// transform: y = a x + y, with one call of a lambda per index.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<float> x = ef::to_context(ctx, std::vector<float>{1, 2, 3, 4});
  ef::array<float> y = ef::to_context(ctx, std::vector<float>{10, 20, 30, 40});

  const float a = 2;
  const float* from = x.data();
  float* to = y.data();
  ef::transform(
      ctx, 4, EF_LAMBDA(int i) { to[i] = a * from[i] + to[i]; });

  const std::vector<float> result = ef::to_host(ctx, y);
  for (const float value : result) std::printf("%g ", value);
  std::printf("\n");
  return result == std::vector<float>{12, 24, 36, 48} ? 0 : 1;
}
