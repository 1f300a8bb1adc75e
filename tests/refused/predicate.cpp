// refused: keep is called with one element, or with an index
#include "evenfold/algorithm/compact.hpp"

int positive(evenfold::cpu_context& ctx, const double* values, int count, double* out) {
  return evenfold::compact(
      ctx, values, count, [](const double& value, int) { return value > 0; }, out);
}
