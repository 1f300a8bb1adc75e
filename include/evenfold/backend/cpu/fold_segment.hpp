#pragma once
// The canonical fold of one segment among many (balance/fold_order.hpp) on one CPU thread.
//
// Of a segment of a few dozen items, the items before the first run and those after the last one
// are folded in loops of a length that no processor predicts, and a processor that guesses the end
// of a loop wrongly loses the time of dozens of additions. Where items can be read freely and an
// operand changes nothing, these two loops therefore have 15 steps always: `padded_run` has such
// operands before and after its items. This pays unless most segments are so short that they have a
// few items and no run. Of these, four items are folded without a branch.

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

inline constexpr int padded_items = 4;

/// Folds four items after four, of which those outside a range are replaced by operands that change
/// nothing.
template <class T, class Op>
class padded_vectors {
 public:
  /// fold (+) f(begin) (+) ... (+) f(end - 1), where up to three items after them can be read.
  template <class Size, class F>
  static T append(Size begin, Size end, const F& f, T fold, const Op& op) {
    if constexpr (folds_in_vectors<Op, T>) {
      // Two folds in the lanes of a vector: of the items before and after a multiple of 16.
      const Size border = last_run_end(end);
      vector folds = in_all_lanes(unchanging<Op, T>);
      do {
        const item_vectors<T, Size, F> read{begin, f};
        const int before = within(border, begin), all = within(end, begin);
        for (int k = 0; k < vectors; ++k) {
          const vector_of<bits> left = load_first(before, k);
          const vector_of<bits> right = load_first(all, k) & ~left;
          append_pairs(keep(read[k], left), keep(read[k], right), folds, op);
        }
        begin = static_cast<Size>(begin + Size(padded_items));
      } while (begin < end);
      return op(op(fold, folds[0]), folds[1]);
    } else {
      do {
        const item_vectors<T, Size, F> read{begin, f};
        const int all = within(end, begin);
        for (int k = 0; k < padded_items; ++k) {
          const int v = k / vector_lanes<T>;
          fold = op(fold, keep(read[v], load_first(all, v))[k % vector_lanes<T>]);
        }
        begin = static_cast<Size>(begin + Size(padded_items));
      } while (begin < end);
      return fold;
    }
  }

 private:
  using vector = vector_of<T>;
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr bits none = detail::bit_cast<bits>(unchanging<Op, T>);
  static constexpr int vectors = padded_items / vector_lanes<T>;

  // From element 4 - n on, the first n elements have all bits.
  static constexpr bits first[] = {~bits{}, ~bits{}, ~bits{}, ~bits{}, 0, 0, 0, 0};

  /// Which of the items of vector `k` are among the first `count` of four.
  static vector_of<bits> load_first(int count, int k) {
    vector_of<bits> result;
    std::memcpy(&result, first + padded_items - count + k * vector_lanes<T>, sizeof(result));
    return result;
  }

  static vector keep(vector x, vector_of<bits> kept) {
    const auto item = detail::bit_cast<vector_of<bits>>(x);
    return detail::bit_cast<vector>(((item ^ none) & kept) ^ none);
  }

  /// How many of the four items from `begin` on come before `end`.
  template <class Size>
  static int within(Size end, Size begin) {
    return begin < end
               ? static_cast<int>(std::min(static_cast<Size>(end - begin), Size{padded_items}))
               : 0;
  }

  /// Appends the items of two vectors to the folds in lanes 0 and 1.
  static void append_pairs(vector left, vector right, vector& folds, const Op& op) {
    if constexpr (vector_lanes<T> == 2) {
      folds = op(folds, __builtin_shufflevector(left, right, 0, 2));
      folds = op(folds, __builtin_shufflevector(left, right, 1, 3));
    } else {
      const vector a = __builtin_shufflevector(left, right, 0, 4, 1, 5);
      const vector b = __builtin_shufflevector(left, right, 2, 6, 3, 7);
      folds = op(folds, a);
      folds = op(folds, __builtin_shufflevector(a, a, 2, 3, 2, 3));
      folds = op(folds, b);
      folds = op(folds, __builtin_shufflevector(b, b, 2, 3, 2, 3));
    }
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
      return static_cast<std::size_t>(end) + padded_items <= static_cast<std::size_t>(count_);
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
