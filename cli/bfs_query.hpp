#pragma once
// The query of `evenfold bfs`, host memory to host memory, on a device that is chosen at run time.

#include <cstdint>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/graph_shape.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/core/bfs_traversed.hpp"
#include "evenfold/graph/bfs_options.hpp"
#include "evenfold/graph/bfs_report.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold::cli {

struct bfs_query {
  coo_view<const pattern, std::int32_t, std::int64_t> entries;
  graph_shape shape;
  std::vector<std::int32_t> sources;
  bfs_options options;
  /// How often to search; the time is the median.
  int repeats;
  bool verify;
};

struct bfs_answer {
  /// As evenfold::bfs_result.
  std::vector<std::int32_t> levels, parents;
  std::int64_t reached, depth;
  std::vector<bfs_level> table;
  /// Edges of the graph, and those at vertices that are reached; one of an undirected graph counts
  /// once.
  std::int64_t edges, edges_reached;
  /// Of the search alone, without the parents.
  double ms;
  bfs_report report;
};

namespace host_backend {
bfs_answer bfs(const bfs_query& query, device where, int threads, const on_phase& begin);
}
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
bfs_answer bfs(const bfs_query& query, device where, int threads, const on_phase& begin);
}
#endif

}  // namespace evenfold::cli
