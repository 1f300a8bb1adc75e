#pragma once
// The contexts for which this translation unit is compiled; see docs/design.md.

#include "evenfold/backend/reference/context.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/context.cuh"
#else
#include "evenfold/backend/cpu/context.hpp"
#endif

namespace evenfold {

/// The context for parallel work in this translation unit.
#if defined(__CUDACC__)
using default_context = cuda_context;
#else
using default_context = cpu_context;
#endif

}  // namespace evenfold
