#pragma once
// The options of `sssp`.

#include <cstdint>

namespace evenfold {

struct sssp_options {
  /// The width of the range of distances whose vertices are handled together. A small number saves
  /// relaxations of edges, a large one saves steps. 0 chooses it from the weights and degrees; the
  /// result does not depend on it.
  double delta = 0;
  /// Whether to find a parent of each vertex.
  bool parents = false;
  /// A step along at most this many edges is made by one thread, on a GPU by one block. -1 chooses
  /// the number for the backend; the result does not depend on it.
  std::int64_t serial_edges = -1;
};

}  // namespace evenfold
