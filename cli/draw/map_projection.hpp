#pragma once
// The projection from degrees to the picture.
//
// Idea: the map shows the shortest window of longitudes that holds all places, so data around the
// Pacific are not torn apart at 180 degrees. Large windows use the Natural Earth projection, small
// ones Albers' conic of equal areas, all others (and small ones near the equator) a plate carrée
// that is true at the middle latitude.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "cli/draw/map.hpp"
#include "cli/draw/point.hpp"

namespace evenfold::cli {

/// The window of the map, in degrees. Longitudes are counted from `west`, eastwards, up to 360.
struct window {
  double west, span, south, north;

  double from_west(double longitude) const {
    const double degrees = std::fmod(longitude - west, 360);
    return degrees < 0 ? degrees + 360 : degrees;
  }
};

/// The shortest window that holds all places, with a margin.
window window_of(const map_content& content);

/// A window, projected and fitted into the picture.
class projection {
 public:
  /// Fits the window into `width` by `height`, its upper left corner at (left, top).
  projection(const window& shown, double left, double top, double width, double height);

  /// Moves the fitted map to the right.
  void shift(double by) { shift_ = by; }

  const window& shown() const { return shown_; }
  double width() const { return width_; }
  double height() const { return height_; }
  /// The upper left corner of a box that holds the map.
  double left() const { return left_ + shift_; }
  double top() const { return top_; }

  /// `from_west` in degrees from the west of the window.
  point operator()(double from_west, double latitude) const {
    return placed(flat(from_west, latitude));
  }

  /// The border of the window, all around while t goes from 0 to 1.
  point on_border(double t) const { return placed(border(t)); }

 private:
  enum kind { natural_earth, albers, plate_carree };

  /// Maps the plane of the projection, in which `flat` and `border` are, to the picture.
  point placed(point p) const {
    return {origin_.x + p.x * scale_ + shift_, origin_.y - p.y * scale_};
  }
  point flat(double from_west, double latitude) const;
  point border(double t) const;

  window shown_;
  kind kind_;
  double middle_ = 0, cone_ = 0, constant_ = 0;
  double left_, top_, shift_ = 0;
  double scale_ = 1, width_ = 0, height_ = 0;
  point origin_{0, 0};
};

/// The point of the picture that shows a place.
inline point place_of(const map_content& content, std::int32_t row, const projection& project) {
  const auto i = static_cast<std::size_t>(row);
  return project(project.shown().from_west(content.longitudes[i]), content.latitudes[i]);
}

}  // namespace evenfold::cli
