// refused: an algorithm that sorts takes pointers, not other iterators, to what it writes: pass
// data\(\)
#include <vector>

#include "evenfold/algorithm/sort.hpp"

void ascending(evenfold::cpu_context& ctx, std::vector<int>& keys, std::vector<int>& values) {
  evenfold::sort_by_key(ctx, keys.data(), values.begin(), keys.size(), evenfold::less{});
}
