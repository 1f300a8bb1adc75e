// refused: a tuning's threads are a multiple of 32, from 32 to 1024
#include "evenfold/algorithm/reduce.hpp"

int sum(evenfold::cuda_context& ctx, const int* values, int count) {
  return evenfold::reduce<evenfold::reduce_tuning<16, 4>>(ctx, values, count, evenfold::plus{}, 0);
}
