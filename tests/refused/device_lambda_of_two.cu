// refused: transform: f is called as f\(i\)
#include "evenfold/algorithm/transform.hpp"

void visit(evenfold::cuda_context& ctx) {
  evenfold::transform(ctx, 10, [] __device__(int, int) {});
}
