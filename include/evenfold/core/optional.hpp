#pragma once
// `optional`, `nullopt`: std:: under a host compiler, cuda::std:: under nvcc, as for `tuple`.

#include "evenfold/core/config.hpp"

#if defined(__CUDACC__)
#include <cuda/std/optional>
#else
#include <optional>
#endif

namespace evenfold {

#if defined(__CUDACC__)
using ::cuda::std::nullopt;
using ::cuda::std::optional;
#else
using std::nullopt;
using std::optional;
#endif

}  // namespace evenfold
