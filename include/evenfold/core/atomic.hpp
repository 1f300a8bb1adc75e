#pragma once
// `atomic_ref`: std:: under a host compiler, cuda:: with device scope under nvcc.

#include "evenfold/core/config.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#else
#include <atomic>
#endif

namespace evenfold {

#if defined(__CUDACC__)
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, ::cuda::thread_scope_device>;
#else
template <class T>
using atomic_ref = std::atomic_ref<T>;
#endif

}  // namespace evenfold
