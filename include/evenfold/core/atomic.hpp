#pragma once
// `atomic_ref`: std::atomic_ref, or with nvcc cuda::atomic_ref with device scope.

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
using ::cuda::memory_order_relaxed;
#else
template <class T>
using atomic_ref = std::atomic_ref<T>;
using std::memory_order_relaxed;
#endif

}  // namespace evenfold
