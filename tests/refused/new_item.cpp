// refused: in lbs_workcreate an optional new item
#include "evenfold/algorithm/lbs_workcreate.hpp"

int create(evenfold::cpu_context& ctx, const int* offsets, int* out) {
  return evenfold::lbs_workcreate(
      ctx, 10, [](int index, int, int) { return index; }, offsets, 3, out);
}
