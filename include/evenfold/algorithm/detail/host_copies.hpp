#pragma once
// host_copies of the contexts of this translation unit.

#include "evenfold/contexts.hpp"
#include "evenfold/core/host_copies.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/host_copies.cuh"
#endif
