// refused: a tuning's tile is at least 1
#include "evenfold/algorithm/reduce.hpp"

int sum(evenfold::cpu_context& ctx, const int* values, int count) {
  return evenfold::reduce<evenfold::cpu_tuning<0>>(ctx, values, count, evenfold::plus{}, 0);
}
