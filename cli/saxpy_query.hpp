#pragma once
// The query of `evenfold saxpy`, host memory to host memory, on a device that is chosen at run
// time.

#include <vector>

#include "cli/device_kind.hpp"
#include "cli/on_phase.hpp"

namespace evenfold::cli {

/// y = a x + y, for `x` and `y` as long as each other.
namespace host_backend {
void saxpy(float a, const std::vector<float>& x, std::vector<float>& y, device where, int threads,
           const on_phase& begin);
void saxpy(double a, const std::vector<double>& x, std::vector<double>& y, device where,
           int threads, const on_phase& begin);
}  // namespace host_backend
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
void saxpy(float a, const std::vector<float>& x, std::vector<float>& y, device where, int threads,
           const on_phase& begin);
void saxpy(double a, const std::vector<double>& x, std::vector<double>& y, device where,
           int threads, const on_phase& begin);
}  // namespace gpu_backend
#endif

}  // namespace evenfold::cli
