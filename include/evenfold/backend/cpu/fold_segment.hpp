#pragma once
// The canonical fold of one segment among many (balance/fold_order.hpp) on one CPU thread.
//
// Segments of a few dozen items are folded mostly from left to right, in loops of a length that no
// processor predicts: fewer than 16 items before the first run, then the runs, then fewer than 16
// items. A processor that guesses the end of a loop wrongly loses the time of dozens of additions.
// Where items can be read freely and an operand changes nothing, the two loops of items therefore
// have 15 steps always: `padded_run` has such operands before and after its items.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::cpu {

/// Whether a function only reads a number in an array, so that it may be called for any item, and
/// more than once.
template <class F>
inline constexpr bool reads_numbers = false;
template <class T, class Number>
inline constexpr bool reads_numbers<element_of<T, Number*>> = std::is_arithmetic_v<Number>;

/// The operand that changes nothing, not even the sign of a zero.
template <class Op, class T>
inline constexpr T unchanging = std::same_as<Op, plus> ? -T{0} : T{1};

/// A run of items between operands that change nothing.
template <class T, class Op>
class padded_run {
 public:
  padded_run() { std::fill_n(x_, 3 * run, unchanging<Op, T>); }

  /// Reads the run that begins at `begin`.
  template <class Size, class F>
  void read(Size begin, const F& f) {
    for (int k = 0; k < run; ++k)
      x_[run + k] = static_cast<T>(f(static_cast<Size>(begin + Size(k))));
  }

  /// fold (+) the last items of the run, fewer than 16, from left to right.
  T append_last(std::uint64_t items, T fold, const Op& op) const {
    return append(x_ + 2 * run - items, fold, op);
  }

  /// fold (+) the first items of the run, fewer than 16, from left to right.
  T append_first(std::uint64_t items, T fold, const Op& op) const {
    return append(x_ + 1 + items, fold, op);
  }

 private:
  static constexpr int run = detail::fold_run;

  static T append(const T* x, T fold, const Op& op) {
    for (int k = 0; k < run - 1; ++k) fold = op(fold, x[k]);
    return fold;
  }

  T x_[3 * run];
};

/// The folds of segments of `count` items.
template <class T, class Size, class F, class Op>
class segment_fold {
 public:
  segment_fold(Size count, F f, Op op) : count_(count), f_(f), op_(op) {}

  /// fold (+) f(begin) (+) ... (+) f(end - 1).
  T operator()(Size begin, Size end, T fold) {
    if constexpr (is_padded) {
      constexpr std::uint64_t run = detail::fold_run;
      const std::uint64_t stop = static_cast<std::uint64_t>(end);
      const std::uint64_t first = first_run(begin);
      const std::uint64_t last = stop - stop % run;
      const std::uint64_t items = stop - static_cast<std::uint64_t>(begin);
      // Of a shorter segment a loop is faster; a longer one is folded in vectors for the most part.
      // The runs that are read lie within the items.
      if (items >= 13 && items < 256 && first <= last && first >= run &&
          last + run <= static_cast<std::uint64_t>(count_)) {
        run_.read(static_cast<Size>(first - run), f_);
        fold = run_.append_last(first - static_cast<std::uint64_t>(begin), fold, op_);
        fold = take_blocks<T>(
            fold, static_cast<Size>(first), static_cast<Size>(last), f_, op_,
            [&](const T& before, int, const T& block) { return op_(before, block); });
        run_.read(static_cast<Size>(last), f_);
        return run_.append_first(stop - last, fold, op_);
      }
    }
    return fold_range(begin, end, f_, op_, fold);
  }

 private:
  static constexpr bool is_padded = folds_in_vectors<Op, T> && reads_numbers<F>;

  Size count_;
  F f_;
  Op op_;
  [[no_unique_address]] std::conditional_t<is_padded, padded_run<T, Op>, tuple<>> run_;
};

}  // namespace evenfold::cpu
