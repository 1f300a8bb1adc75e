// refused: histogram: f is called as f\(i\), i of the type of count, and returns the number of a
// bin
#include "evenfold/algorithm/histogram.hpp"

void count(evenfold::cpu_context& ctx, const double* values, int* out) {
  evenfold::histogram(
      ctx, 100, 10, [=](int i) { return values[i]; }, out);
}
