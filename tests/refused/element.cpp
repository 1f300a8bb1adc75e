// refused: the type of the elements is trivially copyable, as they are copied byte by byte
#include <string>

#include "evenfold/algorithm/sort.hpp"

void ascending(evenfold::cpu_context& ctx, std::string* keys, int count) {
  evenfold::sort(ctx, keys, count, evenfold::less{});
}
