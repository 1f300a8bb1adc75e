#pragma once
// partial_reduce, serially.

#include <concepts>
#include <cstdint>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::backend {

template <class Tuning, class T, std::integral Size, class F, class Op>
partial_fold<T> partial_reduce(reference_context&, Size count, F f, Op op, std::uint64_t begin) {
  partial_fold<T> part(begin);
  for (Size i = 0; i < count; ++i) part.append(static_cast<T>(f(i)), op);
  return part;
}

}  // namespace evenfold::backend
