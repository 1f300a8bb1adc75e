#include "cli/draw/svg_to_png.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/draw/canvas.hpp"
#include "cli/draw/stroke_font.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold::cli {

namespace {

using attributes = std::map<std::string_view, std::string_view>;

/// Takes a number, and blanks before it, from the beginning of a text. 0 if there is none.
double take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

double number_in(std::string_view text) { return take_number(text); }

/// The colour #rrggbb; nothing for `none`.
std::optional<colour> colour_in(std::string_view text) {
  unsigned bits = 0;
  if (text == "none") return std::nullopt;
  std::from_chars(text.data() + 1, text.data() + text.size(), bits, 16);
  return colour{static_cast<std::uint8_t>(bits >> 16), static_cast<std::uint8_t>(bits >> 8),
                static_cast<std::uint8_t>(bits)};
}

/// A position: optionally a quarter turn to the left, then a shift in dots.
struct placement {
  point origin{0, 0};
  bool turned = false;
  double scale = 2;

  point operator()(point p) const {
    if (turned) p = {p.y, -p.x};
    return {origin.x + scale * p.x, origin.y + scale * p.y};
  }
  polyline operator()(polyline line) const {
    for (point& p : line) p = (*this)(p);
    return line;
  }
};

/// The attributes that an element inherits.
struct style {
  std::optional<colour> fill = colour{0, 0, 0}, stroke;
  double stroke_width = 1, stroke_opacity = 1, font_size = 16;
  bool round_caps = false, bold = false;
  std::string_view anchor = "start";
  placement place;

  void take(const attributes& given) {
    for (const auto& [name, value] : given) {
      if (name == "fill") fill = colour_in(value);
      if (name == "stroke") stroke = colour_in(value);
      if (name == "stroke-width") stroke_width = number_in(value);
      if (name == "stroke-opacity") stroke_opacity = number_in(value);
      if (name == "stroke-linecap") round_caps = value == "round";
      if (name == "font-size") font_size = number_in(value);
      if (name == "font-weight") bold = value == "bold" || value == "700";
      if (name == "text-anchor") anchor = value;
      if (name == "transform") {
        std::string_view rest = value.substr(value.find('(') + 1);
        const double x = take_number(rest);
        place.origin = place({x, take_number(rest)});
        place.turned = rest.find("rotate") != std::string_view::npos;
      }
    }
  }
};

/// The lines of the `d` of a path, and whether they are closed.
std::vector<polyline> lines_of(std::string_view path) {
  std::vector<polyline> lines;
  point at{0, 0};
  while (!path.empty()) {
    const char command = path.front();
    path.remove_prefix(1);
    if (command == 'Z' || command == 'z') {
      at = lines.back().front();
    } else if (command == 'M' || command == 'L') {
      at.x = take_number(path);
      at.y = take_number(path);
      if (command == 'M') lines.emplace_back();
    } else if (command == 'h' || command == 'H') {
      at.x = take_number(path) + (command == 'h' ? at.x : 0);
    } else if (command == 'v' || command == 'V') {
      at.y = take_number(path) + (command == 'v' ? at.y : 0);
    } else {
      continue;
    }
    lines.back().push_back(at);
  }
  return lines;
}

std::string unescaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t length = 1;
    std::string_view sign = text.substr(0, 1);
    for (const auto& [entity, meaning] :
         {std::pair<std::string_view, std::string_view>{"&amp;", "&"},
          {"&lt;", "<"},
          {"&gt;", ">"},
          {"&quot;", "\""}}) {
      if (!text.starts_with(entity)) continue;
      length = entity.size();
      sign = meaning;
    }
    result += sign;
    text.remove_prefix(length);
  }
  return result;
}

class picture {
 public:
  explicit picture(std::string_view svg) : rest_(svg) {}

  std::string draw() {
    std::vector<style> around(1);
    while (next_tag()) {
      if (tag_ == "svg") {
        width_ = number_in(given_["width"]);
        height_ = number_in(given_["height"]);
        dots_.emplace(static_cast<int>(std::lround(width_ * around[0].place.scale)),
                      static_cast<int>(std::lround(height_ * around[0].place.scale)));
        continue;
      }
      if (tag_ == "/g") around.pop_back();
      if (tag_.starts_with('/')) continue;
      style here = around.back();
      here.take(given_);
      if (tag_ == "g") around.push_back(here);
      if (tag_ == "rect") draw_rectangle(here);
      if (tag_ == "circle") draw_circle(here);
      if (tag_ == "path") draw_path(here);
      if (tag_ == "text") draw_text(here);
    }
    return dots_->as_png();
  }

 private:
  /// Takes the next tag, and before it the text in front of it.
  bool next_tag() {
    const std::size_t begin = rest_.find('<');
    if (begin == std::string_view::npos) return false;
    before_ = rest_.substr(0, begin);
    const std::size_t end = rest_.find('>', begin);
    std::string_view inside = rest_.substr(begin + 1, end - begin - 1);
    rest_.remove_prefix(end + 1);
    tag_ = inside.substr(0, inside.find_first_of(" /", 1));
    given_.clear();
    for (std::size_t equal; (equal = inside.find("=\"")) != std::string_view::npos;) {
      const std::size_t name = inside.rfind(' ', equal) + 1;
      const std::size_t close = inside.find('"', equal + 2);
      given_[inside.substr(name, equal - name)] = inside.substr(equal + 2, close - equal - 2);
      inside.remove_prefix(close + 1);
    }
    return true;
  }

  /// A length, or a percentage of another one.
  double length(const char* name, double whole) {
    const std::string_view text = given_[name];
    return number_in(text) * (text.ends_with('%') ? whole / 100 : 1);
  }

  void draw_rectangle(const style& how) {
    const double x = length("x", width_), y = length("y", height_);
    const double right = x + length("width", width_), bottom = y + length("height", height_);
    draw_lines(how, {{{x, y}, {right, y}, {right, bottom}, {x, bottom}, {x, y}}});
  }

  void draw_circle(const style& how) {
    const point centre = how.place({number_in(given_["cx"]), number_in(given_["cy"])});
    const double radius = number_in(given_["r"]) * how.place.scale;
    const double half = how.stroke ? how.stroke_width / 2 * how.place.scale : 0;
    // The stroke covers the inside of the circle, which is painted again.
    if (how.stroke) {
      dots_->add_circle(centre, radius + half);
      dots_->paint(*how.stroke, how.stroke_opacity);
    }
    dots_->add_circle(centre, radius - half);
    if (how.fill) dots_->paint(*how.fill, 1);
  }

  void draw_path(const style& how) { draw_lines(how, lines_of(given_["d"])); }

  void draw_lines(const style& how, const std::vector<polyline>& lines) {
    for (const polyline& line : lines) {
      if (how.fill) dots_->add_polygon(how.place(line));
    }
    if (how.fill) dots_->paint(*how.fill, 1);
    if (how.stroke) draw_strokes(how, lines, how.stroke_width, how.round_caps);
  }

  void draw_strokes(const style& how, const std::vector<polyline>& lines, double width,
                    bool round) {
    for (const polyline& line : lines) {
      dots_->add_line(how.place(line), width * how.place.scale, round);
    }
    dots_->paint(*how.stroke, how.stroke_opacity);
  }

  void draw_text(style how) {
    const point begin{number_in(given_["x"]), number_in(given_["y"])};
    const std::string_view tag_of_all = "/text";
    std::vector<polyline> strokes;
    double width = 0, raised = 0;
    style part = how;
    while (next_tag()) {
      const written_text written = strokes_of(unescaped(before_), part.font_size);
      for (polyline line : written.strokes) {
        for (point& p : line) p = {p.x + width, p.y + raised};
        strokes.push_back(std::move(line));
      }
      width += written.width;
      if (tag_ == tag_of_all) break;
      part.take(given_);
      raised += number_in(given_["dy"]);
    }
    const double shift = how.anchor == "middle" ? width / 2 : how.anchor == "end" ? width : 0;
    for (polyline& line : strokes) {
      for (point& p : line) p = {p.x + begin.x - shift, p.y + begin.y};
    }
    const double pen = how.font_size * (how.bold ? 0.13 : 0.085);
    if (how.stroke) draw_strokes(how, strokes, pen + how.stroke_width, true);
    how.stroke = how.fill;
    how.stroke_opacity = 1;
    draw_strokes(how, strokes, pen, true);
  }

  std::string_view rest_, before_, tag_;
  attributes given_;
  double width_ = 0, height_ = 0;
  std::optional<canvas> dots_;
};

}  // namespace

std::string svg_to_png(std::string_view svg) { return picture(svg).draw(); }

}  // namespace evenfold::cli
