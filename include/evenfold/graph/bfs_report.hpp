#pragma once
// What bfs_verify says.

#include <cstdint>
#include <string>

namespace evenfold {

/// The laws of hop distances. No other numbers keep the first four: by `edge` a level is at most
/// the distance, by `source` and `support` there is a way as short.
enum class bfs_law {
  /// A level is -1 or a number below that of the vertices.
  range = 1,
  /// Sources have level 0, and they alone.
  source,
  /// An edge from a vertex with a level leads to one whose level is larger by 1 at most.
  edge,
  /// An edge from the level before leads to every vertex with a level, but for sources.
  support,
  /// The parent of a vertex is such a one; a source is its own, and -1 that of all others.
  parent,
  /// `reached` and `depth` are those of the levels.
  totals
};

/// What bfs_verify found.
struct bfs_report {
  /// The vertices at which a law is broken; 1 where only the totals are wrong.
  std::int64_t violations = 0;
  /// The first law that is broken at the first of them.
  bfs_law law{};
  /// That vertex and its level; the end of the edge, or the parent, and its level.
  std::int64_t vertex = -1, level = -1, other = -1, other_level = -1;

  bool ok() const { return violations == 0; }

  /// The first violation in words, or nothing; name(v) is what to call a vertex.
  template <class Name>
  std::string text(Name name) const {
    if (ok()) return {};
    if (law == bfs_law::totals) {
      return "reached or depth is not what the levels say: " + std::to_string(vertex) +
             " vertices, the farthest on level " + std::to_string(level);
    }
    const std::string here = "vertex " + name(vertex) + " has level " + std::to_string(level);
    switch (law) {
      case bfs_law::range:
        return here + ", which is neither -1 nor below the number of vertices";
      case bfs_law::source:
        return here + (level == 0 ? " and is no source" : " and is a source");
      case bfs_law::edge:
        return here + " and an edge to vertex " + name(other) + ", which has level " +
               std::to_string(other_level);
      case bfs_law::support:
        return here + " and no edge from the level before";
      default:
        return here + " and " +
               (other < 0 ? "no parent" : "the parent " + name(other) + ", which cannot be");
    }
  }
  /// The same with the numbers of vertices.
  std::string text() const {
    return text([](std::int64_t v) { return std::to_string(v); });
  }
};

}  // namespace evenfold
