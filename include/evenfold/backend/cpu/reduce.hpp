#pragma once
// transform_reduce on CPU threads: each thread folds an equal share of the values, or several if
// they take long to compute, and the partial folds are joined.

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/partial_reduce.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F, class Op, class T>
T transform_reduce(cpu_context& ctx, Size count, F f, Op op, T init) {
  // A thread has at least a tile of values, or none.
  constexpr std::size_t few = std::max<std::size_t>((1 << 14) / detail::steps_of_call<F>, 1);
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<few>>::tile;
  const std::size_t items = static_cast<std::size_t>(count);
  constexpr std::size_t per_thread = detail::steps_of_call<F> > 1 ? cpu::shares_in_turn : 1;
  const std::size_t shares = std::min(ctx.shares(items, tile) * per_thread, items);
  if (shares <= 1) return cpu::fold_range(Size{0}, count, f, op, init);
  return cpu::fold_shares<cpu::fold_of_share<Op, T>>(ctx, shares, Size{0}, count, f, op)
      .fold(op, init);
}

template <class Tuning, std::integral Size, class F, class Op, class T>
void transform_reduce(cpu_context& ctx, Size count, F f, Op op, T init, T* out) {
  *out = transform_reduce<Tuning>(ctx, count, f, op, init);
}

}  // namespace evenfold::backend
