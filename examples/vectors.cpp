// dot, saxpy, multiply: sums and products of vectors.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<float> x = ef::to_context(ctx, std::vector<float>{1, 2, 3, 4});
  ef::array<float> y = ef::to_context(ctx, std::vector<float>{10, 20, 30, 40});

  // 1 * 10 + 2 * 20 + 3 * 30 + 4 * 40, returned to the host.
  const float product = ef::dot(ctx, x.data(), y.data(), 4, 0.f);
  std::printf("x . y = %g\n", product);

  // y = 2 x + y, in place.
  ef::saxpy(ctx, 4, 2, x.data(), y.data());
  const std::vector<float> sum = ef::to_host(ctx, y);
  std::printf("2 x + y = %g %g %g %g\n", sum[0], sum[1], sum[2], sum[3]);

  ef::multiply(ctx, x.data(), y.data(), 4, y.data());
  const std::vector<float> products = ef::to_host(ctx, y);
  std::printf("(2 x + y) times x = %g %g %g %g\n", products[0], products[1], products[2],
              products[3]);

  return product == 300 && sum == std::vector<float>{12, 24, 36, 48} &&
                 products == std::vector<float>{12, 48, 108, 192}
             ? 0
             : 1;
}
