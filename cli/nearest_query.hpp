#pragma once
// The query of `evenfold nearest`, host memory to host memory, on a device that is chosen at run
// time.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/device_kind.hpp"

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

/// Called with the name of each phase as it begins.
using on_phase = std::function<void(std::string)>;

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
