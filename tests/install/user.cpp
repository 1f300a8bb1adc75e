// A program of a user: the sums of the rows of a small table, on the context for which it is
// compiled.

#include <cstdio>
#include <evenfold/evenfold.hpp>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const auto values = ef::to_context(ctx, std::vector<float>{1, 2, 3, 4, 5, 6});
  const auto offsets = ef::to_context(ctx, std::vector<int>{0, 3, 3, 4});
  ef::array<float> sums(ctx, 4);
  const float* value = values.data();
  ef::transform_segreduce(
      ctx, 6, EF_LAMBDA(int i) { return value[i]; }, offsets.data(), 4, sums.data(), ef::plus{},
      0.0f);
  const std::vector<float> expected = {6, 0, 4, 11};
  const std::vector<float> found = ef::to_host(ctx, sums);
  for (const float sum : found) std::printf("%g\n", sum);
  return found == expected ? 0 : 1;
}
