#pragma once
// The canonical fold, written as balance/fold_order.hpp defines it.

#include <algorithm>
#include <cstdint>
#include <memory>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::reference {

/// The fold of items [begin, end) from left to right; there is at least one.
template <class T, class F, class Op>
T fold_items(std::uint64_t begin, std::uint64_t end, const F& f, const Op& op) {
  T fold = f(begin);
  for (std::uint64_t i = begin + 1; i < end; ++i) fold = op(fold, f(i));
  return fold;
}

/// The items of a run, whose type may have no default constructor.
template <class T>
union run_items {
  T item[detail::fold_run];

  template <class F>
  run_items(std::uint64_t begin, const F& f) {
    for (int k = 0; k < detail::fold_run; ++k) std::construct_at(item + k, f(begin + k));
  }
  ~run_items() { std::destroy_n(item, detail::fold_run); }
};

/// The fold of items [begin, end) of one run.
template <class T, class F, class Op>
T fold_run_items(std::uint64_t begin, std::uint64_t end, const F& f, const Op& op) {
  if constexpr (is_commutative<Op, T>) {
    if (end - begin == detail::fold_run) {
      const run_items<T> run(begin, f);
      return detail::fold_whole_run(run.item, op);
    }
  }
  return fold_items<T>(begin, end, f, op);
}

/// The fold of the items of [begin, end) in the node [first, first + length) of the tree of runs;
/// there is at least one such item.
template <class T, class F, class Op>
T fold_node(std::uint64_t first, std::uint64_t length, std::uint64_t begin, std::uint64_t end,
            const F& f, const Op& op) {
  if (length == detail::fold_run) {
    return fold_run_items<T>(std::max(begin, first), std::min(end, first + length), f, op);
  }
  const std::uint64_t half = length / 2;
  if (end <= first + half) return fold_node<T>(first, half, begin, end, f, op);
  if (begin >= first + half) return fold_node<T>(first + half, half, begin, end, f, op);
  const T left = fold_node<T>(first, half, begin, end, f, op);
  const T right = fold_node<T>(first + half, half, begin, end, f, op);
  return op(left, right);
}

/// init (+) f(begin) (+) ... (+) f(end - 1): part by part, from left to right. Where the order
/// makes no difference, item by item, which compiles in less time.
template <class Size, class F, class Op, class T>
T canonical_fold(Size begin, Size end, const F& f, const Op& op, T init) {
  if constexpr (detail::is_exact_fold<Op, T>) {
    for (Size i = begin; i < end; ++i) init = op(init, static_cast<T>(f(i)));
    return init;
  } else {
    const auto item = [&](std::uint64_t i) { return static_cast<T>(f(static_cast<Size>(i))); };
    auto at = static_cast<std::uint64_t>(begin);
    const auto last = static_cast<std::uint64_t>(end);
    while (at < last) {
      const std::uint64_t part_end = detail::fold_part_end(at, last);
      const bool is_items = part_end % detail::fold_run != 0;
      const std::uint64_t length = std::max<std::uint64_t>(detail::fold_group, part_end - at);
      const T part = is_items ? fold_items<T>(at, part_end, item, op)
                              : fold_node<T>(at - at % length, length, at, part_end, item, op);
      init = op(init, part);
      at = part_end;
    }
    return init;
  }
}

}  // namespace evenfold::reference
