#pragma once
// The query of `evenfold dot`, host memory to host memory, on a device that is chosen at run time.

#include "cli/device_kind.hpp"
#include "cli/numbers.hpp"
#include "cli/on_phase.hpp"

namespace evenfold::cli {

/// `x` and `y` are as long, and of one type.
namespace host_backend {
number dot(const numbers& x, const numbers& y, device where, int threads, const on_phase& begin);
}
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
number dot(const numbers& x, const numbers& y, device where, int threads, const on_phase& begin);
}
#endif

}  // namespace evenfold::cli
