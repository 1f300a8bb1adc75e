// refused: an algorithm that sorts writes its keys, values and indices: they cannot be const
#include "evenfold/algorithm/sort.hpp"

void ascending(evenfold::cpu_context& ctx, const int* keys, int count) {
  evenfold::sort(ctx, keys, count, evenfold::less{});
}
