// The temperature of a plate whose top edge is hot and whose other edges are cold.

#include <evenfold/evenfold.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const int rows = 41;
  const int columns = 41;
  ef::array<double> plate = ef::to_context(ctx, std::vector<double>(rows * columns, 0.));
  const auto view = ef::matrix_view<double>::row_major(plate.data(), rows, columns);
  ef::set_border(ctx, view, 100, 0, 0, 0);

  const auto result = ef::jacobi(ctx, view, 1e-8, 100000);
  std::printf("%lld sweeps, the last change %g\n", static_cast<long long>(result.sweeps),
              result.residual);

  // Four such plates, each hot at another edge, add up to one that is 100 everywhere.
  const double middle = ef::to_host(ctx, plate)[rows / 2 * columns + columns / 2];
  std::printf("in the middle: %g\n", middle);
  return result.converged && std::abs(middle - 25) < 1e-4 ? 0 : 1;
}
