#pragma once
// The fold of a run of consecutive values on one CPU thread.
//
// An operator that commutes is applied to as many independent accumulators as fill the vector
// registers; any other is applied from left to right. The shape of the fold depends on the length
// of the run alone, so do the bits.

#include <cstddef>
#include <utility>

#include "evenfold/core/functional.hpp"

namespace evenfold::cpu {

/// How many accumulators of T a commuting fold has: eight registers of 16 bytes.
template <class T>
inline constexpr std::size_t fold_lanes = sizeof(T) <= 16 ? 128 / sizeof(T) : 1;

/// The fold of `Lanes` columns: lane j folds f(begin + j), f(begin + j + Lanes), ... for whole rows
/// of [begin, end), then all lanes are folded, then the values that are left. There is at least one
/// row.
template <class T, class Size, class F, class Op, std::size_t... Lane>
T fold_columns(Size begin, Size end, const F& f, const Op& op, std::index_sequence<Lane...>) {
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

/// f(begin) (+) ... (+) f(end - 1) for begin < end.
template <class T, class Size, class F, class Op>
T fold_run(Size begin, Size end, const F& f, const Op& op) {
  constexpr std::size_t lanes = fold_lanes<T>;
  if constexpr (is_commutative<Op, T> && lanes > 1 && sizeof(Size) >= sizeof(int)) {
    if (static_cast<std::size_t>(end - begin) >= 2 * lanes) {
      return fold_columns<T>(begin, end, f, op, std::make_index_sequence<lanes>{});
    }
  }
  T fold = static_cast<T>(f(begin));
  for (Size i = begin + 1; i < end; ++i) fold = op(fold, static_cast<T>(f(i)));
  return fold;
}

/// Whether a function looks elements up at addresses that can be known ahead.
template <class F>
inline constexpr bool is_gathered = false;
template <class F, class Element, class Places, class... Values>
inline constexpr bool is_gathered<gathered<F, Element*, Places, Values...>> = true;

/// How many items ahead an element is asked for, so that it is in L1 when its turn comes.
inline constexpr int gather_distance = 32;

/// The same fold, from left to right, where f looks elements up and has gather_distance more items
/// behind the run. On a Kronecker graph whose elements fill half of L3 it took 0.84 of the time of
/// fold_run, whose many accumulators leave the processor room for fewer loads at a time.
template <class T, class Size, class F, class Op>
T fold_gathered(Size begin, Size end, const F& f, const Op& op) {
  const auto value = [&](Size i) {
    __builtin_prefetch(f.input + f.places[i + static_cast<Size>(gather_distance)]);
    return static_cast<T>(f(i));
  };
  T fold = value(begin);
  for (Size i = begin + 1; i < end; ++i) fold = op(fold, value(i));
  return fold;
}

}  // namespace evenfold::cpu
