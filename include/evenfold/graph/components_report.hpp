#pragma once
// The result of `components_verify` and of `strong_components_verify`.

#include <cstdint>
#include <string>

namespace evenfold {

/// A law of connected or of strongly connected components. The first ones are checked first at each
/// vertex.
enum class components_law {
  /// A label is a vertex, not larger than the vertex that has it, and its own label.
  label = 1,
  /// The ends of an edge have the same label. Not a law of strongly connected components.
  edge,
  /// A path leads from a vertex to its label: of strongly connected components along the direction
  /// of the edges, else whatever the direction of the edges.
  path,
  /// A path leads from the label to the vertex. The following are laws of strongly connected
  /// components only.
  path_back,
  /// No cycle leads through several components.
  cycle
};

/// The result of components_verify and of strong_components_verify.
struct components_report {
  /// The number of vertices at which a law is broken.
  std::int64_t violations = 0;
  /// The first law that is broken at the first of these vertices.
  components_law law{};
  /// This vertex and its label.
  std::int64_t vertex = -1, label = -1;

  bool ok() const { return violations == 0; }

  /// The first violation in words, or an empty text. name(v) is the name of vertex v.
  template <class Name>
  std::string text(Name name) const {
    if (ok()) return {};
    const std::string here = "vertex " + name(vertex) + " has label " + name(label);
    switch (law) {
      case components_law::label:
        return here + ", which is not the first vertex of a component";
      case components_law::edge:
        return here + " and an edge to a vertex with another label";
      case components_law::path:
        return here + " and no path to this vertex";
      case components_law::path_back:
        return here + " and no path from this vertex";
      default:
        return here + " and lies on or behind a cycle through several components";
    }
  }
  /// The same with the numbers of vertices as their names.
  std::string text() const {
    return text([](std::int64_t v) { return std::to_string(v); });
  }
};

}  // namespace evenfold
