#pragma once
// The canonical fold of one segment among many (balance/fold_order.hpp) on one CPU thread.
//
// Segments of a few dozen items are folded mostly from left to right, in loops of a length that no
// processor predicts: fewer than 16 items before the first run, then the runs, then fewer than 16
// items. A processor that guesses the end of a loop wrongly loses the time of dozens of additions.
// Where items can be read freely and an operand changes nothing, the two loops of items therefore
// have 15 steps always: `padded_run` has such operands before and after its items. This pays unless
// most segments are so short that they have a few items and no run. Of these, four items are folded
// without a branch.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::cpu {

/// Whether a function only reads a number in an array, so that it may be called for any item, and
/// more than once.
template <class F>
inline constexpr bool reads_numbers = false;
template <class T, class Number>
inline constexpr bool reads_numbers<element_of<T, Number*>> = std::is_arithmetic_v<Number>;

/// Whether there is an operand that changes nothing, of the size of a lane.
template <class Op, class T>
inline constexpr bool has_unchanging =
    std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
    (std::same_as<Op, plus> || std::same_as<Op, multiplies> || std::same_as<Op, minimum> ||
     std::same_as<Op, maximum>);

/// The operand that changes nothing, not even the sign of a zero.
template <class Op, class T>
inline constexpr T unchanging = identity_of<Op, T>::value;
template <class T>
inline constexpr T unchanging<plus, T> = -T{0};

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

/// Four items, of which the last are replaced by operands that change nothing.
template <class T, class Op>
class padded_vectors {
 public:
  static constexpr int items = 4;

  /// fold (+) f(begin) (+) f(begin + 1) ..., of `count` items or four, from left to right.
  template <class Size, class F>
  static T append_first(int count, Size begin, const F& f, T fold, const Op& op) {
    const int first = items - std::min(items, count);
    const item_vectors<T, Size, F> vectors{begin, f};
    for (int k = 0; k < items / vector_lanes<T>; ++k) {
      const int at = first + k * vector_lanes<T>;
      const auto x = detail::bit_cast<vector_of<bits>>(vectors[k]);
      const auto padded = detail::bit_cast<vector_of<T>>((x & load(keep + at)) | load(pad + at));
      for (int j = 0; j < vector_lanes<T>; ++j) fold = op(fold, padded[j]);
    }
    return fold;
  }

 private:
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr bits none = detail::bit_cast<bits>(unchanging<Op, T>);

  // From element 4 - n on, these keep n items and replace what follows.
  static constexpr bits keep[] = {~bits{}, ~bits{}, ~bits{}, ~bits{}, 0, 0, 0, 0};
  static constexpr bits pad[] = {0, 0, 0, 0, none, none, none, none};

  static vector_of<bits> load(const bits* from) {
    vector_of<bits> result;
    std::memcpy(&result, from, sizeof(result));
    return result;
  }
};

/// The folds of `num_segments` segments, which have `count` items.
template <class T, class Size, class F, class Op>
class segment_fold {
 public:
  segment_fold(Size count, std::size_t num_segments, F f, Op op)
      : count_(count),
        few_(static_cast<std::size_t>(count) / 10 < num_segments ? Size{detail::fold_run}
             : pads_runs                                         ? Size{4}
                                                                 : Size{0}),
        f_(f),
        op_(op) {}

  /// fold (+) f(begin) (+) ... (+) f(end - 1).
  T operator()(Size begin, Size end, T fold) {
    if constexpr (has_unchanging<Op, T> && reads_numbers<F>) {
      if (end - begin < few_) {
        constexpr int ahead = padded_vectors<T, Op>::items;
        if (static_cast<std::size_t>(begin) + ahead <= static_cast<std::size_t>(count_)) {
          fold = padded_vectors<T, Op>::append_first(static_cast<int>(end - begin), begin, f_, fold,
                                                     op_);
          begin = static_cast<Size>(begin + Size(ahead));  // which may lie beyond the end
        }
        return fold_few(begin, end, f_, op_, fold);
      }
    }
    if constexpr (pads_runs) {
      constexpr std::uint64_t run = detail::fold_run;
      const std::uint64_t stop = static_cast<std::uint64_t>(end);
      const std::uint64_t first = first_run(begin);
      const std::uint64_t last = stop - stop % run;
      const std::uint64_t items = stop - static_cast<std::uint64_t>(begin);
      // A longer segment is folded in vectors for the most part. The runs that are read lie within
      // the items.
      if (items < 256 && first <= last && first >= run &&
          last + run <= static_cast<std::uint64_t>(count_)) {
        run_.read(static_cast<Size>(first - run), f_);
        fold = run_.append_last(first - static_cast<std::uint64_t>(begin), fold, op_);
        fold = take_blocks<T>(
            fold, static_cast<Size>(first), static_cast<Size>(last), f_, op_,
            [&](const T& before, int, const T& block) { return op_(before, block); });
        run_.read(static_cast<Size>(last), f_);
        return run_.append_first(stop - last, fold, op_);
      }
      return fold_other(begin, end, fold);
    } else {
      return fold_range(begin, end, f_, op_, fold);
    }
  }

 private:
  /// A function of its own, so that its code leaves the registers to that of short segments.
  [[gnu::noinline]] T fold_other(Size begin, Size end, T fold) const {
    return fold_range(begin, end, f_, op_, fold);
  }

  static constexpr bool pads_runs = folds_in_vectors<Op, T> && reads_numbers<F>;

  Size count_;
  /// Segments of fewer items are folded without runs, and 16 at most.
  Size few_;
  F f_;
  Op op_;
  [[no_unique_address]] std::conditional_t<pads_runs, padded_run<T, Op>, tuple<>> run_;
};

}  // namespace evenfold::cpu
