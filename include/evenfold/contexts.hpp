#pragma once
// The contexts that exist in this translation unit: see docs/design.md.

#include "evenfold/backend/reference/context.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/context.cuh"
#else
#include "evenfold/backend/cpu/context.hpp"
#endif

namespace evenfold {

/// The context that this translation unit is built for.
#if defined(__CUDACC__)
using default_context = cuda_context;
#else
using default_context = cpu_context;
#endif

}  // namespace evenfold
