#pragma once
// The canonical fold of one segment among many (balance/fold_order.hpp) on one CPU thread.
//
// Of a segment of a few dozen items, the items before the first run and those after the last one
// are folded in loops of a length that no processor predicts, and a processor that guesses the end
// of a loop wrongly loses the time of dozens of additions. Where items can be read freely and an
// operand changes nothing, these two loops therefore have 15 steps always: `padded_run` has such
// operands before and after its items. This pays unless most segments are so short that they have a
// few items and no run. These are folded eight items after eight, so that there are two branches:
// whether a multiple of 16 lies inside the segment, and whether more than eight items are left.

#include <algorithm>
#include <array>
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

  /// The fold of the last items of the run, fewer than 16.
  T fold_last(std::uint64_t items, const Op& op) const { return fold(x_ + 2 * run - items, op); }

  /// The fold of the first items of the run, fewer than 16.
  T fold_first(std::uint64_t items, const Op& op) const { return fold(x_ + 1 + items, op); }

 private:
  static constexpr int run = detail::fold_run;

  static T fold(const T* x, const Op& op) {
    T result = x[0];
    for (int k = 1; k < run - 1; ++k) result = op(result, x[k]);
    return result;
  }

  T x_[3 * run];
};

/// How many items are folded without a branch. Extremes of floating-point numbers take several
/// instructions per item.
template <class Op, class T>
inline constexpr int padded_items = std::integral<T> || folds_in_vectors<Op, T> ? 8 : 4;

/// Folds `padded_items` items after as many, of which those outside a range are replaced by
/// operands that change nothing.
template <class T, class Op>
class padded_vectors {
 public:
  /// fold (+) f(begin) (+) ... (+) f(end - 1) for fewer than 16 items, where up to
  /// `padded_items` - 1 items after them can be read.
  template <class Size, class F>
  static T append(Size begin, Size end, const F& f, T fold, const Op& op) {
    const int items = static_cast<int>(end - begin);
    if constexpr (folds_in_vectors<Op, T>) {
      constexpr int run = detail::fold_run;
      const int border = run - static_cast<int>(static_cast<std::uint64_t>(begin) % run);
      if (border < items) {
        fold = op(fold, fold_items(begin, border, f, unchanging<Op, T>, op));
        begin = static_cast<Size>(begin + Size(border));
        return op(fold, fold_items(begin, items - border, f, unchanging<Op, T>, op));
      }
      return op(fold, fold_items(begin, items, f, unchanging<Op, T>, op));
    } else {
      return fold_items(begin, items, f, fold, op);
    }
  }

 private:
  using vector = vector_of<T>;
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr bits none = detail::bit_cast<bits>(unchanging<Op, T>);

  /// fold (+) f(begin) (+) f(begin + 1) (+) ... for fewer than 16 items.
  template <class Size, class F>
  [[gnu::always_inline]] static T fold_items(Size begin, int items, const F& f, T fold,
                                             const Op& op) {
    const item_vectors<T, Size, F> read{begin, f};
    for (int k = 0; k == 0 || k < items; k += padded_items<Op, T>) {
      for (int j = k; j < k + padded_items<Op, T>; j += vector_lanes<T>) {
        const vector x = keep(read[j / vector_lanes<T>], &first[detail::fold_run - items + j]);
        for (int lane = 0; lane < vector_lanes<T>; ++lane) fold = op(fold, x[lane]);
      }
    }
    return fold;
  }

  // From element 16 - n on, the first n elements have all bits.
  static constexpr auto first = [] {
    std::array<bits, 2 * detail::fold_run> result{};
    std::fill_n(result.begin(), detail::fold_run, ~bits{});
    return result;
  }();

  static vector keep(vector x, const bits* from) {
    vector_of<bits> kept;
    std::memcpy(&kept, from, sizeof(kept));
    const auto item = detail::bit_cast<vector_of<bits>>(x);
    return detail::bit_cast<vector>(((item ^ none) & kept) ^ none);
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
    const auto can_pad = [&] {
      return static_cast<std::size_t>(end) + padded_items<Op, T> <=
             static_cast<std::size_t>(count_);
    };
    if constexpr (has_unchanging<Op, T> && reads_numbers<F>) {
      if (end - begin < few_ && can_pad()) {
        return padded_vectors<T, Op>::append(begin, end, f_, fold, op_);
      }
    }
    if constexpr (pads_runs) {
      constexpr std::uint64_t run = detail::fold_run;
      const std::uint64_t first = first_run(begin);
      const std::uint64_t last = static_cast<std::uint64_t>(last_run_end(end));
      // Items of one run.
      if (first > last && can_pad()) {
        return padded_vectors<T, Op>::append(begin, end, f_, fold, op_);
      }
      // A longer segment is folded in vectors for the most part. The runs that are read lie within
      // the items.
      if (end - begin < 256 && first <= last && first >= run &&
          last + run <= static_cast<std::uint64_t>(count_)) {
        run_.read(static_cast<Size>(first - run), f_);
        T part = run_.fold_last(first - static_cast<std::uint64_t>(begin), op_);
        const std::uint64_t group = (last - 1) / detail::fold_group * detail::fold_group;
        if (group < first) {
          part = fold_tree<T, Size>(part, first / run - 1, first / run, last / run, f_, op_);
        } else {
          part = fold_tree<T, Size>(part, first / run - 1, first / run, group / run, f_, op_);
          fold = op_(fold, part);
          part = fold_part_of_group<T>(static_cast<Size>(group), static_cast<Size>(last), f_, op_);
        }
        run_.read(static_cast<Size>(last), f_);
        const T items = run_.fold_first(static_cast<std::uint64_t>(end) - last, op_);
        return op_(op_(fold, part), items);
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
