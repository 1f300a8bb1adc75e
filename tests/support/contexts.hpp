#pragma once
// One test body, every backend: `TYPED_TEST_SUITE(name, contexts)` runs it on the contexts that
// exist in this translation unit. Under nvcc the reference context takes part as well.

#include <gtest/gtest.h>

#include "evenfold/core/array.hpp"
#include "evenfold/core/backends.hpp"

namespace evenfold::testing {

#if defined(__CUDACC__)
using contexts = ::testing::Types<reference_context, cuda_context>;
#else
using contexts = ::testing::Types<reference_context, cpu_context>;
#endif

}  // namespace evenfold::testing
