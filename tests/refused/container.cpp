// refused: iterators and counts, or ranges without counts: pass data\(\) and size\(\)
#include <vector>

#include "evenfold/algorithm/scan.hpp"

void sums(evenfold::cpu_context& ctx, const std::vector<int>& in, std::vector<int>& out) {
  evenfold::inclusive_scan(ctx, in.data(), in.size(), out, evenfold::plus{});
}
