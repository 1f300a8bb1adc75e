// refused: a structure or evenfold::tuple of numbers is, but not std::pair
#include <utility>
#include <vector>

#include "evenfold/algorithm/sort.hpp"

void ascending(evenfold::cpu_context& ctx, std::vector<std::pair<int, int>>& keys) {
  evenfold::sort(ctx, keys.data(), keys.size(), evenfold::less{});
}
