#pragma once
// `bfs_summary`: the result of a breadth-first search, level by level.

#include <cstdint>
#include <vector>

#include "evenfold/core/traversal.hpp"

namespace evenfold {

struct bfs_summary {
  /// The number of vertices that have a level, sources included.
  std::int64_t reached = 0;
  /// The largest level; 0 if there is no source.
  std::int64_t depth = 0;
  /// Levels 0 to `depth`, if they were asked for and there is a source.
  std::vector<bfs_level> table;
};

}  // namespace evenfold
