#pragma once
// A map of places as SVG.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evenfold::cli {

/// A highlighted place, with lines to its neighbours and a label.
struct map_star {
  std::int32_t row = 0;
  std::string label;
  /// Labels of the greatest weight find a free spot first.
  double weight = 0;
  std::vector<std::int32_t> neighbours;
  std::vector<std::string> neighbour_labels;
};

struct map_content {
  std::span<const double> latitudes;
  std::span<const double> longitudes;
  /// The group of each place, as an index of group_names.
  std::span<const std::int32_t> groups;
  std::span<const std::string_view> group_names;
  std::string title;
  std::string subtitle;
  std::vector<map_star> stars;
};

/// The text of the SVG file.
std::string draw_map(const map_content& content);

}  // namespace evenfold::cli
