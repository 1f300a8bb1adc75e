#pragma once
// partial_reduce on CPU threads: each thread folds an equal share of the values, and their partial
// folds are joined.

#include <concepts>
#include <cstdint>
#include <memory>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// The partial fold of f(begin), ..., f(end - 1) by `shares` >= 1 threads.
template <class Part, class Size, class F, class Op>
Part fold_shares(cpu_context& ctx, std::size_t shares, Size begin, Size end, const F& f,
                 const Op& op) {
  const auto items = static_cast<std::size_t>(end - begin);
  array<Part> parts(ctx, shares);
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const auto from = static_cast<Size>(begin + Size(detail::share_begin(items, shares, s)));
      const auto to = static_cast<Size>(begin + Size(detail::share_begin(items, shares, s + 1)));
      append_range(*std::construct_at(&parts[s], from), from, to, f, op);
    }
  });
  for (std::size_t s = 1; s < shares; ++s) parts[0].join(parts[s], op);
  return parts[0];
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, class T, std::integral Size, class F, class Op>
partial_fold<T> partial_reduce(cpu_context& ctx, Size count, F f, Op op, std::uint64_t begin) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const auto items = static_cast<std::uint64_t>(count);
  if (items == 0) return partial_fold<T>(begin);
  const auto item = [f, begin](std::uint64_t at) { return f(static_cast<Size>(at - begin)); };
  return cpu::fold_shares<partial_fold<T>>(ctx, ctx.shares(items, tile), begin, begin + items, item,
                                           op);
}

}  // namespace evenfold::backend
