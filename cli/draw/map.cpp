// Writes a map as SVG, layer upon layer, the later ones on top.
//
// The order of the layers: sea and graticule, places as dots, lines from the stars to their
// neighbours, labels, stars; the legend is below the map. map_projection.hpp computes positions,
// map_curves.hpp the curves of lines, and map_labels.hpp the positions of labels.

#include "cli/draw/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/draw/map_curves.hpp"
#include "cli/draw/map_labels.hpp"
#include "cli/draw/map_projection.hpp"
#include "cli/draw/map_style.hpp"
#include "cli/draw/svg_text.hpp"

namespace evenfold::cli {

namespace {

class map_drawing {
 public:
  explicit map_drawing(const map_content& content)
      : content_(content),
        project_(window_of(content), margin, header, most_width, most_height),
        width_(std::max(least_width, project_.width() + 2 * margin)),
        colours_(group_colours(content)) {
    project_.shift((width_ - 2 * margin - project_.width()) / 2);
  }

  std::string text() {
    const double legend = legend_height();
    const double height = header + project_.height() + legend;
    text_ += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "font-family=\"Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\">\n",
        width_, height);
    text_ += fmt::format("<title>{}</title>\n", escaped(content_.title));
    text_ += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    text_ += fmt::format(
        "<text x=\"{}\" y=\"42\" font-size=\"25\" font-weight=\"700\" fill=\"{}\">{}</text>\n",
        margin, ink, escaped(content_.title));
    text_ += fmt::format("<text x=\"{}\" y=\"66\" font-size=\"13.5\" fill=\"{}\">{}</text>\n",
                         margin, pale_ink, escaped(content_.subtitle));
    text_ += draw_graticule(project_);
    draw_places();
    draw_lines();
    text_ += draw_labels(content_, project_);
    draw_stars();
    draw_legend(header + project_.height());
    text_ += "</svg>\n";
    return valid_utf8(text_);
  }

 private:
  static constexpr double margin = 36, header = 92, most_width = 1208, most_height = 800,
                          least_width = 640;

  point place(std::int32_t row) const { return place_of(content_, row, project_); }
  const char* colour_of_row(std::int32_t row) const {
    return colours_[static_cast<std::size_t>(content_.groups[static_cast<std::size_t>(row)])];
  }

  /// All dots of a group in one path: round caps make each zero-length line a dot.
  void draw_places() {
    const auto count = static_cast<double>(content_.groups.size());
    const double size = std::clamp(90 / std::sqrt(count + 1), 1.5, 6.5);
    std::vector<std::string> paths(content_.group_names.size());
    for (std::size_t i = 0; i < content_.groups.size(); ++i) {
      const point p = place(static_cast<std::int32_t>(i));
      paths[static_cast<std::size_t>(content_.groups[i])] +=
          fmt::format("M{:.1f} {:.1f}h0", p.x, p.y);
    }
    text_ += fmt::format(
        "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"{:.1f}\" "
        "stroke-opacity=\"{}\">\n",
        size, count > 2000 ? 0.6 : 0.85);
    for (std::size_t g = 0; g < paths.size(); ++g) {
      text_ += fmt::format("<path stroke=\"{}\" d=\"{}\"><title>{}</title></path>\n", colours_[g],
                           paths[g], escaped(content_.group_names[g]));
    }
    text_ += "</g>\n";
  }

  void draw_lines() {
    text_ += "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n";
    for (const bool halo : {true, false}) {
      for (const map_star& star : content_.stars) {
        if (star.neighbours.empty()) continue;
        text_ += "<path d=\"";
        for (const std::int32_t neighbour : star.neighbours) {
          add_great_circle(text_, content_, star.row, neighbour, project_);
        }
        if (halo) {
          text_ += "\" stroke=\"#ffffff\" stroke-width=\"3.4\" stroke-opacity=\"0.8\"/>\n";
        } else {
          text_ +=
              fmt::format("\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", colour_of_row(star.row));
        }
      }
    }
    text_ += "</g>\n";
  }

  void draw_stars() {
    for (const map_star& star : content_.stars) {
      for (const std::int32_t neighbour : star.neighbours) {
        const point p = place(neighbour);
        text_ += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"#ffffff\" "
            "stroke=\"{}\" stroke-width=\"1.4\"/>\n",
            p.x, p.y, neighbour_radius, colour_of_row(neighbour));
      }
    }
    for (const map_star& star : content_.stars) {
      const point p = place(star.row);
      text_ += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"#ffffff\" "
          "stroke-width=\"1.6\"/>\n",
          p.x, p.y, star_radius, colour_of_row(star.row));
    }
  }

  bool names_groups() const {
    return !content_.group_names.empty() && content_.group_names.size() <= 2 * bright.size();
  }
  double legend_height() const { return names_groups() ? 84 : 58; }

  void draw_legend(double top) {
    constexpr double size = 12;
    double x = margin;
    double y = top + 32;
    const auto entry = [&](const std::string& sign, double sign_width, std::string_view name) {
      const double wanted = sign_width + 8 + text_width(name, size) + 22;
      if (x > margin && x + wanted > width_ - margin) {
        x = margin;
        y += 20;
      }
      text_ += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}", x, y, sign);
      text_ +=
          fmt::format("<text x=\"{:.1f}\" y=\"4\" font-size=\"{}\" fill=\"{}\">{}</text></g>\n",
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
            24, "a place; neighbouring groups have different colours");
    }
    entry(fmt::format("<circle cx=\"6\" r=\"{}\" fill=\"{}\"/>", star_radius, ink), 12,
          "most remote place");
    entry(fmt::format("<path d=\"M0 0H26\" stroke=\"{0}\" stroke-width=\"1.5\"/><circle cx=\"26\" "
                      "r=\"{1}\" fill=\"#ffffff\" stroke=\"{0}\" stroke-width=\"1.4\"/>",
                      ink, neighbour_radius),
          29, "great circle to a nearest neighbour");
  }

  const map_content& content_;
  projection project_;
  double width_;
  std::vector<const char*> colours_;
  std::string text_;
};

}  // namespace

std::string draw_map(const map_content& content) { return map_drawing(content).text(); }

}  // namespace evenfold::cli
