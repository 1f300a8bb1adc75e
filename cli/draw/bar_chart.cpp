// Draws bars between axes whose ticks stand at round numbers.

#include "cli/draw/bar_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cli/draw/chart_frame.hpp"
#include "cli/draw/map_style.hpp"
#include "cli/draw/svg_text.hpp"

namespace evenfold::cli {

namespace {

/// One axis: its low and its high end, as numbers and as positions in the picture.
struct scale {
  double low, high;
  double from, to;

  double operator()(double value) const {
    // Halves, since the range may exceed the largest number.
    return from + (value / 2 - low / 2) / (high / 2 - low / 2) * (to - from);
  }
};

/// 1, 2 or 5 times a power of ten, such that about `wanted` steps make the range.
double round_step(double range, double wanted) {
  const double rough = range / wanted;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1, 2, 5}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

/// The step of the axis of heights, at least 1 where all heights are whole: between two counts
/// there is none.
double height_step(const bar_chart& chart, double range) {
  const bool are_whole = std::all_of(chart.heights.begin(), chart.heights.end(),
                                     [](double height) { return height == std::floor(height); });
  const double step = round_step(range, 6);
  return are_whole ? std::max(1., step) : step;
}

/// The multiples of the step inside the range.
std::vector<double> ticks(double low, double high, double step) {
  std::vector<double> result;
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  for (double n = first; n <= last && result.size() < 100; ++n) result.push_back(n * step);
  return result;
}

/// A tick's number with as many digits as tell it from its neighbours.
std::string tick_text(double value, double step) {
  if (std::abs(value) < step / 2) return "0";
  const double largest = std::abs(value);
  if (largest >= 1e9 || step < 1e-4) return fmt::format("{:.6g}", value);
  std::string text =
      fmt::format("{:.{}f}", value, step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step))));
  // Thousands separated by thin spaces.
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t at = point; at > (value < 0 ? 4u : 3u) && largest >= 1e4; at -= 3) {
    text.insert(at - 3, "\u202f");
  }
  return text;
}

std::string draw_axes(const bar_chart& chart, const scale& x, const scale& y) {
  std::string svg;
  const double y_step = height_step(chart, y.high - y.low);
  for (const double tick : ticks(y.low, y.high, y_step)) {
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"{}\"/>\n", frame::left, y(tick),
                       frame::plot_width, graticule);
    svg += text_at(frame::left - 10, y(tick) + 4, "end", 13, pale_ink, tick_text(tick, y_step));
  }
  const double x_step = round_step(x.high - x.low, 9);
  for (const double tick : ticks(x.low, x.high, x_step)) {
    svg += fmt::format("<path d=\"M{:.2f} {:.1f}v6\" stroke=\"{}\"/>\n", x(tick), y.from, pale_ink);
    svg += text_at(x(tick), y.from + 22, "middle", 13, pale_ink, tick_text(tick, x_step));
  }
  svg += text_at(frame::left + frame::plot_width / 2, frame::height - 22, "middle", 14, ink,
                 chart.x_label);
  svg += text_at(0, 0, "middle", 14, ink, chart.y_label,
                 fmt::format(" transform=\"translate(24 {:.1f}) rotate(-90)\"",
                             frame::top + frame::plot_height / 2)
                     .c_str());
  return svg;
}

std::string draw_each(const bar_chart& chart, const scale& x, const scale& y) {
  std::string svg = fmt::format("<g fill=\"{}\">\n", bright[0]);
  for (std::size_t b = 0; b < chart.heights.size(); ++b) {
    const double begin = x(chart.edges[b]);
    const double wide = x(chart.edges[b + 1]) - begin;
    const double gap = std::min(1.0, wide / 8);
    const double end = y(chart.heights[b]);
    svg += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{} to {}: {}"
        "</title></rect>\n",
        begin + gap / 2, std::min(end, y(0)), wide - gap, std::abs(y(0) - end), chart.edges[b],
        chart.edges[b + 1], chart.heights[b]);
  }
  return svg + "</g>\n";
}

/// Draws bars as one outline; in each column of the picture the tallest bar is visible.
std::string draw_outline(const bar_chart& chart, const scale& x, const scale& y) {
  constexpr auto columns = static_cast<std::size_t>(frame::plot_width);
  std::vector<double> tallest(columns, 0);
  for (std::size_t b = 0; b < chart.heights.size(); ++b) {
    const double from = std::clamp(x(chart.edges[b]) - frame::left, 0., frame::plot_width - 1);
    const double to = std::clamp(x(chart.edges[b + 1]) - frame::left, from, frame::plot_width - 1);
    for (auto c = static_cast<std::size_t>(from); c <= static_cast<std::size_t>(to); ++c) {
      if (std::abs(chart.heights[b]) > std::abs(tallest[c])) tallest[c] = chart.heights[b];
    }
  }
  std::string svg =
      fmt::format("<path fill=\"{}\" d=\"M{:.1f} {:.2f}", bright[0], frame::left, y(0));
  for (const double h : tallest) svg += fmt::format("V{:.2f}h1", y(h));
  return svg + fmt::format("V{:.2f}z\"/>\n", y(0));
}

}  // namespace

std::string draw_bars(const bar_chart& chart) {
  double lowest = 0;
  double highest = 0;
  for (const double h : chart.heights) {
    if (!std::isfinite(h)) continue;
    lowest = std::min(lowest, h);
    highest = std::max(highest, h);
  }
  if (lowest == highest) highest = 1;
  const scale x{chart.edges.front(), chart.edges.back(), frame::left,
                frame::left + frame::plot_width};
  // A margin of five hundredths above the tallest bar.
  const scale y{lowest * 1.05, highest * 1.05, frame::top + frame::plot_height, frame::top};

  std::string svg =
      chart_head(frame::width, frame::height, frame::left, chart.title, chart.subtitle);
  svg += draw_axes(chart, x, y);
  svg += chart.heights.size() <= 400 ? draw_each(chart, x, y) : draw_outline(chart, x, y);
  svg += fmt::format("<path d=\"M{:.1f} {:.2f}h{:.1f}\" stroke=\"{}\"/>\n", frame::left, y(0),
                     frame::plot_width, ink);
  return valid_utf8(svg + "</svg>\n");
}

}  // namespace evenfold::cli
