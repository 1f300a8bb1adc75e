#pragma once
// The query of `evenfold pagerank`, host memory to host memory, on a device that is chosen at run
// time.

#include <cstdint>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/graph_shape.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold {
enum class dangling;
}  // namespace evenfold

namespace evenfold::cli {

struct pagerank_query {
  graph_shape shape;
  double damping, tolerance;
  std::int64_t max_iterations;
  evenfold::dangling dangling_mass;
  /// Whether the largest change decides, not the sum of all.
  bool by_largest_change;
  /// Empty, or one number a vertex.
  std::vector<double> personalization;
};

struct pagerank_answer {
  /// As evenfold::pagerank_result.
  std::vector<double> ranks;
  std::int64_t iterations;
  double residual;
  bool converged;

  std::int64_t arcs;
  /// Of all ranks.
  double sum;
  /// Of the iterations and what they need, with the graph in place.
  double ms;
};

/// Ranks the vertices of a graph by its arcs, or by their weights.
namespace host_backend {
pagerank_answer pagerank(coo_view<const pattern, std::int32_t, std::int64_t> entries,
                         const pagerank_query& query, device where, int threads,
                         const on_phase& begin);
pagerank_answer pagerank(coo_view<const double, std::int32_t, std::int64_t> entries,
                         const pagerank_query& query, device where, int threads,
                         const on_phase& begin);
}  // namespace host_backend
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
pagerank_answer pagerank(coo_view<const pattern, std::int32_t, std::int64_t> entries,
                         const pagerank_query& query, device where, int threads,
                         const on_phase& begin);
pagerank_answer pagerank(coo_view<const double, std::int32_t, std::int64_t> entries,
                         const pagerank_query& query, device where, int threads,
                         const on_phase& begin);
}  // namespace gpu_backend
#endif

}  // namespace evenfold::cli
