#pragma once
// The result of `components_verify`.

#include <cstdint>
#include <string>

namespace evenfold {

/// A law of connected components. The first ones are checked first at each vertex.
enum class components_law {
  /// A label is a vertex, not larger than the vertex that has it, and its own label.
  label = 1,
  /// The ends of an edge have the same label.
  edge,
  /// A path leads from a vertex to its label, whatever the direction of the edges.
  path
};

/// The result of components_verify.
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
      default:
        return here + " and no path to this vertex";
    }
  }
  /// The same with the numbers of vertices as their names.
  std::string text() const {
    return text([](std::int64_t v) { return std::to_string(v); });
  }
};

}  // namespace evenfold
