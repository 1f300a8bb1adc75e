#pragma once
// transform_reduce on CPU threads: tiles of fixed length are folded in parallel, then their folds
// in order.

#include <algorithm>
#include <concepts>
#include <memory>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F, class Op, class T>
T transform_reduce(cpu_context& ctx, Size count, F f, Op op, T init) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const std::size_t items = static_cast<std::size_t>(count);
  array<T> folds(ctx, detail::ceil_div(items, tile));
  ctx.parallel(folds.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      const Size begin = static_cast<Size>(t * tile);
      const Size end = static_cast<Size>(std::min(items, (t + 1) * tile));
      std::construct_at(&folds[t], cpu::fold_run<T>(begin, end, f, op));
    }
  });
  T result = init;
  for (const T& fold : folds) result = op(result, fold);
  return result;
}

template <class Tuning, std::integral Size, class F, class Op, class T>
void transform_reduce(cpu_context& ctx, Size count, F f, Op op, T init, T* out) {
  *out = transform_reduce<Tuning>(ctx, count, f, op, init);
}

}  // namespace evenfold::backend
