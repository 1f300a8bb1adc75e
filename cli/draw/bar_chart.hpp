#pragma once
// A histogram as SVG.

#include <span>
#include <string>

namespace evenfold::cli {

struct bar_chart {
  /// One more than there are heights, ascending.
  std::span<const double> edges;
  std::span<const double> heights;
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
};

/// The text of the SVG file. Where bars are too thin to be seen one by one, their outline.
std::string draw_bars(const bar_chart& chart);

}  // namespace evenfold::cli
