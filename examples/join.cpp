// full_join, join_count: routes are joined with the airports that they leave from. The full join
// also contains the airports without routes. A route from an unknown airport matches nothing.

#include <evenfold/evenfold.hpp>

#include <cstdio>
#include <vector>

namespace ef = evenfold;

struct is_unknown {
  EF_HD bool operator()(int airport) const { return airport < 0; }
};

int main() {
  ef::default_context ctx;
  const std::vector<const char*> towns = {"nowhere", "Goroka", "Madang", "Mount Hagen"};
  const ef::array<int> airports = ef::to_context(ctx, std::vector<int>{-1, 1, 2, 3});
  const ef::array<int> sources = ef::to_context(ctx, std::vector<int>{-1, 1, 1, 3, 7});

  const auto rows =
      ef::full_join(ctx, sources.data(), 5, airports.data(), 4, ef::less{}, is_unknown{});
  const std::vector<int> route = ef::to_host(ctx, rows.left);
  const std::vector<int> airport = ef::to_host(ctx, rows.right);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const char* const town = airport[i] == rows.none ? "?" : towns[airport[i]];
    if (route[i] == rows.none) {
      std::printf("no route from %s\n", town);
    } else {
      std::printf("route %d from %s\n", route[i], town);
    }
  }

  // join_count returns the number of rows of a join without computing them.
  const auto count = ef::join_count(ctx, ef::join_kind::inner, sources.data(), 5, airports.data(),
                                    4, ef::less{}, is_unknown{});
  return route == std::vector<int>{0, 1, 2, 3, 4, -1, -1} &&
                 airport == std::vector<int>{-1, 1, 1, 3, -1, 0, 2} && count == 3
             ? 0
             : 1;
}
