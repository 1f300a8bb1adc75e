#include "cli/draw/heat_map.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "cli/draw/canvas.hpp"
#include "cli/draw/stroke_font.hpp"

namespace evenfold::cli {

namespace {

constexpr colour text_colour{29, 39, 48};
constexpr colour unknown_colour{170, 170, 170};

/// Eleven equal steps of "viridis", whose lightness grows evenly, for every kind of colour vision.
/// By Stéfan van der Walt and Nathaniel Smith, for matplotlib; in the public domain (CC0).
constexpr std::array<colour, 11> viridis = {{{68, 1, 84},
                                             {72, 36, 117},
                                             {65, 68, 135},
                                             {53, 95, 141},
                                             {42, 120, 142},
                                             {33, 145, 140},
                                             {34, 168, 132},
                                             {68, 191, 112},
                                             {122, 209, 81},
                                             {189, 223, 38},
                                             {253, 231, 37}}};

/// The colour of a position between 0 and 1.
colour colour_at(double place) {
  const double step = std::clamp(place, 0., 1.) * (viridis.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(step), viridis.size() - 2);
  const auto mixed = [&](std::uint8_t colour::*part) {
    const double from = viridis[below].*part;
    const double to = viridis[below + 1].*part;
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * (step - double(below))));
  };
  return {mixed(&colour::red), mixed(&colour::green), mixed(&colour::blue)};
}

/// The position of a value between the lowest and the highest.
double place_of(double value, const heat_cells& cells) {
  // Halves, since the difference of huge numbers may be infinite.
  const double range = cells.highest / 2 - cells.lowest / 2;
  return range > 0 ? (value / 2 - cells.lowest / 2) / range : 0.5;
}

/// The size of the letters.
constexpr double text_size = 20;

/// Writes a text that begins at a point.
void write_text(canvas& picture, point begin, std::string_view text) {
  for (polyline line : strokes_of(text, text_size).strokes) {
    for (point& p : line) p = {p.x + begin.x, p.y + begin.y};
    picture.add_line(line, text_size / 10, true);
  }
  picture.paint(text_colour, 1);
}

struct tick {
  double place;
  std::string text;
};

/// Round numbers between the lowest and the highest, about five, each with as many digits as tell
/// it from its neighbours.
std::vector<tick> ticks_of(const heat_cells& cells) {
  const double range = cells.highest - cells.lowest;
  if (std::isnan(range)) return {};
  const double magnitude = std::max(std::abs(cells.lowest), std::abs(cells.highest));
  // The range is below the precision of a double, or not finite.
  if (!(range > magnitude * 1e-12) || std::isinf(range) || range < 1e-290) {
    return {{place_of(cells.lowest, cells), fmt::format("{:.6g}", cells.lowest)}};
  }
  const double power = std::pow(10, std::floor(std::log10(range / 4)));
  const double ratio = range / 4 / power;
  const double step = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
  const auto digits_of = [](double value) {
    return static_cast<int>(std::floor(std::log10(value)));
  };
  int digits = digits_of(magnitude / step * 1.0001) + 2;
  // All digits before the point, if these are few.
  if (magnitude < 1e7) digits = std::max(digits, digits_of(magnitude) + 1);
  std::vector<tick> ticks;
  for (double n = std::ceil(cells.lowest / step - 1e-9); n * step <= cells.highest + step * 1e-9;
       ++n) {
    // Adding zero turns -0 into 0.
    ticks.push_back({place_of(n * step, cells), fmt::format("{:.{}g}", n * step + 0., digits)});
  }
  return ticks;
}

}  // namespace

std::string draw_heat_map(const heat_cells& cells) {
  constexpr int margin = 20;
  constexpr int bar_width = 24;
  constexpr int tick_width = 6;
  constexpr std::int64_t usual_side = 640;

  const std::int64_t longer = std::max({cells.rows, cells.columns, std::int64_t{1}});
  const std::int64_t zoom = std::max<std::int64_t>(1, usual_side / longer);
  // A thin matrix is drawn thicker, so that it can be seen.
  const auto zoomed = [&](std::int64_t extent) {
    return static_cast<int>(extent == 0 ? 0 : std::max(zoom, heat_cells::least_side / extent));
  };
  const int dots_down = zoomed(cells.rows);
  const int dots_across = zoomed(cells.columns);
  const int height = static_cast<int>(cells.rows) * dots_down;
  const int width = static_cast<int>(cells.columns) * dots_across;

  const std::vector<tick> ticks = ticks_of(cells);
  int label_width = 0;
  for (const tick& t : ticks) {
    label_width = std::max(label_width, static_cast<int>(strokes_of(t.text, text_size).width));
  }
  const int bar_height = std::max(height, 200);
  const int bar_left = margin + width + margin;
  const int label_left = bar_left + bar_width + tick_width + 4;
  canvas picture(label_left + label_width + margin, bar_height + 2 * margin);

  picture.fill(margin - 1, margin - 1, width + 2, height + 2, text_colour);
  for (std::int64_t r = 0; r < cells.rows; ++r) {
    for (std::int64_t c = 0; c < cells.columns; ++c) {
      const double value = cells.values[static_cast<std::size_t>(r * cells.columns + c)];
      picture.fill(margin + static_cast<int>(c) * dots_across,
                   margin + static_cast<int>(r) * dots_down, dots_across, dots_down,
                   std::isnan(value) ? unknown_colour : colour_at(place_of(value, cells)));
    }
  }

  picture.fill(bar_left - 1, margin - 1, bar_width + 2, bar_height + 2, text_colour);
  for (int y = 0; y < bar_height; ++y) {
    picture.fill(bar_left, margin + bar_height - 1 - y, bar_width, 1,
                 colour_at(y / (bar_height - 1.)));
  }
  for (const tick& t : ticks) {
    const int y =
        margin + bar_height - 1 - static_cast<int>(std::lround(t.place * (bar_height - 1)));
    picture.fill(bar_left + bar_width, y, tick_width, 1, text_colour);
    write_text(picture, {label_left + 0., y + 0.36 * text_size}, t.text);
  }
  return picture.as_png();
}

}  // namespace evenfold::cli
