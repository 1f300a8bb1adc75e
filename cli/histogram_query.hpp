#pragma once
// The query of `evenfold histogram`, host memory to host memory, on a device that is chosen at run
// time.

#include <span>
#include <variant>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/numbers.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/algorithm/bins.hpp"

namespace evenfold::cli {

/// Edges in ascending order.
struct edge_list {
  std::vector<double> edges;
  bool closed;
};

struct histogram_query {
  std::span<const double> values;
  /// As long as the values, or empty: then items are counted.
  std::span<const double> weights;
  std::variant<regular_bins, edge_list> binning;
};

/// The counts (uint64) or the sums of weights (double): those of the bins, then outlier_kinds more.
namespace host_backend {
numbers histogram(const histogram_query& query, device where, int threads, const on_phase& begin);
}
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
numbers histogram(const histogram_query& query, device where, int threads, const on_phase& begin);
}
#endif

}  // namespace evenfold::cli
