// reduce, transform_reduce: the sum of a sequence, and the mean square of a function whose values
// are never stored.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<int> x = ef::to_context(ctx, std::vector<int>{3, 1, 4, 1, 5, 9});
  const int sum = ef::reduce(ctx, x.data(), 6, ef::plus{}, 0);

  const int count = 1000;
  const double squares = ef::transform_reduce(
      ctx, count, EF_LAMBDA(int i) { return (i + 0.5) * (i + 0.5); }, ef::plus{}, 0.);

  std::printf("sum %d, mean square %g\n", sum, squares / count);
  return sum == 23 && squares == 333333250. ? 0 : 1;
}
