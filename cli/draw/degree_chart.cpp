// Draws degrees as dots between logarithmic axes.

#include "cli/draw/degree_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/draw/chart_frame.hpp"
#include "cli/draw/map_style.hpp"
#include "cli/draw/svg_text.hpp"

namespace evenfold::cli {

namespace {

/// From 1 to `most` on one axis, with a margin at both ends.
struct log_scale {
  double most, from, to;

  double operator()(double value) const {
    const double air = 0.03;
    const double part = std::log(value) / std::log(most);
    return from + (air + part * (1 - 2 * air)) * (to - from);
  }
};

log_scale scale_to(std::int64_t most, double from, double to) {
  return {std::max(10., static_cast<double>(most)), from, to};
}

/// 10^exponent, the exponent raised; or a digit times it where axes are short.
std::string power_at(double x, double y, const char* anchor, int digit, int exponent) {
  const std::string number =
      exponent < 2 ? fmt::format("{}", digit * (exponent == 0 ? 1 : 10))
                   : fmt::format("{}10<tspan dy=\"-5\" font-size=\"10\">{}</tspan>",
                                 digit == 1 ? "" : fmt::format("{}·", digit), exponent);
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"13\" fill=\"{}\">{}</text>\n",
      x, y, anchor, pale_ink, number);
}

/// Calls line(digit, exponent) for 1 to 9 times each power of ten up to the end of a scale.
template <class Line>
void for_lines(const log_scale& scale, Line line) {
  for (int exponent = 0; std::pow(10, exponent) <= scale.most; ++exponent) {
    for (int digit = 1; digit <= 9 && digit * std::pow(10, exponent) <= scale.most; ++digit) {
      line(digit, exponent);
    }
  }
}

std::string draw_axes(const degree_chart& chart, const log_scale& x, const log_scale& y) {
  std::string svg;
  const auto labelled = [](const log_scale& scale, int digit) {
    return digit == 1 || (scale.most < 100 && (digit == 2 || digit == 5));
  };
  const auto colour = [](int digit) { return digit == 1 ? graticule : "#f0f3f6"; };
  for_lines(y, [&](int digit, int exponent) {
    const double at = y(digit * std::pow(10, exponent));
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"{}\"/>\n", frame::left, at,
                       frame::plot_width, colour(digit));
    if (labelled(y, digit)) svg += power_at(frame::left - 10, at + 4, "end", digit, exponent);
  });
  for_lines(x, [&](int digit, int exponent) {
    const double at = x(digit * std::pow(10, exponent));
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}v{:.1f}\" stroke=\"{}\"/>\n", at, frame::top,
                       frame::plot_height, colour(digit));
    if (labelled(x, digit)) svg += power_at(at, y.from + 22, "middle", digit, exponent);
  });
  svg += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"{}\"/>\n", frame::left, y.from,
                     frame::plot_width, ink);
  svg += text_at(frame::left + frame::plot_width / 2, frame::height - 22, "middle", 14, ink,
                 chart.x_label);
  return svg + text_at(0, 0, "middle", 14, ink, chart.y_label,
                       fmt::format(" transform=\"translate(24 {:.1f}) rotate(-90)\"",
                                   frame::top + frame::plot_height / 2)
                           .c_str());
}

std::string draw_dots(const degree_series& series, const char* colour, const log_scale& x,
                      const log_scale& y) {
  const bool few = series.degrees.size() <= 40;
  std::string svg = fmt::format(
      "<path stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-opacity=\"{}\" d=\"",
      colour, few ? 10 : 6, few ? 0.9 : 0.5);
  for (std::size_t i = 0; i < series.degrees.size(); ++i) {
    if (series.degrees[i] == 0) continue;
    svg += fmt::format("M{:.1f} {:.1f}h0", x(static_cast<double>(series.degrees[i])),
                       y(static_cast<double>(series.counts[i])));
  }
  return svg + "\"/>\n";
}

/// The legend, in the corner with few dots; each line has the colour of its dots.
std::string draw_legend(const degree_chart& chart) {
  std::string svg;
  double y = frame::top + 24;
  for (std::size_t s = 0; s < chart.series.size(); ++s, y += 24) {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n",
                       frame::left + frame::plot_width - 18, y - 5, bright[s]);
    svg += text_at(frame::left + frame::plot_width - 32, y, "end", 14, ink, chart.series[s].about,
                   " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"4\"");
  }
  return svg;
}

}  // namespace

std::string draw_degrees(const degree_chart& chart) {
  std::int64_t largest_degree = 1;
  std::int64_t largest_count = 1;
  for (const degree_series& series : chart.series) {
    for (std::size_t i = 0; i < series.degrees.size(); ++i) {
      if (series.degrees[i] == 0) continue;
      largest_degree = std::max(largest_degree, series.degrees[i]);
      largest_count = std::max(largest_count, series.counts[i]);
    }
  }
  const log_scale x = scale_to(largest_degree, frame::left, frame::left + frame::plot_width);
  const log_scale y = scale_to(largest_count, frame::top + frame::plot_height, frame::top);

  std::string svg =
      chart_head(frame::width, frame::height, frame::left, chart.title, chart.subtitle);
  svg += draw_axes(chart, x, y);
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    svg += draw_dots(chart.series[s], bright[s], x, y);
  }
  svg += draw_legend(chart);
  return valid_utf8(svg + "</svg>\n");
}

}  // namespace evenfold::cli
