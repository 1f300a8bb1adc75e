#pragma once
// transform_scan, serially.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::backend {

template <scan_kind Kind, class Tuning, std::integral Size, class F, class Output, class Op,
          class Init, class T>
void transform_scan(reference_context&, Size count, F f, Output out, Op op, Init init, T* total) {
  if constexpr (std::is_same_v<Init, no_init>) {
    if (count == 0) return;
    T running = static_cast<T>(f(Size{0}));
    out[0] = running;
    for (Size i = 1; i < count; ++i) {
      running = op(running, static_cast<T>(f(i)));
      out[i] = running;
    }
    if (total != nullptr) *total = running;
  } else {
    T running = init;
    for (Size i = 0; i < count; ++i) {
      const T next = op(running, static_cast<T>(f(i)));
      out[i] = Kind == scan_kind::inclusive ? next : running;
      running = next;
    }
    if (total != nullptr) *total = running;
  }
}

}  // namespace evenfold::backend
