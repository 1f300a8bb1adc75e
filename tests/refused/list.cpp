// refused: algorithms take iterators that are read with \[\]: pointers, or random access
#include <list>

#include "evenfold/algorithm/reduce.hpp"

int sum(evenfold::cpu_context& ctx, const std::list<int>& values) {
  return evenfold::reduce(ctx, values.begin(), values.size(), evenfold::plus{}, 0);
}
