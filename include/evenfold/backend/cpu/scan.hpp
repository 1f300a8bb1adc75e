#pragma once
// transform_scan on CPU threads: each thread folds an equal share of the values, the partial folds
// of the shares before each are joined, then every thread scans its share (scan_range.hpp). One
// thread needs the last step only. Shares begin at multiples of a group of the canonical order
// (balance/fold_order.hpp).

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/scan_range.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <scan_kind Kind, class Tuning, std::integral Size, class F, class Output, class Op,
          class Init, class T>
void transform_scan(cpu_context& ctx, Size count, F f, Output out, Op op, Init init, T* total) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  using partial = std::conditional_t<cpu::scans_in_any_order<Op, T>, cpu::fold_of_share<Op, T>,
                                     partial_fold<T>>;
  const auto scan = [=](const partial& before, std::size_t begin, std::size_t end) {
    return cpu::scan_range<Kind, T>(before, static_cast<Size>(begin), static_cast<Size>(end), f,
                                    out, op, init);
  };
  if (count == 0) {
    if constexpr (!std::is_same_v<Init, no_init>) {
      if (total != nullptr) *total = init;
    }
    return;
  }
  const std::size_t items = static_cast<std::size_t>(count);
  const std::size_t shares = ctx.shares(items, tile);
  if (shares == 1) {
    const T all = scan(partial(), 0, items);
    if (total != nullptr) *total = all;
    return;
  }
  // A thread that folds and scans the first range moves four words per value, where the others
  // move one and fold only: it gets a quarter of their values.
  const auto begin_of = [=](std::size_t range) {
    const std::size_t part = range == 0 ? 0 : 4 * range - 3;
    const std::size_t begin = detail::share_begin(items, 4 * shares + 1, part);
    return range <= shares ? begin - begin % detail::fold_group : begin;
  };
  const auto scan_range = [&](std::size_t range, const partial& before) {
    if (begin_of(range) == begin_of(range + 1)) return;
    const T fold = scan(before, begin_of(range), begin_of(range + 1));
    if (range == shares && total != nullptr) *total = fold;
  };
  array<partial> folds(ctx, shares);
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const Size begin = static_cast<Size>(begin_of(s));
      const Size end = static_cast<Size>(begin_of(s + 1));
      cpu::append_range(*std::construct_at(&folds[s], begin), begin, end, f, op);
      if (s == 0) scan_range(0, partial());
    }
  });
  // The folds of everything up to the end of each range.
  for (std::size_t s = 1; s < shares; ++s) {
    partial joined = folds[s - 1];
    joined.join(folds[s], op);
    folds[s] = joined;
  }
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) scan_range(s + 1, folds[s]);
  });
}

}  // namespace evenfold::backend
