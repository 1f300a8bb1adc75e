#pragma once
// transform_scan, serially: prefix i is the canonical fold of all values up to there.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::backend {

template <scan_kind Kind, class Tuning, std::integral Size, class F, class Output, class Op,
          class Init, class T>
void transform_scan(reference_context&, Size count, F f, Output out, Op op, Init init, T* total) {
  partial_fold<T> before;
  const auto prefix = [&] {
    if constexpr (std::is_same_v<Init, no_init>) {
      return before.fold(op);
    } else {
      return before.fold(op, static_cast<T>(init));
    }
  };
  for (Size i = 0; i < count; ++i) {
    const T value = static_cast<T>(f(i));
    if constexpr (Kind == scan_kind::exclusive) out[i] = prefix();
    before.append(value, op);
    if constexpr (Kind == scan_kind::inclusive) out[i] = prefix();
  }
  if (std::is_same_v<Init, no_init> && count == 0) return;
  if (total != nullptr) *total = prefix();
}

}  // namespace evenfold::backend
