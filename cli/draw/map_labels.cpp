// Places the labels of a map, and writes them.

#include "cli/draw/map_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/draw/map_style.hpp"
#include "cli/draw/svg_text.hpp"

namespace evenfold::cli {

namespace {

struct box {
  double left, top, right, bottom;
  /// The cost of covering this box.
  double weight = 1;

  /// The area that two boxes share.
  double overlap(const box& other) const {
    const double width = std::min(right, other.right) - std::max(left, other.left);
    const double height = std::min(bottom, other.bottom) - std::max(top, other.top);
    return width > 0 && height > 0 ? width * height : 0;
  }
};

/// Boxes in the cells of a grid that they overlap, so that the boxes near an area are found
/// quickly.
class box_grid {
 public:
  explicit box_grid(const box& frame)
      : frame_(frame),
        columns_(1 + static_cast<std::size_t>((frame.right - frame.left) / side)),
        rows_(1 + static_cast<std::size_t>((frame.bottom - frame.top) / side)),
        cells_(columns_ * rows_) {}

  void add(const box& added) {
    for_each_cell(added, [&](std::size_t cell) {
      cells_[cell].push_back(added);
      return true;
    });
  }

  /// `sum` plus the weighted areas that boxes share with `area`; stops at a value of at least
  /// `limit`.
  double covered(const box& area, double sum, double limit) const {
    for_each_cell(area, [&](std::size_t cell) {
      for (const box& other : cells_[cell]) {
        // The pair is counted in one of the cells that both overlap: the cell of the corner of
        // their intersection.
        const double left = std::max(area.left, other.left), top = std::max(area.top, other.top);
        if (row(top) * columns_ + column(left) != cell) continue;
        sum += other.weight * area.overlap(other);
        if (sum >= limit) return false;
      }
      return true;
    });
    return sum;
  }

 private:
  static constexpr double side = 32;

  static std::size_t place(double distance, std::size_t count) {
    return static_cast<std::size_t>(
        std::clamp(distance / side, 0., static_cast<double>(count - 1)));
  }
  std::size_t column(double x) const { return place(x - frame_.left, columns_); }
  std::size_t row(double y) const { return place(y - frame_.top, rows_); }

  /// Calls f(cell) until it returns false.
  template <class F>
  void for_each_cell(const box& area, F f) const {
    for (std::size_t r = row(area.top); r <= row(area.bottom); ++r) {
      for (std::size_t c = column(area.left); c <= column(area.right); ++c) {
        if (!f(r * columns_ + c)) return;
      }
    }
  }

  box frame_;
  std::size_t columns_, rows_;
  std::vector<std::vector<box>> cells_;
};

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
  /// Whether a line must connect the label to its place.
  bool far;
};

/// All possible labels, the most important first.
std::vector<label_wish> wishes_of(const map_content& content) {
  const bool few = content.stars.size() <= 12;
  std::vector<label_wish> wishes;
  for (const map_star& star : content.stars) {
    wishes.push_back({star.row, star.label, few ? 13.0 : 10.5, star.weight + 1e9, true});
    for (std::size_t j = 0; few && j < star.neighbours.size(); ++j) {
      wishes.push_back({star.neighbours[j], star.neighbour_labels[j], 10.5, star.weight, false});
    }
  }
  std::stable_sort(wishes.begin(), wishes.end(),
                   [](const label_wish& a, const label_wish& b) { return a.weight > b.weight; });
  return wishes;
}

/// Adds what labels must not cover: stars and their neighbours, the lines between them, and the
/// other places if there are few.
void add_drawing(box_grid& taken, const map_content& content, const projection& project) {
  const auto dot = [&](point p, double radius, double weight) {
    taken.add({p.x - radius, p.y - radius, p.x + radius, p.y + radius, weight});
  };
  for (const map_star& star : content.stars) {
    const point p = place_of(content, star.row, project);
    dot(p, star_radius, 3);
    for (const std::int32_t neighbour : star.neighbours) {
      const point n = place_of(content, neighbour, project);
      dot(n, 3, 3);
      constexpr int pieces = 8;
      for (int i = 1; i < pieces; ++i) {
        dot({p.x + (n.x - p.x) * i / pieces, p.y + (n.y - p.y) * i / pieces}, 3, 1);
      }
    }
  }
  if (content.groups.size() <= 500) {
    for (std::size_t i = 0; i < content.groups.size(); ++i) {
      dot(place_of(content, static_cast<std::int32_t>(i), project), 2.5, 0.5);
    }
  }
}

/// The spot at which a label covers least, or nothing if it covers too much at every spot.
std::optional<label_spot> free_spot(const label_wish& wish, point p, const box_grid& taken,
                                    const box& frame) {
  const double width = text_width(wish.text, wish.size, wish.of_star);
  const double height = wish.size;
  const double gap = (wish.of_star ? star_radius : neighbour_radius) + 3;
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
      const double outside = order + 3 * (width * height - area.overlap(frame));
      order += 0.01;
      const double covered = taken.covered(area, outside, least);
      if (covered < least) {
        least = covered;
        best = label_spot{area, anchor, times > 2};
      }
    }
    if (best) break;
  }
  return best;
}

}  // namespace

std::string draw_labels(const map_content& content, const projection& project) {
  const box frame{project.left(), project.top(), project.left() + project.width(),
                  project.top() + project.height()};
  box_grid taken(frame);
  add_drawing(taken, content, project);
  std::vector<bool> labelled(content.groups.size());
  std::string leaders;
  std::string texts;
  for (const label_wish& wish : wishes_of(content)) {
    const auto row = static_cast<std::size_t>(wish.row);
    if (labelled[row]) continue;
    const point p = place_of(content, wish.row, project);
    const std::optional<label_spot> spot = free_spot(wish, p, taken, frame);
    if (!spot) continue;
    const box& area = spot->area;
    taken.add(area);
    labelled[row] = true;
    if (spot->far) {
      leaders += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", p.x, p.y,
                             std::clamp(p.x, area.left, area.right),
                             std::clamp(p.y, area.top, area.bottom));
    }
    const double x = spot->anchor[0] == 's'   ? area.left
                     : spot->anchor[0] == 'e' ? area.right
                                              : (area.left + area.right) / 2;
    texts += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\" "
        "font-weight=\"{}\" fill=\"{}\">{}</text>\n",
        x, area.bottom - 0.15 * wish.size, spot->anchor, wish.size, wish.of_star ? 700 : 400,
        wish.of_star ? ink : pale_ink, escaped(wish.text));
  }
  std::string text;
  text += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.7\"/>\n",
                      leaders, pale_ink);
  text += fmt::format(
      "<g stroke=\"#ffffff\" stroke-width=\"2.6\" stroke-opacity=\"0.85\" "
      "stroke-linejoin=\"round\" paint-order=\"stroke\">\n{}</g>\n",
      texts);
  return text;
}

}  // namespace evenfold::cli
