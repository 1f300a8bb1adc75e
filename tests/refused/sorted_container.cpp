// refused: iterators and counts, or ranges without counts: pass data\(\) and size\(\)
#include <vector>

#include "evenfold/algorithm/sort.hpp"

void ascending(evenfold::cpu_context& ctx, std::vector<int>& keys) {
  evenfold::sort(ctx, keys, keys.size(), evenfold::less{});
}
