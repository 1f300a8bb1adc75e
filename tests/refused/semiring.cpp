// refused: spmv: multiply is called as multiply\(value, element\)
#include "evenfold/sparse/spmv.hpp"

void longest(evenfold::cpu_context& ctx, evenfold::csr_view<const float, int, int> a,
             const float* x, float* y) {
  evenfold::spmv(
      ctx, a, x, y, [](float product) { return product; }, evenfold::maximum{}, 0.f);
}
