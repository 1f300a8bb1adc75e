#include "cli/draw/canvas.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "evenfold/core/error.hpp"

namespace evenfold::cli {

static_assert(sizeof(colour) == 3, "libpng reads the dots as they lie");

canvas::canvas(int width, int height)
    : width_(width),
      height_(height),
      dots_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), {255, 255, 255}),
      samples_(dots_.size()),
      left_(width),
      top_(height) {}

void canvas::fill(int left, int top, int width, int height, colour paint) {
  for (int y = top; y < top + height; ++y) {
    for (int x = left; x < left + width; ++x) dot(x, y) = paint;
  }
}

void canvas::add_samples(int row, double from, double to) {
  const int count = width_ * columns;
  const auto first_at = [&](double x) {
    return static_cast<int>(std::ceil(std::clamp(x * columns - 0.5, 0., double(count))));
  };
  const int begin = first_at(from), end = first_at(to);
  if (begin >= end) return;
  const int y = row / rows;
  left_ = std::min(left_, begin / columns);
  right_ = std::max(right_, (end - 1) / columns + 1);
  top_ = std::min(top_, y);
  bottom_ = std::max(bottom_, y + 1);
  std::uint32_t* const samples = samples_.data() + index(0, y);
  const int shift = row % rows * columns;
  const auto add = [&](int x, int low, int high) {
    samples[x] |= ((1u << high) - (1u << low)) << shift;
  };
  const int first = begin / columns, last = (end - 1) / columns;
  if (first == last) return add(first, begin % columns, end - first * columns);
  add(first, begin % columns, columns);
  for (int x = first + 1; x < last; ++x) samples[x] |= 0xffu << shift;
  add(last, 0, end - last * columns);
}

void canvas::add_polygon(const polyline& corners) {
  const auto is_finite = [](point p) { return std::isfinite(p.x) && std::isfinite(p.y); };
  if (corners.empty() || !std::all_of(corners.begin(), corners.end(), is_finite)) return;
  const auto [lowest, highest] = std::minmax_element(corners.begin(), corners.end(),
                                                     [](point a, point b) { return a.y < b.y; });
  const auto row_at = [&](double y) {
    return static_cast<int>(std::ceil(std::clamp(y * rows - 0.5, 0., double(height_) * rows)));
  };
  std::vector<double> crossings;
  for (int row = row_at(lowest->y); row < row_at(highest->y); ++row) {
    const double y = (row + 0.5) / rows;
    crossings.clear();
    point a = corners.back();
    for (const point b : corners) {
      if ((a.y <= y) != (b.y <= y)) {
        crossings.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
      }
      a = b;
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t k = 0; k + 1 < crossings.size(); k += 2) {
      add_samples(row, crossings[k], crossings[k + 1]);
    }
  }
}

void canvas::add_circle(point centre, double radius) {
  const int count = 8 + static_cast<int>(4 * radius);
  polyline corners;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    corners.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  add_polygon(corners);
}

void canvas::add_line(const polyline& line, double width, bool round) {
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (round || (k > 0 && k + 1 < line.size())) add_circle(line[k], width / 2);
    if (k == 0) continue;
    const point a = line[k - 1], b = line[k];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length == 0) continue;
    const double x = (b.y - a.y) / length * width / 2, y = (a.x - b.x) / length * width / 2;
    add_polygon({{a.x + x, a.y + y}, {b.x + x, b.y + y}, {b.x - x, b.y - y}, {a.x - x, a.y - y}});
  }
}

void canvas::paint(colour paint, double opacity) {
  for (int y = top_; y < bottom_; ++y) {
    for (int x = left_; x < right_; ++x) {
      std::uint32_t& bits = samples_[index(x, y)];
      if (bits == 0) continue;
      const double share = opacity * std::popcount(bits) / (rows * columns);
      bits = 0;
      if (share == 1) {
        dot(x, y) = paint;
        continue;
      }
      const auto mix = [&](std::uint8_t& below, std::uint8_t above) {
        below = static_cast<std::uint8_t>(std::lround(below + (above - below) * share));
      };
      mix(dot(x, y).red, paint.red);
      mix(dot(x, y).green, paint.green);
      mix(dot(x, y).blue, paint.blue);
    }
  }
  left_ = width_;
  top_ = height_;
  right_ = bottom_ = 0;
}

std::string canvas::as_png() const {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width_);
  image.height = static_cast<png_uint_32>(height_);
  image.format = PNG_FORMAT_RGB;
  // Four times as fast as with libpng's default, which tries every filter; maps become smaller, and
  // charts of 43 KB become charts of 69 KB.
  image.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string result(bytes, '\0');
  if (png_image_write_to_memory(&image, result.data(), &bytes, 0, dots_.data(), 0, nullptr) != 0) {
    result.resize(bytes);
    result.shrink_to_fit();
    return result;
  }
  throw error(fmt::format("the picture cannot be made ({})", image.message));
}

}  // namespace evenfold::cli
