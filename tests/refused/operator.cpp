// refused: op is called as op\(a, b\), where a and b have the type of init
#include "evenfold/algorithm/reduce.hpp"

int sum(evenfold::cpu_context& ctx, const int* values, int count) {
  return evenfold::reduce(
      ctx, values, count, [](int a) { return a; }, 0);
}
