// Counts of values by bins of three kinds, and the weight in each bin.

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

  // Four bins from 1.5 to 1.9, and three more for what lies below, above, or is no number.
  const ef::regular_bins even = ef::even_bins(1.5, 1.9, 4);
  ef::array<std::uint64_t> counts(ctx, even.bins + ef::outlier_kinds);
  ef::histogram(ctx, count, even.bins + ef::outlier_kinds, ef::elementwise(even, x), counts.data());
  const std::vector<std::uint64_t> found = ef::to_host(ctx, counts);
  for (int k = 0; k < even.bins; ++k) {
    std::printf("[%.1f, %.1f): %d\n", even.edge(k), even.edge(k + 1), static_cast<int>(found[k]));
  }
  std::printf("below: %d, above: %d\n", static_cast<int>(found[even.bins + ef::outlier_below]),
              static_cast<int>(found[even.bins + ef::outlier_above]));

  // Any function gives a bin, or none; and items may have weights.
  ef::array<double> sums(ctx, 2);
  ef::histogram(
      ctx, count, 2, EF_LAMBDA(int i) { return x[i] > 2 ? ef::no_bin : x[i] > 1.75; },
      EF_LAMBDA(int i) { return x[i]; }, sums.data());
  const std::vector<double> tall = ef::to_host(ctx, sums);
  std::printf("heights up to 1.75 add up to %.2f, larger ones to %.2f\n", tall[0], tall[1]);

  return found == std::vector<std::uint64_t>{1, 2, 3, 2, 1, 1, 0} ? 0 : 1;
}
