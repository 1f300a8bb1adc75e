#pragma once
// partial_reduce on CPU threads: each thread folds equal shares of the values, and their partial
// folds are joined.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// The shares of a thread whose values take long to compute, and not equally long.
inline constexpr std::size_t shares_in_turn = 16;

/// The partial fold of f(begin), ..., f(end - 1) in `shares` >= 1 shares, which the threads take in
/// turn.
template <class Part, class Size, class F, class Op>
Part fold_shares(cpu_context& ctx, std::size_t shares, Size begin, Size end, const F& f,
                 const Op& op) {
  const auto items = static_cast<std::size_t>(end - begin);
  array<Part> parts(ctx, shares);
  const std::size_t workers = std::min(static_cast<std::size_t>(ctx.threads()), shares);
  ctx.parallel(workers, [&](std::size_t first, std::size_t last) {
    for (std::size_t worker = first; worker < last; ++worker) {
      for (std::size_t s = worker; s < shares; s += workers) {
        const auto from = static_cast<Size>(begin + Size(detail::share_begin(items, shares, s)));
        const auto to = static_cast<Size>(begin + Size(detail::share_begin(items, shares, s + 1)));
        append_range(*std::construct_at(&parts[s], from), from, to, f, op);
      }
    }
  });
  for (std::size_t s = 1; s < shares; ++s) parts[0].join(parts[s], op);
  return parts[0];
}

/// The items of a range that begins at `begin`.
template <class Size, class F>
struct items_from {
  F f;
  std::uint64_t begin;

  decltype(auto) operator()(std::uint64_t at) const { return f(static_cast<Size>(at - begin)); }
};

}  // namespace evenfold::cpu

namespace evenfold::detail {

template <class Size, class F>
inline constexpr bool is_heavy<cpu::items_from<Size, F>> = is_heavy<F>;

}  // namespace evenfold::detail

namespace evenfold::backend {

template <class Tuning, class T, std::integral Size, class F, class Op>
partial_fold<T> partial_reduce(cpu_context& ctx, Size count, F f, Op op, std::uint64_t begin) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const auto items = static_cast<std::uint64_t>(count);
  if (items == 0) return partial_fold<T>(begin);
  const cpu::items_from<Size, F> item{f, begin};
  return cpu::fold_shares<partial_fold<T>>(ctx, ctx.shares(items, tile), begin, begin + items, item,
                                           op);
}

}  // namespace evenfold::backend
