// refused: less is called as less\(a, b\) with two keys and returns a bool
#include "evenfold/algorithm/sort.hpp"

void sort_by_remainder(evenfold::cpu_context& ctx, int* keys, int count) {
  evenfold::sort(ctx, keys, count, [](int key) { return key % 10; });
}
