#pragma once
// The canonical fold as balance/fold_order.hpp defines it, in the plainest way.

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::reference {

/// The fold by halves of `length` values, a power of two, from f(begin) on.
template <class T, class Size, class F, class Op>
T fold_by_halves(Size begin, Size length, const F& f, const Op& op) {
  if (length == 1) return static_cast<T>(f(begin));
  const Size half = static_cast<Size>(length / 2);
  const T left = fold_by_halves<T>(begin, half, f, op);
  const T right = fold_by_halves<T>(static_cast<Size>(begin + half), half, f, op);
  return op(left, right);
}

/// init (+) f(begin) (+) ... (+) f(end - 1): block by block, from left to right.
template <class Size, class F, class Op, class T>
T canonical_fold(Size begin, Size end, const F& f, const Op& op, T init) {
  while (begin < end) {
    const int level = detail::first_fold_level(static_cast<std::uint64_t>(begin),
                                               static_cast<std::uint64_t>(end));
    const Size length = static_cast<Size>(detail::fold_block_length(level));
    const T block = fold_by_halves<T>(begin, length, f, op);
    init = op(init, block);
    begin = static_cast<Size>(begin + length);
  }
  return init;
}

}  // namespace evenfold::reference
