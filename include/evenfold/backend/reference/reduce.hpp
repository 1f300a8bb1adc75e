#pragma once
// transform_reduce, serially.

#include <concepts>

#include "evenfold/backend/reference/canonical_fold.hpp"
#include "evenfold/backend/reference/context.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F, class Op, class T>
T transform_reduce(reference_context&, Size count, F f, Op op, T init) {
  return reference::canonical_fold(Size{0}, count, f, op, init);
}

template <class Tuning, std::integral Size, class F, class Op, class T>
void transform_reduce(reference_context& ctx, Size count, F f, Op op, T init, T* out) {
  *out = transform_reduce<Tuning>(ctx, count, f, op, init);
}

}  // namespace evenfold::backend
