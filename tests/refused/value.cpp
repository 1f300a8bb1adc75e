// refused: transform_reduce: f is called as f\(i\), .* returns what converts to the type of init
#include <string>

#include "evenfold/algorithm/reduce.hpp"

int lengths(evenfold::cpu_context& ctx) {
  return evenfold::transform_reduce(
      ctx, 10, [](int i) { return std::to_string(i); }, evenfold::plus{}, 0);
}
