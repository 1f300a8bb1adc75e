#pragma once
// The canonical fold as balance/fold_order.hpp defines it, in the plainest way.

#include <utility>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::reference {

/// The fold of the block of a level whose first item is `begin`.
template <class T, class Size, class F, class Op>
T fold_block(int level, Size begin, const F& f, const Op& op) {
  if (level == 0) return static_cast<T>(f(begin));
  if (level == 1) {
    const auto fold = [&]<int... K>(std::integer_sequence<int, K...>) {
      const T items[] = {static_cast<T>(f(static_cast<Size>(begin + Size(K))))...};
      return detail::fold_by_halves(items, op);
    };
    return fold(std::make_integer_sequence<int, detail::fold_run>{});
  }
  const auto half = static_cast<Size>(detail::fold_block_length(level - 1));
  const T left = fold_block<T>(level - 1, begin, f, op);
  const T right = fold_block<T>(level - 1, static_cast<Size>(begin + half), f, op);
  return op(left, right);
}

/// init (+) f(begin) (+) ... (+) f(end - 1): block by block, from left to right.
template <class Size, class F, class Op, class T>
T canonical_fold(Size begin, Size end, const F& f, const Op& op, T init) {
  while (begin < end) {
    const int level = detail::first_fold_level(static_cast<std::uint64_t>(begin),
                                               static_cast<std::uint64_t>(end));
    const T block = fold_block<T>(level, begin, f, op);
    init = op(init, block);
    begin = static_cast<Size>(begin + static_cast<Size>(detail::fold_block_length(level)));
  }
  return init;
}

}  // namespace evenfold::reference
