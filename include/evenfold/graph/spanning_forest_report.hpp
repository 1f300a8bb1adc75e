#pragma once
// The result of `spanning_forest_verify`.

#include <cstdint>
#include <string>

namespace evenfold {

/// A law of minimum spanning forests. The first ones are checked first.
enum class spanning_forest_law {
  /// The positions ascend, and each is that of an edge.
  position = 1,
  /// The edges have no cycle.
  cycle,
  /// The forest connects the ends of each edge of the graph.
  connection,
  /// No edge of the graph is lighter than the heaviest edge of the path between its ends.
  weight
};

/// The result of spanning_forest_verify.
struct spanning_forest_report {
  /// The number of positions that are wrong, of edges more than a forest has, or of vertices at
  /// which one of the other laws is broken.
  std::int64_t violations = 0;
  /// The law; at the first of these vertices the first law that is broken there.
  spanning_forest_law law{};
  /// This vertex; -1 for the laws of positions and cycles.
  std::int64_t vertex = -1;

  bool ok() const { return violations == 0; }

  /// The first violation in words, or an empty text. name(v) is the name of vertex v.
  template <class Name>
  std::string text(Name name) const {
    if (ok()) return {};
    const std::string number = std::to_string(violations);
    switch (law) {
      case spanning_forest_law::position:
        return number + " positions are not those of edges in ascending order";
      case spanning_forest_law::cycle:
        return "there is a cycle, and there are " + number + " edges too many";
      case spanning_forest_law::connection:
        return "vertex " + name(vertex) + " has an edge to a vertex in another tree";
      default:
        return "vertex " + name(vertex) +
               " has an edge that is lighter than one of the path between its ends";
    }
  }
  /// The same with the numbers of vertices as their names.
  std::string text() const {
    return text([](std::int64_t v) { return std::to_string(v); });
  }
};

}  // namespace evenfold
