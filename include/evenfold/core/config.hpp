#pragma once
// What the compiler is, and the two macros a user meets: EF_LAMBDA and EF_HD.
//
// nvcc compiles a translation unit for `cuda_context`, any other compiler for `cpu_context`; see
// docs/design.md. EF_HD marks a function that runs on both sides, EF_LAMBDA begins a lambda that an
// algorithm may run wherever its context works. It captures by value: `EF_LAMBDA(int i) { ... }`.

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define EF_HD __host__ __device__
#define EF_LAMBDA [=] __host__ __device__
#else
#define EF_HD
#define EF_LAMBDA [=]
#endif

namespace evenfold {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

}  // namespace evenfold
