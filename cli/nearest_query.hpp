#pragma once
// The query of `evenfold nearest`, host memory to host memory, on a device that is chosen at run
// time.

#include <cstdint>
#include <span>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/on_phase.hpp"

namespace evenfold::cli {

struct nearest_query {
  std::span<const double> latitudes;
  std::span<const double> longitudes;
  std::span<const std::int32_t> groups;
  std::int32_t num_groups;
  int k;
  double radius;
};

/// As evenfold::nearest_places.
struct nearest_answer {
  std::vector<std::int32_t> neighbours;
  std::vector<double> distances;
  std::vector<std::int32_t> order;
  std::vector<std::int32_t> group_offsets;
};

namespace host_backend {
nearest_answer nearest(const nearest_query& query, device where, int threads,
                       const on_phase& begin);
}
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
nearest_answer nearest(const nearest_query& query, device where, const on_phase& begin);
}
#endif

}  // namespace evenfold::cli
