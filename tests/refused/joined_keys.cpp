// refused: left and right keys are of one type
#include "evenfold/table/join.hpp"

auto pairs(evenfold::cpu_context& ctx, const int* left, const long* right, int count) {
  return evenfold::inner_join(ctx, left, count, right, count, evenfold::less{});
}
