#pragma once
// A bitmap picture on which areas and lines are painted, with smooth edges.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/draw/point.hpp"

namespace evenfold::cli {

struct colour {
  std::uint8_t red, green, blue;
};

/// A picture that is white at first. The next paint() paints all added shapes as one: dots that
/// several of them cover are painted once.
class canvas {
 public:
  canvas(int width, int height);

  int height() const { return height_; }

  /// Paints a rectangle of whole dots, which must be inside the picture.
  void fill(int left, int top, int width, int height, colour paint);

  /// Adds the inside of a polygon, by the even-odd rule. Adds nothing if a corner is not finite.
  void add_polygon(const polyline& corners);
  void add_circle(point centre, double radius);
  /// Adds a line with round corners, whose ends are round, too, if `round` says so.
  void add_line(const polyline& line, double width, bool round);
  void paint(colour paint, double opacity);

  /// The bytes of a PNG file.
  std::string as_png() const;

 private:
  // Each dot has 4 rows of 8 samples, with one bit per sample: whether it is inside of a shape.
  static constexpr int rows = 4, columns = 8;

  void add_samples(int row, double from, double to);
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  colour& dot(int x, int y) { return dots_[index(x, y)]; }

  int width_, height_;
  std::vector<colour> dots_;
  std::vector<std::uint32_t> samples_;
  /// The rectangle of dots with samples: from the left and the top, to the right and the bottom.
  int left_, top_, right_ = 0, bottom_ = 0;
};

}  // namespace evenfold::cli
