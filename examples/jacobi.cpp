// jacobi: the temperature of a plate whose top edge is hot and whose other edges are cold.

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
  std::printf("%lld sweeps, the last one changed elements by at most %g\n",
              static_cast<long long>(result.sweeps), result.residual);

  // The sum of four such plates, each of them hot at another edge, is a plate of 100 degrees
  // everywhere, so that the middle of one plate has 25.
  const double middle = ef::to_host(ctx, plate)[rows / 2 * columns + columns / 2];
  std::printf("%g degrees in the middle\n", middle);
  return result.converged && std::abs(middle - 25) < 1e-4 ? 0 : 1;
}
