#pragma once
// `atomic_ref`: std::atomic_ref, or with nvcc cuda::atomic_ref with device scope; and the
// operations built on it.

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

namespace detail {

/// Lowers x to `value`, and returns whether x was larger. Many workers may call it for the same x.
template <class T>
EF_HD bool atomic_lower(T& x, T value) {
  const atomic_ref<T> slot(x);
  T old = slot.load(memory_order_relaxed);
  while (value < old) {
    if (slot.compare_exchange_weak(old, value, memory_order_relaxed)) return true;
  }
  return false;
}

/// Lowers an integer x to `value` if it is larger, as one operation on a GPU.
template <class T>
EF_HD void atomic_minimum(T& x, T value) {
#if defined(__CUDACC__)
  atomic_ref<T>(x).fetch_min(value, memory_order_relaxed);
#else
  atomic_lower(x, value);
#endif
}

/// i -> the element of an array that other workers may change meanwhile.
template <class T>
struct atomic_elements {
  T* elements;

  template <class Size>
  EF_HD T operator[](Size i) const {
    return atomic_ref<T>(elements[i]).load(memory_order_relaxed);
  }
};

}  // namespace detail

}  // namespace evenfold
