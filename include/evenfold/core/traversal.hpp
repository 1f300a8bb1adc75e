#pragma once
// `traversal`, `bfs_level`: the direction of a step of breadth-first search, and statistics of a
// level.

#include <cstdint>

namespace evenfold {

/// The direction of a step. Top down: follow the edges from the vertices of the frontier. Bottom
/// up: for each vertex that is not reached yet, look for an edge from the frontier. 64 bits wide,
/// so that bfs_level has no padding: its bytes are copied.
enum class traversal : std::int64_t { top_down, bottom_up };

/// The statistics of one level.
struct bfs_level {
  /// The number of vertices of the level, and of the edges from them.
  std::int64_t vertices, edges;
  /// The direction in which the next level was found.
  traversal direction;
  /// The time that this took, in milliseconds.
  double ms;
};

}  // namespace evenfold
