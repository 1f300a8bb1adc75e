#pragma once
// The options of `bfs`.

namespace evenfold {

/// How `bfs` finds each level:
/// - `scan`: searches all vertices for those of the level before (bfs_scan);
/// - `frontier`: keeps a frontier, from which `advance` makes a step in either direction; vertices
///   are claimed by their levels (bfs_frontier);
/// - `bitmap`: top down from a list of the frontier; vertices are claimed by one bit each, and the
///   result includes the vertices ordered by level (bfs_bitmap);
/// - `direction`: direction-optimizing: top down along the edges of the frontier, or bottom up
///   along the edges into the vertices without a level, whichever are fewer (bfs_direction), in
///   kernels of its own. This is the fastest method and the meaning of `automatic`.
enum class bfs_method { automatic, scan, frontier, bitmap, direction };

struct bfs_options {
  bfs_method method = bfs_method::automatic;
  /// Whether to find a parent of each vertex.
  bool parents = false;
  /// Whether to report the size, direction and time of each level.
  bool levels = false;
};

}  // namespace evenfold
