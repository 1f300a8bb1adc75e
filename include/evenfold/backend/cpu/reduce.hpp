#pragma once
// transform_reduce on CPU threads: each thread folds an equal share of the values, and their
// partial folds are joined.

#include <algorithm>
#include <concepts>
#include <memory>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F, class Op, class T>
T transform_reduce(cpu_context& ctx, Size count, F f, Op op, T init) {
  // A thread has at least a tile of values, or none.
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const std::size_t items = static_cast<std::size_t>(count);
  const std::size_t shares = ctx.shares(items, tile);
  if (shares <= 1) return cpu::fold_range(Size{0}, count, f, op, init);
  array<partial_fold<T>> parts(ctx, shares);
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const std::size_t begin = detail::share_begin(items, shares, s);
      const std::size_t end = detail::share_begin(items, shares, s + 1);
      partial_fold<T>& part = *std::construct_at(&parts[s], begin);
      cpu::append_range(part, static_cast<Size>(begin), static_cast<Size>(end), f, op);
    }
  });
  for (std::size_t s = 1; s < shares; ++s) parts[0].join(parts[s], op);
  return parts[0].fold(op, init);
}

template <class Tuning, std::integral Size, class F, class Op, class T>
void transform_reduce(cpu_context& ctx, Size count, F f, Op op, T init, T* out) {
  *out = transform_reduce<Tuning>(ctx, count, f, op, init);
}

}  // namespace evenfold::backend
