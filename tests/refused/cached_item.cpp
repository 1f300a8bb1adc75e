// refused: f is called as f\(index, segment, rank, cached\)
#include "evenfold/algorithm/segreduce.hpp"

void sums(evenfold::cpu_context& ctx, const int* offsets, const float* weights, float* out) {
  evenfold::lbs_segreduce(
      ctx, 10, [](int, int, int, float weight) { return weight; }, offsets, 3,
      evenfold::make_tuple(weights), out, evenfold::plus{}, 0.f);
}
