// Chooses the window and the projection of a map, and computes it.

#include "cli/draw/map_projection.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace evenfold::cli {

using std::numbers::pi;

window window_of(const map_content& content) {
  std::vector<double> longitudes(content.longitudes.begin(), content.longitudes.end());
  if (longitudes.empty()) return {-180, 360, -90, 90};
  std::sort(longitudes.begin(), longitudes.end());
  double gap = longitudes.front() + 360 - longitudes.back();
  double west = longitudes.front();
  for (std::size_t i = 1; i < longitudes.size(); ++i) {
    if (longitudes[i] - longitudes[i - 1] > gap) {
      gap = longitudes[i] - longitudes[i - 1];
      west = longitudes[i];
    }
  }
  const auto [south, north] =
      std::minmax_element(content.latitudes.begin(), content.latitudes.end());
  const double width = std::max(0.2, 360 - gap);
  const double height = std::max(0.2, *north - *south);
  // The longer side of the window is at most three times the shorter one.
  const double squeeze = std::max(0.1, std::cos((*south + *north) / 2 * pi / 180));
  const double margin_x = std::max(0.04 * width, (height / squeeze / 3 - width) / 2);
  const double margin_y = std::max(0.07 * height, (width * squeeze / 3 - height) / 2);
  const double padding = std::min(margin_x, gap / 2);
  return {west - padding, width + 2 * padding, std::max(-90.0, *south - margin_y),
          std::min(90.0, *north + margin_y)};
}

projection::projection(const window& shown, double left, double top, double width, double height)
    : shown_(shown),
      kind_(shown.span > 150 ? natural_earth : plate_carree),
      left_(left),
      top_(top) {
  const double south = shown.south * pi / 180;
  const double north = shown.north * pi / 180;
  middle_ = (south + north) / 2;
  const double parallel_1 = south + (north - south) / 6;
  const double parallel_2 = north - (north - south) / 6;
  cone_ = (std::sin(parallel_1) + std::sin(parallel_2)) / 2;
  constant_ = std::cos(parallel_1) * std::cos(parallel_1) + 2 * cone_ * std::sin(parallel_1);
  if (shown.span < 90 && std::abs(cone_) > 0.2) kind_ = albers;

  point least{1e9, 1e9};
  point most{-1e9, -1e9};
  for (int i = 0; i <= 160; ++i) {
    const point p = border(i / 160.0);
    least = {std::min(least.x, p.x), std::min(least.y, p.y)};
    most = {std::max(most.x, p.x), std::max(most.y, p.y)};
  }
  scale_ = std::min(width / (most.x - least.x), height / (most.y - least.y));
  width_ = (most.x - least.x) * scale_;
  height_ = (most.y - least.y) * scale_;
  origin_ = {left - least.x * scale_, top + most.y * scale_};
}

point projection::border(double t) const {
  const double side = std::fmod(t * 4, 1.0);
  const double height = shown_.north - shown_.south;
  if (t < 0.25) return flat(shown_.span * side, shown_.south);
  if (t < 0.5) return flat(shown_.span, shown_.south + height * side);
  if (t < 0.75) return flat(shown_.span * (1 - side), shown_.north);
  return flat(0, t < 1 ? shown_.north - height * side : shown_.south);
}

point projection::flat(double from_west, double latitude) const {
  const double x = (from_west - shown_.span / 2) * pi / 180;
  const double y = latitude * pi / 180;
  if (kind_ == plate_carree) return {x * std::cos(middle_), y};
  if (kind_ == albers) {
    const double radius = std::sqrt(std::max(0.0, constant_ - 2 * cone_ * std::sin(y))) / cone_;
    return {radius * std::sin(cone_ * x), -radius * std::cos(cone_ * x)};
  }
  // T. Patterson's Natural Earth, in the polynomials of B. Šavrič.
  const double y2 = y * y;
  const double y4 = y2 * y2;
  return {x * (0.8707 - 0.131979 * y2 + y4 * (-0.013791 + y4 * (0.003971 * y2 - 0.001529 * y4))),
          y * (1.007226 + y2 * (0.015085 + y4 * (-0.044475 + 0.028874 * y2 - 0.005916 * y4)))};
}

}  // namespace evenfold::cli
