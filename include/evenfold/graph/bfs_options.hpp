#pragma once
// How `bfs` works.

namespace evenfold {

/// How `bfs` finds a level from the one before:
/// - `scan`: looks over all vertices for those of the level (bfs_scan);
/// - `frontier`: vertices create vertices, claimed by their levels (bfs_frontier);
/// - `bitmap`: claimed by one bit each; the result has their order (bfs_bitmap);
/// - `direction`: along the edges, or back along those of the vertices still missing, whichever are
///   fewer; many small levels at once (bfs_direction). The fastest, hence what `automatic` means.
enum class bfs_method { automatic, scan, frontier, bitmap, direction };

struct bfs_options {
  bfs_method method = bfs_method::automatic;
  /// Find a parent of each vertex as well.
  bool parents = false;
  /// Tell of each level: its size, its direction, its time.
  bool levels = false;
};

}  // namespace evenfold
