// Draws the graticule and the great circles of a map.

#include "cli/draw/map_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "cli/draw/map_style.hpp"
#include "runtime/places.hpp"

namespace evenfold::cli {

using std::numbers::pi;

namespace {

/// The step of the graticule, for about six lines.
double graticule_step(double span) {
  for (const double step : {0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0}) {
    if (span / step <= 7) return step;
  }
  return 30;
}

std::string degrees_label(double value, char positive, char negative) {
  const double size = std::abs(value);
  return fmt::format(
      "{:.4g}°{}", size,
      size < 1e-9 || size == 180 ? "" : std::string(1, value > 0 ? positive : negative));
}

void move_to(std::string& path, point p, bool first) {
  path += fmt::format("{}{:.1f} {:.1f}", first ? "M" : "L", p.x, p.y);
}

}  // namespace

std::string draw_graticule(const projection& project) {
  const window& shown = project.shown();
  std::string text;
  const double step_x = graticule_step(shown.span);
  const double step_y = graticule_step(shown.north - shown.south);
  constexpr int pieces = 48;
  text += "<path d=\"";
  for (int i = 0; i < 4 * pieces; ++i) {
    move_to(text, project.on_border(i / (4.0 * pieces)), i == 0);
  }
  text += fmt::format("Z\" fill=\"{}\" stroke=\"{}\"/>\n", sea, graticule);

  std::string labels;
  const auto label = [&](point p, const char* anchor, const std::string& degrees) {
    labels += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", p.x,
                          p.y, anchor, degrees);
  };
  text += "<path d=\"";
  for (double x = std::ceil(shown.west / step_x) * step_x; x < shown.west + shown.span;
       x += step_x) {
    for (int i = 0; i <= pieces; ++i) {
      move_to(text, project(x - shown.west, shown.south + (shown.north - shown.south) * i / pieces),
              i == 0);
    }
    double longitude = std::remainder(x, 360);
    if (longitude == -180) longitude = 180;
    const point top = project(x - shown.west, shown.north);
    label({top.x, top.y - 6}, "middle", degrees_label(longitude, 'E', 'W'));
  }
  for (double y = std::ceil(shown.south / step_y) * step_y; y < shown.north; y += step_y) {
    for (int i = 0; i <= pieces; ++i) move_to(text, project(shown.span * i / pieces, y), i == 0);
    const point left = project(0, y);
    label({left.x - 5, left.y + 3.5}, "end", degrees_label(y, 'N', 'S'));
  }
  text += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\"/>\n", graticule);
  text += fmt::format("<g font-size=\"9.5\" fill=\"{}\">\n{}</g>\n", pale_ink, labels);
  return text;
}

void add_great_circle(std::string& path, const map_content& content, std::int32_t from,
                      std::int32_t to, const projection& project) {
  const window& shown = project.shown();
  const auto f = static_cast<std::size_t>(from);
  const auto t = static_cast<std::size_t>(to);
  const sphere_point a = to_sphere(content.latitudes[f], content.longitudes[f]);
  const sphere_point b = to_sphere(content.latitudes[t], content.longitudes[t]);
  const double angle = great_circle_angle(content.latitudes[f], content.longitudes[f],
                                          content.latitudes[t], content.longitudes[t]);
  const int pieces = std::clamp(static_cast<int>(angle * 40), 1, 64);
  double before = 0;
  double latitude_before = 0;
  for (int i = 0; i <= pieces; ++i) {
    double x = shown.from_west(content.longitudes[f]);
    double latitude = content.latitudes[f];
    if (i == pieces) {
      x = shown.from_west(content.longitudes[t]);
      latitude = content.latitudes[t];
    } else if (i > 0 && std::sin(angle) > 1e-9) {
      const double u = std::sin(angle * (1 - double(i) / pieces)) / std::sin(angle);
      const double v = std::sin(angle * i / pieces) / std::sin(angle);
      const sphere_point p{a.x * u + b.x * v, a.y * u + b.y * v, a.z * u + b.z * v};
      x = shown.from_west(std::atan2(p.y, p.x) * 180 / pi);
      latitude = std::atan2(p.z, std::hypot(p.x, p.y)) * 180 / pi;
    }
    if (i > 0 && std::abs(x - before) > 180) {
      // Across the seam opposite the middle of the window: to one border, on from the other.
      const double turn = x > before ? -360 : 360;
      const double edge = turn < 0 ? 0 : 360;
      const double share = (edge - before) / (x + turn - before);
      const double crossing = latitude_before + share * (latitude - latitude_before);
      move_to(path, project(std::clamp(edge, 0.0, shown.span), crossing), false);
      move_to(path, project(std::clamp(360 - edge, 0.0, shown.span), crossing), true);
    }
    // The space between the borders and the seam is not shown.
    move_to(path, project(std::min(x, x > (shown.span + 360) / 2 ? 0 : shown.span), latitude),
            i == 0);
    before = x;
    latitude_before = latitude;
  }
}

}  // namespace evenfold::cli
