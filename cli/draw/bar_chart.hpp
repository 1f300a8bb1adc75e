#pragma once
// A histogram as SVG.

#include <span>
#include <string>

namespace evenfold::cli {

struct bar_chart {
  /// The edges of the bars in ascending order, one more than there are heights.
  std::span<const double> edges;
  std::span<const double> heights;
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
};

/// The text of the SVG file. Bars that are too thin to be seen one by one are drawn as an outline.
std::string draw_bars(const bar_chart& chart);

}  // namespace evenfold::cli
