#pragma once
// The result of bfs_verify.

#include <cstdint>
#include <string>

namespace evenfold {

/// The laws of hop distances. Only hop distances satisfy the first four: by `edge` a level is at
/// most the distance, and by `source` and `support` there is a path of this length.
enum class bfs_law {
  /// A level is -1, or at least 0 and below the number of vertices.
  range = 1,
  /// Exactly the sources have level 0.
  source,
  /// An edge from a vertex with a level leads to a vertex whose level is larger by at most 1.
  edge,
  /// An edge from the level before leads to every vertex with a level, except to sources.
  support,
  /// An edge from the parent is such an edge. A source is its own parent, and the parent of a
  /// vertex without a level is -1.
  parent,
  /// `reached` and `depth` agree with the levels.
  totals
};

/// The result of bfs_verify.
struct bfs_report {
  /// The number of vertices at which a law is broken; 1 where only the totals are wrong.
  std::int64_t violations = 0;
  /// The first law that is broken at the first of these vertices.
  bfs_law law{};
  /// This vertex and its level; the other end of the edge, or the parent, and its level.
  std::int64_t vertex = -1, level = -1, other = -1, other_level = -1;

  bool ok() const { return violations == 0; }

  /// The first violation in words, or an empty text. name(v) is the name of vertex v.
  template <class Name>
  std::string text(Name name) const {
    if (ok()) return {};
    if (law == bfs_law::totals) {
      return "reached or depth disagrees with the levels: " + std::to_string(vertex) +
             " vertices have a level, the largest level is " + std::to_string(level);
    }
    const std::string here = "vertex " + name(vertex) + " has level " + std::to_string(level);
    switch (law) {
      case bfs_law::range:
        return here + ", which is neither -1 nor below the number of vertices";
      case bfs_law::source:
        return here + (level == 0 ? " and is not a source" : " and is a source");
      case bfs_law::edge:
        return here + " and an edge to vertex " + name(other) + ", which has level " +
               std::to_string(other_level);
      case bfs_law::support:
        return here + " and no edge into it from the level before";
      default:
        return here + " and " +
               (other < 0
                    ? "no parent"
                    : "the parent " + name(other) + ", which is not on a shortest path to it");
    }
  }
  /// The same with the numbers of vertices as their names.
  std::string text() const {
    return text([](std::int64_t v) { return std::to_string(v); });
  }
};

}  // namespace evenfold
