// histogram: how many values lie in each bin of an even division, and the sum of the values in each
// of two bins that a lambda chooses.

#include <evenfold/evenfold.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const std::vector<double> heights = {1.52, 1.60, 1.61, 1.70, 1.75, 1.79, 1.80, 1.88, 2.03, 1.31};
  const int count = static_cast<int>(heights.size());
  const ef::array<double> values = ef::to_context(ctx, heights);
  const double* const x = values.data();

  // Four bins from 1.5 to 1.9, and three more: for values below, for values above, and for NaN.
  const ef::regular_bins even = ef::even_bins(1.5, 1.9, 4);
  ef::array<std::uint64_t> counts(ctx, even.bins + ef::outlier_kinds);
  ef::histogram(ctx, count, even.bins + ef::outlier_kinds, ef::elementwise(even, x), counts.data());
  const std::vector<std::uint64_t> found = ef::to_host(ctx, counts);
  for (int k = 0; k < even.bins; ++k) {
    std::printf("[%.1f, %.1f): %d\n", even.edge(k), even.edge(k + 1), static_cast<int>(found[k]));
  }
  std::printf("below: %d, above: %d\n", static_cast<int>(found[even.bins + ef::outlier_below]),
              static_cast<int>(found[even.bins + ef::outlier_above]));

  // Any function may return a bin, or no_bin. Items may have weights; here they are the values.
  ef::array<double> sums(ctx, 2);
  ef::histogram(
      ctx, count, 2, EF_LAMBDA(int i) { return x[i] > 2 ? ef::no_bin : x[i] > 1.75; },
      EF_LAMBDA(int i) { return x[i]; }, sums.data());
  const std::vector<double> tall = ef::to_host(ctx, sums);
  std::printf("sum of the heights up to 1.75: %.2f, up to 2: %.2f\n", tall[0], tall[1]);

  return found == std::vector<std::uint64_t>{1, 2, 3, 2, 1, 1, 0} ? 0 : 1;
}
