#pragma once
// The direction of a step of breadth-first search, and the record of one level.

#include <cstdint>

namespace evenfold {

/// How a level is found from the one before: along the edges that leave its vertices, or by looking
/// for one of them among the edges that reach each vertex not reached so far. As wide as its
/// neighbours in bfs_level, whose bytes are copied: none of them is padding.
enum class traversal : std::int64_t { top_down, bottom_up };

/// What a breadth-first search did with the vertices of one level.
struct bfs_level {
  /// How many they are, and how many edges leave them.
  std::int64_t vertices, edges;
  /// How the next level was found.
  traversal direction;
  /// The time that took.
  double ms;
};

}  // namespace evenfold
