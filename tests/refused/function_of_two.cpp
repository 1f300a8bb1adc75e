// refused: transform: f is called as f\(i\)
#include "evenfold/algorithm/transform.hpp"

void visit(evenfold::cpu_context& ctx) {
  evenfold::transform(ctx, 10, [](int, int) {});
}
