// Chooses the colours of a map's groups.

#include "cli/draw/map_style.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "runtime/places.hpp"

namespace evenfold::cli {

std::vector<const char*> group_colours(const map_content& content) {
  const std::size_t count = content.group_names.size();
  if (count <= bright.size()) {
    return {bright.begin(), bright.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<sphere_point> middles(count, {0, 0, 0});
  for (std::size_t i = 0; i < content.groups.size(); ++i) {
    const sphere_point p = to_sphere(content.latitudes[i], content.longitudes[i]);
    sphere_point& sum = middles[static_cast<std::size_t>(content.groups[i])];
    sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
  }
  for (sphere_point& sum : middles) {
    const double length = std::sqrt(squared_chord(sum, {0, 0, 0}));
    if (length > 0) sum = {sum.x / length, sum.y / length, sum.z / length};
  }
  // With more places than this, computing the distances of all pairs takes too long.
  constexpr std::size_t most_compared = 2000;
  std::vector<std::size_t> chosen;
  std::vector<const char*> colours;
  for (std::size_t g = 0; g < count; ++g) {
    std::array<double, muted.size()> nearest;
    nearest.fill(std::numeric_limits<double>::infinity());
    for (std::size_t other = 0; other < std::min(g, most_compared); ++other) {
      double& least = nearest[chosen[other]];
      least = std::min(least, squared_chord(middles[g], middles[other]));
    }
    const auto best = std::max_element(nearest.begin(), nearest.end()) - nearest.begin();
    chosen.push_back(g < most_compared ? static_cast<std::size_t>(best) : g % muted.size());
    colours.push_back(muted[chosen.back()]);
  }
  return colours;
}

}  // namespace evenfold::cli
