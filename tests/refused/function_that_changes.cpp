// refused: transform: f is called as f\(i\), i of the type of count; its operator\(\) is const
#include "evenfold/algorithm/transform.hpp"

void count(evenfold::cpu_context& ctx) {
  evenfold::transform(ctx, 10, [calls = 0](int) mutable { ++calls; });
}
