// top_k, top_k_indices: the largest elements of a sequence, and the indices of the smallest.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const int count = 6;
  const ef::array<float> scores =
      ef::to_context(ctx, std::vector<float>{3.5f, 9.f, 1.f, 9.f, 7.25f, 2.f});

  ef::array<float> best(ctx, 3);
  ef::top_k(ctx, scores.data(), count, 3, best.data(), ef::greater{});
  const std::vector<float> largest = ef::to_host(ctx, best);
  std::printf("the three largest: %g %g %g\n", largest[0], largest[1], largest[2]);

  ef::array<int> indices(ctx, 2);
  ef::top_k_indices(ctx, scores.data(), count, 2, indices.data(), ef::less{});
  const std::vector<int> smallest = ef::to_host(ctx, indices);
  std::printf("the two smallest are at %d and %d\n", smallest[0], smallest[1]);

  return largest == std::vector<float>{9, 9, 7.25f} && smallest == std::vector<int>{2, 5} ? 0 : 1;
}
