#pragma once
// The canonical fold of a range (balance/fold_order.hpp) on one CPU thread.
//
// Most of a long range lies in blocks of 512 items, whose halves are folded by loops that a
// compiler vectorizes. Where the order makes no difference to the bits, as for integers and for
// minima, the order is the one that is fastest.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::cpu {

/// How many accumulators fill eight vector registers.
template <class T>
inline constexpr std::size_t fold_lanes = 128 / sizeof(T);

/// The fold of f(begin), ..., f(end - 1) where the order makes no difference: lane j folds
/// f(begin + j), f(begin + j + lanes), ... for whole rows of lanes, of which there is at least one.
template <class T, class Size, class F, class Op, std::size_t... Lane>
T fold_by_lanes(Size begin, Size end, const F& f, const Op& op, std::index_sequence<Lane...>) {
  constexpr Size lanes = sizeof...(Lane);
  T fold[] = {static_cast<T>(f(static_cast<Size>(begin + static_cast<Size>(Lane))))...};
  const Size rows_end = end - (end - begin) % lanes;
  for (Size row = begin + lanes; row < rows_end; row += lanes) {
    for (Size j = 0; j < lanes; ++j)
      fold[j] = op(fold[j], static_cast<T>(f(static_cast<Size>(row + j))));
  }
  for (Size width = lanes / 2; width > 0; width /= 2) {
    for (Size j = 0; j < width; ++j) fold[j] = op(fold[j], fold[j + width]);
  }
  for (Size i = rows_end; i < end; ++i) fold[0] = op(fold[0], static_cast<T>(f(i)));
  return fold[0];
}

/// init (+) f(begin) (+) ... (+) f(end - 1) where the order makes no difference.
template <class Size, class F, class Op, class T>
T fold_any_order(Size begin, Size end, const F& f, const Op& op, T init) {
  constexpr std::size_t lanes = fold_lanes<T>;
  if constexpr (sizeof(Size) >= sizeof(int)) {
    if (static_cast<std::size_t>(end - begin) >= 2 * lanes) {
      return op(init, fold_by_lanes<T>(begin, end, f, op, std::make_index_sequence<lanes>{}));
    }
  }
  for (Size i = begin; i < end; ++i) init = op(init, static_cast<T>(f(i)));
  return init;
}

/// The folds of `count` times four values, which take the place of the first `count`. Fours take
/// half as many loads and stores as pairs.
template <class T, class Op>
inline void fold_fours(T* x, int count, const Op& op) {
  for (int k = 0; k < count; ++k) {
    x[k] = op(op(x[4 * k], x[4 * k + 1]), op(x[4 * k + 2], x[4 * k + 3]));
  }
}

/// The fold of a block of `Runs` runs of 16 items, 4 or 32, of a commutative operator, by loops
/// over vectors.
template <int Runs, class T, class Size, class F, class Op>
T fold_by_loops(Size begin, const F& f, const Op& op) {
  const auto value = [&](int k) { return static_cast<T>(f(static_cast<Size>(begin + Size(k)))); };
  // Of each run, the folds of the items at the positions that are equal modulo 4.
  T folds[4 * Runs];
  for (int run = 0; run < Runs; ++run) {
    for (int j = 0; j < 4; ++j) {
      const int k = 16 * run + j;
      folds[4 * run + j] = op(op(value(k), value(k + 8)), op(value(k + 4), value(k + 12)));
    }
  }
  for (int run = 0; run < Runs; ++run) {
    const T* const x = folds + 4 * run;
    folds[run] = op(op(x[0], x[2]), op(x[1], x[3]));
  }
  fold_fours(folds, Runs / 4, op);
  if constexpr (Runs == 32) {
    fold_fours(folds, 2, op);
    folds[0] = op(folds[0], folds[1]);
  }
  return folds[0];
}

/// The fold of a block of a level above 0.
template <class T, class Size, class F, class Op>
T fold_block(int level, Size begin, const F& f, const Op& op) {
  constexpr int of_64 = 3, of_512 = 6;  // the levels of blocks of 64 and of 512 items
  if constexpr (detail::is_exact_fold<Op, T>) {
    const Size end = static_cast<Size>(begin + static_cast<Size>(detail::fold_block_length(level)));
    return fold_any_order(static_cast<Size>(begin + 1), end, f, op, static_cast<T>(f(begin)));
  } else if constexpr (is_commutative<Op, T> && std::is_trivially_default_constructible_v<T> &&
                       sizeof(T) <= 16) {
    if (level == of_512) return fold_by_loops<32, T>(begin, f, op);
    if (level == of_64) return fold_by_loops<4, T>(begin, f, op);
  }
  if (level == 1) {
    const auto fold = [&]<int... K>(std::integer_sequence<int, K...>) {
      // In this order, so that memory is read from front to back.
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

/// state = take(state, level, fold) for the items and blocks of [begin, end), from left to right.
template <class T, class State, class Size, class F, class Op, class Take>
State take_folds(State state, Size begin, Size end, const F& f, const Op& op, Take take) {
  constexpr std::uint64_t run = detail::fold_run;
  const auto value = [&](Size i) { return static_cast<T>(f(i)); };
  const auto at = [](Size i) { return static_cast<std::uint64_t>(i); };
  const std::uint64_t first = (at(begin) + run - 1) / run * run;
  const Size head_end = first < at(end) ? static_cast<Size>(first) : end;
  Size i = begin;
  for (; i < head_end; ++i) state = take(state, 0, value(i));
  while (at(end) - at(i) >= run) {
    const int level = detail::first_fold_level(at(i), at(end));
    state = take(state, level, fold_block<T>(level, i, f, op));
    i = static_cast<Size>(i + static_cast<Size>(detail::fold_block_length(level)));
  }
  for (; i < end; ++i) state = take(state, 0, value(i));
  return state;
}

/// init (+) f(begin) (+) ... (+) f(end - 1).
template <class Size, class F, class Op, class T>
T fold_range(Size begin, Size end, const F& f, const Op& op, T init) {
  if constexpr (detail::is_exact_fold<Op, T>) {
    return fold_any_order(begin, end, f, op, init);
  } else {
    // Most ranges are short, and hold no block.
    constexpr std::uint64_t run = detail::fold_run;
    const std::uint64_t first = (static_cast<std::uint64_t>(begin) + run - 1) / run * run;
    if (std::integral<T> || first + run > static_cast<std::uint64_t>(end)) {
      for (Size i = begin; i < end; ++i) init = op(init, static_cast<T>(f(i)));
      return init;
    }
    return take_folds<T>(init, begin, end, f, op,
                         [&](const T& before, int, const T& fold) { return op(before, fold); });
  }
}

/// Appends f(begin), ..., f(end - 1) to a partial fold that ends at `begin`.
template <class Size, class F, class Op, class T>
void append_range(partial_fold<T>& part, Size begin, Size end, const F& f, const Op& op) {
  take_folds<T>(&part, begin, end, f, op, [&](partial_fold<T>* to, int level, const T& fold) {
    to->append_block(level, fold, op);
    return to;
  });
}

/// Whether a function looks elements up at addresses that can be known ahead.
template <class F>
inline constexpr bool is_gathered = false;
template <class F, class Element, class Places, class... Values>
inline constexpr bool is_gathered<gathered<F, Element*, Places, Values...>> = true;

/// How many items ahead an element is asked for, so that it is in L1 when it is needed.
inline constexpr int gather_distance = 32;

/// The same function, where it has gather_distance more items behind those that it is called for.
template <class F>
struct gathered_ahead {
  const F& f;

  template <std::integral Size>
  decltype(auto) operator()(Size i) const {
    __builtin_prefetch(f.input + f.indices[i + static_cast<Size>(gather_distance)]);
    return f(i);
  }
};

}  // namespace evenfold::cpu
