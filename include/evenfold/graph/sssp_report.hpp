#pragma once
// The result of `sssp_verify`.

#include <cstdint>
#include <cstdio>
#include <string>

namespace evenfold {

/// A law of shortest paths. The first ones are checked first at each vertex.
enum class sssp_law {
  /// A distance is a number of at least 0.
  range = 1,
  /// The distance of a source is 0.
  source,
  /// An edge from a vertex with a distance leads to a vertex whose distance is not larger than the
  /// sum of this distance and the weight of the edge.
  edge,
  /// A path leads from a source to every vertex with a distance, along edges whose ends differ in
  /// distance by the weight of the edge, and along the parents if there are any.
  path,
  /// A source is its own parent, and the parent of a vertex without a distance is -1.
  parent,
  /// `reached` and `max_distance` agree with the distances.
  totals
};

/// The result of sssp_verify.
struct sssp_report {
  /// The number of vertices at which a law is broken; 1 where only the totals are wrong.
  std::int64_t violations = 0;
  /// The first law that is broken at the first of these vertices.
  sssp_law law{};
  /// This vertex; the other end of the edge, or the parent; -1 where there is none.
  std::int64_t vertex = -1, other = -1;
  /// Their distances; infinity where there is no path.
  double distance = 0, other_distance = 0;

  bool ok() const { return violations == 0; }

  /// The first violation in words, or an empty text. name(v) is the name of vertex v.
  template <class Name>
  std::string text(Name name) const {
    if (ok()) return {};
    const auto number = [](double value) {
      char digits[32];
      std::snprintf(digits, sizeof(digits), "%.17g", value);
      return std::string(digits);
    };
    if (law == sssp_law::totals) {
      return "reached or max_distance disagrees with the distances: " + std::to_string(vertex) +
             " vertices have a distance, the largest is " + number(distance);
    }
    const std::string here = "vertex " + name(vertex) + " has distance " + number(distance);
    switch (law) {
      case sssp_law::range:
        return here + ", which is not a number of at least 0";
      case sssp_law::source:
        return here + " and is a source";
      case sssp_law::edge:
        return here + " and a shorter path through vertex " + name(other) +
               ", which has distance " + number(other_distance);
      case sssp_law::path:
        return here + " and no path of this length from a source" +
               (other < 0 ? "" : " through its parent " + name(other));
      default:
        return here + " and the wrong parent " + (other < 0 ? std::to_string(other) : name(other));
    }
  }
  /// The same with the numbers of vertices as their names.
  std::string text() const {
    return text([](std::int64_t v) { return std::to_string(v); });
  }
};

}  // namespace evenfold
