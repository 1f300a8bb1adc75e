// Draws the map: projection, graticule, places as dots, stars with their lines, labels, legend.
//
// The map shows the shortest window of longitudes that holds all places, so data around the Pacific
// are not torn apart at 180 degrees. Large windows use the Natural Earth projection, small ones
// Albers' conic of equal areas, all others (and small ones near the equator) a plate carrée that is
// true at the middle latitude. Lines are great circles; one that leaves the window is continued on
// the other side. Labels take the best of a few spots around their place and are left out where
// none is free.

#include "cli/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "evenfold/geo/great_circle.hpp"

namespace evenfold::cli {

namespace {

constexpr double pi = 3.14159265358979323846;

struct point {
  double x, y;
};

struct box {
  double left, top, right, bottom;
  /// How bad it is to cover it.
  double weight = 1;

  /// The area that two boxes share.
  double overlap(const box& other) const {
    const double width = std::min(right, other.right) - std::max(left, other.left);
    const double height = std::min(bottom, other.bottom) - std::max(top, other.top);
    return width > 0 && height > 0 ? width * height : 0;
  }
};

// Paul Tol's palettes, told apart with every kind of colour vision: "bright" for few groups,
// "muted" for many, where a colour serves several groups that lie apart.
constexpr std::array<const char*, 6> bright = {"#4477aa", "#ee6677", "#228833",
                                               "#ccbb44", "#66ccee", "#aa3377"};
constexpr std::array<const char*, 9> muted = {"#332288", "#cc6677", "#117733", "#ddaa33", "#88ccee",
                                              "#882255", "#44aa99", "#999933", "#aa4499"};

constexpr const char* sea = "#f4f7fa";
constexpr const char* graticule = "#dde4ea";
constexpr const char* ink = "#1d2730";
constexpr const char* pale_ink = "#6b7783";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // XML knows no control characters.
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

/// Replaces what is no UTF-8, which no SVG file may contain, by U+FFFD.
std::string valid_utf8(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
    };
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    bool good = length > 0;
    for (std::size_t j = 1; j < length; ++j) good = good && (byte(i + j) & 0xC0u) == 0x80u;
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    good = good && !(lead == 0xE0 && byte(i + 1) < 0xA0) &&
           !(lead == 0xED && byte(i + 1) >= 0xA0) && !(lead == 0xF0 && byte(i + 1) < 0x90) &&
           !(lead == 0xF4 && byte(i + 1) >= 0x90);
    if (good) {
      result.append(text, i, length);
      i += length;
    } else {
      result += "\xEF\xBF\xBD";
      ++i;
    }
  }
  return result;
}

/// About how wide a text is drawn. Fonts differ, so texts are anchored at the side of their place.
double text_width(std::string_view text, double size, bool bold = false) {
  double signs = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // East Asian signs, which begin with these bytes, are twice as wide.
    if ((byte & 0xC0) != 0x80) signs += byte >= 0xE3 && byte <= 0xEF ? 1.9 : 1;
  }
  return (bold ? 0.69 : 0.6) * size * signs;
}

/// The window of the map, in degrees. Longitudes are counted from `west`, eastwards, up to 360.
struct window {
  double west, span, south, north;

  double from_west(double longitude) const {
    const double degrees = std::fmod(longitude - west, 360);
    return degrees < 0 ? degrees + 360 : degrees;
  }
};

/// The shortest window that holds all places, with a margin.
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
  // Neither a strip nor a thread: the sides of the window differ by three times at most.
  const double squeeze = std::max(0.1, std::cos((*south + *north) / 2 * pi / 180));
  const double margin_x = std::max(0.04 * width, (height / squeeze / 3 - width) / 2);
  const double margin_y = std::max(0.07 * height, (width * squeeze / 3 - height) / 2);
  const double padding = std::min(margin_x, gap / 2);
  return {west - padding, width + 2 * padding, std::max(-90.0, *south - margin_y),
          std::min(90.0, *north + margin_y)};
}

/// From degrees to the picture.
class projection {
 public:
  /// Fits the window into `width` by `height`, its upper left corner at (left, top).
  projection(const window& shown, double left, double top, double width, double height)
      : shown_(shown), kind_(shown.span > 150 ? natural_earth : plate_carree) {
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

  double width() const { return width_; }
  double height() const { return height_; }

  /// `from_west` in degrees from the west of the window.
  point operator()(double from_west, double latitude) const {
    return placed(flat(from_west, latitude));
  }

  /// The border of the window, all around while t goes from 0 to 1.
  point on_border(double t) const { return placed(border(t)); }

 private:
  enum kind { natural_earth, albers, plate_carree };

  point placed(point p) const { return {origin_.x + p.x * scale_, origin_.y - p.y * scale_}; }

  point border(double t) const {
    const double side = std::fmod(t * 4, 1.0);
    const double height = shown_.north - shown_.south;
    if (t < 0.25) return flat(shown_.span * side, shown_.south);
    if (t < 0.5) return flat(shown_.span, shown_.south + height * side);
    if (t < 0.75) return flat(shown_.span * (1 - side), shown_.north);
    return flat(0, t < 1 ? shown_.north - height * side : shown_.south);
  }

  point flat(double from_west, double latitude) const {
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

  window shown_;
  kind kind_;
  double middle_ = 0, cone_ = 0, constant_ = 0;
  double scale_ = 1, width_ = 0, height_ = 0;
  point origin_{0, 0};
};

/// The step of the graticule that gives about six lines.
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

class map_drawing {
 public:
  explicit map_drawing(const map_content& content)
      : content_(content),
        window_(window_of(content)),
        project_(window_, margin, header, most_width, most_height),
        width_(std::max(least_width, project_.width() + 2 * margin)),
        shift_((width_ - 2 * margin - project_.width()) / 2) {
    choose_colours();
  }

  std::string text() {
    const double legend = legend_height();
    const double height = header + project_.height() + legend;
    auto out = std::back_inserter(text_);
    fmt::format_to(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                   "width=\"{0:.0f}\" height=\"{1:.0f}\" "
                   "font-family=\"Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\">\n",
                   width_, height);
    fmt::format_to(out, "<title>{}</title>\n", escaped(content_.title));
    fmt::format_to(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    fmt::format_to(
        out, "<text x=\"{}\" y=\"42\" font-size=\"25\" font-weight=\"700\" fill=\"{}\">{}</text>\n",
        margin, ink, escaped(content_.title));
    fmt::format_to(out, "<text x=\"{}\" y=\"66\" font-size=\"13.5\" fill=\"{}\">{}</text>\n",
                   margin, pale_ink, escaped(content_.subtitle));
    draw_graticule();
    draw_places();
    draw_lines();
    draw_labels();
    draw_stars();
    draw_legend(header + project_.height());
    text_ += "</svg>\n";
    return valid_utf8(text_);
  }

 private:
  static constexpr double margin = 36, header = 92, most_width = 1208, most_height = 800,
                          least_width = 640;
  static constexpr double star_radius = 5.2;

  point at(double from_west, double latitude) const {
    const point p = project_(from_west, latitude);
    return {p.x + shift_, p.y};
  }
  point place(std::int32_t row) const {
    const auto i = static_cast<std::size_t>(row);
    return at(window_.from_west(content_.longitudes[i]), content_.latitudes[i]);
  }
  const char* colour_of_row(std::int32_t row) const {
    return colours_[static_cast<std::size_t>(content_.groups[static_cast<std::size_t>(row)])];
  }

  /// Few groups: one colour each. Many: in their order, each takes the colour whose groups are
  /// farthest off.
  void choose_colours() {
    const std::size_t count = content_.group_names.size();
    if (count <= bright.size()) {
      colours_.assign(bright.begin(), bright.begin() + static_cast<std::ptrdiff_t>(count));
      return;
    }
    std::vector<sphere_point> middles(count, {0, 0, 0});
    for (std::size_t i = 0; i < content_.groups.size(); ++i) {
      const sphere_point p = to_sphere(content_.latitudes[i], content_.longitudes[i]);
      sphere_point& sum = middles[static_cast<std::size_t>(content_.groups[i])];
      sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
    }
    for (sphere_point& sum : middles) {
      const double length = std::sqrt(squared_chord(sum, {0, 0, 0}));
      if (length > 0) sum = {sum.x / length, sum.y / length, sum.z / length};
    }
    // Beyond this many the distances of all pairs would take longer than the eye could thank for.
    constexpr std::size_t most_compared = 2000;
    std::vector<std::size_t> chosen;
    for (std::size_t g = 0; g < count; ++g) {
      std::array<double, muted.size()> nearest;
      nearest.fill(std::numeric_limits<double>::infinity());
      for (std::size_t other = 0; other < std::min(g, most_compared); ++other) {
        double& least = nearest[chosen[other]];
        least = std::min(least, squared_chord(middles[g], middles[other]));
      }
      const auto best = std::max_element(nearest.begin(), nearest.end()) - nearest.begin();
      chosen.push_back(g < most_compared ? static_cast<std::size_t>(best) : g % muted.size());
      colours_.push_back(muted[chosen.back()]);
    }
  }

  void move_to(point p, bool first) {
    fmt::format_to(std::back_inserter(text_), "{}{:.1f} {:.1f}", first ? "M" : "L", p.x, p.y);
  }

  void draw_graticule() {
    auto out = std::back_inserter(text_);
    const double step_x = graticule_step(window_.span);
    const double step_y = graticule_step(window_.north - window_.south);
    constexpr int pieces = 48;
    fmt::format_to(out, "<path d=\"");
    for (int i = 0; i < 4 * pieces; ++i) {
      const point p = project_.on_border(i / (4.0 * pieces));
      move_to({p.x + shift_, p.y}, i == 0);
    }
    fmt::format_to(out, "Z\" fill=\"{}\" stroke=\"{}\"/>\n", sea, graticule);

    std::string labels;
    const auto label = [&](point p, const char* anchor, const std::string& text) {
      fmt::format_to(std::back_inserter(labels),
                     "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", p.x, p.y,
                     anchor, text);
    };
    fmt::format_to(out, "<path d=\"");
    for (double x = std::ceil(window_.west / step_x) * step_x; x < window_.west + window_.span;
         x += step_x) {
      for (int i = 0; i <= pieces; ++i) {
        move_to(at(x - window_.west, window_.south + (window_.north - window_.south) * i / pieces),
                i == 0);
      }
      double longitude = std::remainder(x, 360);
      if (longitude == -180) longitude = 180;
      const point top = at(x - window_.west, window_.north);
      label({top.x, top.y - 6}, "middle", degrees_label(longitude, 'E', 'W'));
    }
    for (double y = std::ceil(window_.south / step_y) * step_y; y < window_.north; y += step_y) {
      for (int i = 0; i <= pieces; ++i) move_to(at(window_.span * i / pieces, y), i == 0);
      const point left = at(0, y);
      label({left.x - 5, left.y + 3.5}, "end", degrees_label(y, 'N', 'S'));
    }
    fmt::format_to(out, "\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\"/>\n", graticule);
    fmt::format_to(out, "<g font-size=\"9.5\" fill=\"{}\">\n{}</g>\n", pale_ink, labels);
  }

  /// All dots of a group in one path: round caps make each zero-length line a dot.
  void draw_places() {
    auto out = std::back_inserter(text_);
    const auto count = static_cast<double>(content_.groups.size());
    const double size = std::clamp(90 / std::sqrt(count + 1), 1.5, 6.5);
    std::vector<std::string> paths(content_.group_names.size());
    for (std::size_t i = 0; i < content_.groups.size(); ++i) {
      const point p = place(static_cast<std::int32_t>(i));
      fmt::format_to(std::back_inserter(paths[static_cast<std::size_t>(content_.groups[i])]),
                     "M{:.1f} {:.1f}h0", p.x, p.y);
    }
    fmt::format_to(out,
                   "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"{:.1f}\" "
                   "stroke-opacity=\"{}\">\n",
                   size, count > 2000 ? 0.6 : 0.85);
    for (std::size_t g = 0; g < paths.size(); ++g) {
      fmt::format_to(out, "<path stroke=\"{}\" d=\"{}\"><title>{}</title></path>\n", colours_[g],
                     paths[g], escaped(content_.group_names[g]));
    }
    text_ += "</g>\n";
  }

  /// The great circle from one place to another, cut where it leaves the window.
  void draw_line(std::int32_t from, std::int32_t to) {
    const auto f = static_cast<std::size_t>(from);
    const auto t = static_cast<std::size_t>(to);
    const sphere_point a = to_sphere(content_.latitudes[f], content_.longitudes[f]);
    const sphere_point b = to_sphere(content_.latitudes[t], content_.longitudes[t]);
    const double angle = great_circle_angle(content_.latitudes[f], content_.longitudes[f],
                                            content_.latitudes[t], content_.longitudes[t]);
    const int pieces = std::clamp(static_cast<int>(angle * 40), 1, 64);
    double before = 0;
    double latitude_before = 0;
    for (int i = 0; i <= pieces; ++i) {
      double x = window_.from_west(content_.longitudes[f]);
      double latitude = content_.latitudes[f];
      if (i == pieces) {
        x = window_.from_west(content_.longitudes[t]);
        latitude = content_.latitudes[t];
      } else if (i > 0 && std::sin(angle) > 1e-9) {
        const double u = std::sin(angle * (1 - double(i) / pieces)) / std::sin(angle);
        const double v = std::sin(angle * i / pieces) / std::sin(angle);
        const sphere_point p{a.x * u + b.x * v, a.y * u + b.y * v, a.z * u + b.z * v};
        x = window_.from_west(std::atan2(p.y, p.x) * 180 / pi);
        latitude = std::atan2(p.z, std::hypot(p.x, p.y)) * 180 / pi;
      }
      if (i > 0 && std::abs(x - before) > 180) {
        // Across the seam opposite the middle of the window: to one border, on from the other.
        const double turn = x > before ? -360 : 360;
        const double edge = turn < 0 ? 0 : 360;
        const double share = (edge - before) / (x + turn - before);
        const double crossing = latitude_before + share * (latitude - latitude_before);
        move_to(at(std::clamp(edge, 0.0, window_.span), crossing), false);
        move_to(at(std::clamp(360 - edge, 0.0, window_.span), crossing), true);
      }
      // The space between the borders and the seam is not shown.
      move_to(at(std::min(x, x > (window_.span + 360) / 2 ? 0 : window_.span), latitude), i == 0);
      before = x;
      latitude_before = latitude;
    }
  }

  void draw_lines() {
    auto out = std::back_inserter(text_);
    text_ += "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n";
    for (const bool halo : {true, false}) {
      for (const map_star& star : content_.stars) {
        if (star.neighbours.empty()) continue;
        text_ += "<path d=\"";
        for (const std::int32_t neighbour : star.neighbours) draw_line(star.row, neighbour);
        if (halo) {
          fmt::format_to(out,
                         "\" stroke=\"#ffffff\" stroke-width=\"3.4\" stroke-opacity=\"0.8\"/>\n");
        } else {
          fmt::format_to(out, "\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", colour_of_row(star.row));
        }
      }
    }
    text_ += "</g>\n";
  }

  void draw_stars() {
    auto out = std::back_inserter(text_);
    for (const map_star& star : content_.stars) {
      for (const std::int32_t neighbour : star.neighbours) {
        const point p = place(neighbour);
        fmt::format_to(out,
                       "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.8\" fill=\"#ffffff\" "
                       "stroke=\"{}\" stroke-width=\"1.4\"/>\n",
                       p.x, p.y, colour_of_row(neighbour));
      }
    }
    for (const map_star& star : content_.stars) {
      const point p = place(star.row);
      fmt::format_to(out,
                     "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"#ffffff\" "
                     "stroke-width=\"1.6\"/>\n",
                     p.x, p.y, star_radius, colour_of_row(star.row));
    }
  }

  struct label_wish {
    std::int32_t row;
    std::string_view text;
    double size;
    double weight;
    bool of_star;
  };

  struct label_spot {
    box area;
    const char* anchor;
    /// Whether a line must show which place is meant.
    bool far;
  };

  /// The spot for a label that covers least, or nothing where every spot covers too much.
  std::optional<label_spot> free_spot(const label_wish& wish, point p,
                                      const std::vector<box>& taken) const {
    const double width = text_width(wish.text, wish.size, wish.of_star);
    const double height = wish.size;
    const double gap = (wish.of_star ? star_radius : 2.8) + 3;
    const box frame{shift_ + margin, header, shift_ + margin + project_.width(),
                    header + project_.height()};
    std::optional<label_spot> best;
    double least = 0.05 * width * height;
    for (const double times : {1.0, 1.6, 3.0, 4.5}) {
      const double g = gap * times;
      const double side = 0.7 * g;
      const std::pair<point, const char*> corners[] = {
          {{p.x + g, p.y - height / 2}, "start"},
          {{p.x - g - width, p.y - height / 2}, "end"},
          {{p.x - width / 2, p.y - g - height}, "middle"},
          {{p.x - width / 2, p.y + g}, "middle"},
          {{p.x + side, p.y - side - height}, "start"},
          {{p.x + side, p.y + side}, "start"},
          {{p.x - side - width, p.y - side - height}, "end"},
          {{p.x - side - width, p.y + side}, "end"}};
      double order = 0;
      for (const auto& [corner, anchor] : corners) {
        const box area{corner.x, corner.y, corner.x + width, corner.y + height};
        // The earlier spots are the better ones, all else being equal; none may leave the frame.
        double covered = order + 3 * (width * height - area.overlap(frame));
        order += 0.01;
        for (const box& other : taken) covered += other.weight * area.overlap(other);
        if (covered < least) {
          least = covered;
          best = label_spot{area, anchor, times > 2};
        }
      }
      if (best) break;
    }
    return best;
  }

  /// What labels shall not cover: stars and their neighbours, the lines between them, and the other
  /// places where these are few.
  std::vector<box> covered_by_drawing() const {
    std::vector<box> taken;
    const auto dot = [&](point p, double radius, double weight) {
      taken.push_back({p.x - radius, p.y - radius, p.x + radius, p.y + radius, weight});
    };
    for (const map_star& star : content_.stars) {
      const point p = place(star.row);
      dot(p, star_radius, 3);
      for (const std::int32_t neighbour : star.neighbours) {
        const point n = place(neighbour);
        dot(n, 3, 3);
        constexpr int pieces = 8;
        for (int i = 1; i < pieces; ++i) {
          dot({p.x + (n.x - p.x) * i / pieces, p.y + (n.y - p.y) * i / pieces}, 3, 1);
        }
      }
    }
    if (content_.groups.size() <= 500) {
      for (std::size_t i = 0; i < content_.groups.size(); ++i) {
        dot(place(static_cast<std::int32_t>(i)), 2.5, 0.5);
      }
    }
    return taken;
  }

  void draw_labels() {
    const bool few = content_.stars.size() <= 12;
    std::vector<label_wish> wishes;
    for (const map_star& star : content_.stars) {
      wishes.push_back({star.row, star.label, few ? 13.0 : 10.5, star.weight + 1e9, true});
      for (std::size_t j = 0; few && j < star.neighbours.size(); ++j) {
        wishes.push_back({star.neighbours[j], star.neighbour_labels[j], 10.5, star.weight, false});
      }
    }
    std::stable_sort(wishes.begin(), wishes.end(),
                     [](const label_wish& a, const label_wish& b) { return a.weight > b.weight; });

    std::vector<box> taken = covered_by_drawing();
    std::vector<std::int32_t> labelled;
    std::string leaders;
    std::string texts;
    for (const label_wish& wish : wishes) {
      if (std::find(labelled.begin(), labelled.end(), wish.row) != labelled.end()) continue;
      const point p = place(wish.row);
      const std::optional<label_spot> spot = free_spot(wish, p, taken);
      if (!spot) continue;
      const box& area = spot->area;
      taken.push_back(area);
      labelled.push_back(wish.row);
      if (spot->far) {
        fmt::format_to(std::back_inserter(leaders), "M{:.1f} {:.1f}L{:.1f} {:.1f}", p.x, p.y,
                       std::clamp(p.x, area.left, area.right),
                       std::clamp(p.y, area.top, area.bottom));
      }
      const double x = spot->anchor[0] == 's'   ? area.left
                       : spot->anchor[0] == 'e' ? area.right
                                                : (area.left + area.right) / 2;
      fmt::format_to(std::back_inserter(texts),
                     "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\" "
                     "font-weight=\"{}\" fill=\"{}\">{}</text>\n",
                     x, area.bottom - 0.15 * wish.size, spot->anchor, wish.size,
                     wish.of_star ? 700 : 400, wish.of_star ? ink : pale_ink, escaped(wish.text));
    }
    auto out = std::back_inserter(text_);
    fmt::format_to(out, "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.7\"/>\n",
                   leaders, pale_ink);
    fmt::format_to(out,
                   "<g stroke=\"#ffffff\" stroke-width=\"2.6\" stroke-opacity=\"0.85\" "
                   "stroke-linejoin=\"round\" paint-order=\"stroke\">\n{}</g>\n",
                   texts);
  }

  bool names_groups() const {
    return !content_.group_names.empty() && content_.group_names.size() <= 2 * bright.size();
  }
  double legend_height() const { return names_groups() ? 84 : 58; }

  void draw_legend(double top) {
    auto out = std::back_inserter(text_);
    constexpr double size = 12;
    double x = margin;
    double y = top + 32;
    const auto entry = [&](const std::string& sign, double sign_width, std::string_view name) {
      const double wanted = sign_width + 8 + text_width(name, size) + 22;
      if (x > margin && x + wanted > width_ - margin) {
        x = margin;
        y += 20;
      }
      fmt::format_to(out, "<g transform=\"translate({:.1f} {:.1f})\">{}", x, y, sign);
      fmt::format_to(out, "<text x=\"{:.1f}\" y=\"4\" font-size=\"{}\" fill=\"{}\">{}</text></g>\n",
                     sign_width + 8, size, ink, escaped(name));
      x += wanted;
    };
    if (names_groups()) {
      for (std::size_t g = 0; g < content_.group_names.size(); ++g) {
        entry(fmt::format("<circle cx=\"5\" r=\"5\" fill=\"{}\"/>", colours_[g]), 10,
              content_.group_names[g]);
      }
      x = margin;
      y += 24;
    } else {
      entry(fmt::format("<circle cx=\"5\" r=\"2.5\" fill=\"{0}\"/><circle cx=\"13\" r=\"2.5\" "
                        "fill=\"{1}\"/><circle cx=\"21\" r=\"2.5\" fill=\"{2}\"/>",
                        muted[0], muted[1], muted[2]),
            24, "a place; its colour tells its group from those nearby");
    }
    entry(fmt::format("<circle cx=\"6\" r=\"{}\" fill=\"{}\"/>", star_radius, ink), 12,
          "most remote place");
    entry(fmt::format("<path d=\"M0 0H26\" stroke=\"{0}\" stroke-width=\"1.5\"/><circle cx=\"26\" "
                      "r=\"2.8\" fill=\"#ffffff\" stroke=\"{0}\" stroke-width=\"1.4\"/>",
                      ink),
          29, "the way to a nearest neighbour");
  }

  const map_content& content_;
  window window_;
  projection project_;
  double width_, shift_;
  std::vector<const char*> colours_;
  std::string text_;
};

}  // namespace

std::string draw_map(const map_content& content) { return map_drawing(content).text(); }

}  // namespace evenfold::cli
