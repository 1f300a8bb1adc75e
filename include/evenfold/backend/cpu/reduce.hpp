#pragma once
// transform_reduce on CPU threads: each thread folds an equal share of the values, and their
// partial folds are joined.

#include <concepts>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/partial_reduce.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F, class Op, class T>
T transform_reduce(cpu_context& ctx, Size count, F f, Op op, T init) {
  // A thread has at least a tile of values, or none.
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const std::size_t items = static_cast<std::size_t>(count);
  const std::size_t shares = ctx.shares(items, tile);
  if (shares <= 1) return cpu::fold_range(Size{0}, count, f, op, init);
  return cpu::fold_shares<cpu::fold_of_share<Op, T>>(ctx, shares, Size{0}, count, f, op)
      .fold(op, init);
}

template <class Tuning, std::integral Size, class F, class Op, class T>
void transform_reduce(cpu_context& ctx, Size count, F f, Op op, T init, T* out) {
  *out = transform_reduce<Tuning>(ctx, count, f, op, init);
}

}  // namespace evenfold::backend
