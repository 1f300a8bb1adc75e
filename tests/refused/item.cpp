// refused: f is called as f\(index, segment, rank\)
#include "evenfold/algorithm/transform_lbs.hpp"

void visit(evenfold::cpu_context& ctx, const int* offsets) {
  evenfold::transform_lbs(
      ctx, 10, [](int) {}, offsets, 3);
}
