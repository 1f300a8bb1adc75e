// refused: iterators and counts, or ranges without counts: pass data\(\) and size\(\)
#include <vector>

#include "evenfold/algorithm/sort_columns.hpp"

void rows(evenfold::cpu_context& ctx, std::vector<int>& days, std::vector<float>& prices) {
  const auto columns =
      evenfold::make_tuple(evenfold::ascending(days.data()), evenfold::descending(prices));
  evenfold::sort_columns(ctx, columns, days.size());
}
