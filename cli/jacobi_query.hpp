#pragma once
// The query of `evenfold jacobi`, host memory to host memory, on a device that is chosen at run
// time.

#include <cstdint>
#include <functional>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/on_phase.hpp"

namespace evenfold::cli {

struct jacobi_query {
  std::int64_t rows, columns;
  double tolerance;
  std::int64_t max_sweeps;
};

/// As evenfold::jacobi_result.
struct jacobi_answer {
  std::int64_t sweeps;
  double residual;
  bool converged;
};

/// Called from time to time with the number of sweeps and the residual.
using on_sweeps = std::function<void(std::int64_t, double)>;

/// Sweeps the grid, rows x columns elements, row after row.
namespace host_backend {
jacobi_answer jacobi(std::vector<float>& grid, const jacobi_query& query, device where, int threads,
                     const on_phase& begin, const on_sweeps& watch);
jacobi_answer jacobi(std::vector<double>& grid, const jacobi_query& query, device where,
                     int threads, const on_phase& begin, const on_sweeps& watch);
}  // namespace host_backend
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
jacobi_answer jacobi(std::vector<float>& grid, const jacobi_query& query, device where, int threads,
                     const on_phase& begin, const on_sweeps& watch);
jacobi_answer jacobi(std::vector<double>& grid, const jacobi_query& query, device where,
                     int threads, const on_phase& begin, const on_sweeps& watch);
}  // namespace gpu_backend
#endif

}  // namespace evenfold::cli
