// refused: iterators and counts, or ranges without counts: pass data\(\) and size\(\)
#include <vector>

#include "evenfold/algorithm/compact.hpp"

int positive(evenfold::cpu_context& ctx, const std::vector<int>& in, std::vector<int>& out) {
  const auto keep = [](int x) { return x > 0; };
  return evenfold::compact(ctx, in.data(), static_cast<int>(in.size()), keep, out);
}
