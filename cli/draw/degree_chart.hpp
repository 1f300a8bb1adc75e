#pragma once
// The number of vertices of each degree, as SVG; both axes are logarithmic.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace evenfold::cli {

struct degree_series {
  /// The text of the legend.
  std::string about;
  /// counts[i] vertices have degrees[i] edges. Vertices without edges are not drawn, since the axis
  /// is logarithmic.
  std::span<const std::int64_t> degrees, counts;
};

struct degree_chart {
  std::vector<degree_series> series;
  std::string title, subtitle;
  std::string x_label, y_label;
};

/// The text of the SVG file, with a dot for each degree that occurs.
std::string draw_degrees(const degree_chart& chart);

}  // namespace evenfold::cli
