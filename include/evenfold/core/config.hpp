#pragma once
// The check of the compiler, and the two macros for users: EF_LAMBDA and EF_HD.
//
// nvcc compiles a translation unit for `cuda_context`, any other compiler for `cpu_context`; see
// docs/design.md. EF_HD marks a function for host and device. EF_LAMBDA begins a lambda that an
// algorithm runs where its context works; it captures by value: `EF_LAMBDA(int i) { ... }`.
//
// Headers should use named function objects instead, as this library does. nvcc gives each
// translation unit its own host version of an EF_LAMBDA. If two units share the function template
// around it, the linker mixes the two versions, and a copy of the lambda calls a null pointer. A
// function template in a header with an EF_LAMBDA inside has to be `static`.

#include <cstddef>
#include <cstdint>

#if __cplusplus < 202002L
#error "Evenfold needs C++20: compile with -std=c++20"
#elif defined(__NVCC__) && __CUDACC_VER_MAJOR__ < 13
#error "Evenfold needs nvcc 13.0 or later"
#elif defined(__CUDACC__) && !defined(__NVCC__) && !defined(__CUDACC_RTC__)
#error "Evenfold compiles CUDA with nvcc, not with clang"
#elif defined(__clang__) && __clang_major__ < 16
#error "Evenfold needs clang 16 or later"
#elif defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#error "Evenfold needs g++ 12 or later"
#endif

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
