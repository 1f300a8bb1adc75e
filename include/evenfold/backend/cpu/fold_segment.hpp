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

/// Four items, some of which are replaced by operands that change nothing.
template <class T, class Op>
class padded_vectors {
 public:
  static constexpr int items = 4;

  /// fold (+) items [from, to) of those from `begin` on, where `from` and `to` are at most 4.
  template <class Size, class F>
  static T append(int from, int to, Size begin, const F& f, T fold, const Op& op) {
    const item_vectors<T, Size, F> vectors{begin, f};
    for (int k = 0; k < items / vector_lanes<T>; ++k) {
      const int at = items + k * vector_lanes<T>;
      const vector_of<bits> kept = load(first + at - to) & ~load(first + at - from);
      const auto x = detail::bit_cast<vector_of<bits>>(vectors[k]);
      const auto padded = detail::bit_cast<vector_of<T>>((x & kept) | (none & ~kept));
      for (int j = 0; j < vector_lanes<T>; ++j) fold = op(fold, padded[j]);
    }
    return fold;
  }

 private:
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr bits none = detail::bit_cast<bits>(unchanging<Op, T>);

  // From element 4 - n on, the first n elements have all bits.
  static constexpr bits first[] = {~bits{}, ~bits{}, ~bits{}, ~bits{}, 0, 0, 0, 0};

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
      if (end - begin < few_) return fold_few(begin, end, fold);
    }
    if constexpr (pads_runs) {
      constexpr std::uint64_t run = detail::fold_run;
      const std::uint64_t first = first_run(begin);
      const std::uint64_t last = static_cast<std::uint64_t>(last_run_end(end));
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
  /// For fewer than 16 items: those before and after a multiple of 16.
  T fold_few(Size begin, Size end, T fold) const {
    using vectors = padded_vectors<T, Op>;
    constexpr T none = unchanging<Op, T>;
    constexpr bool in_order = !detail::is_exact_fold<Op, T>;
    const Size border = in_order ? std::max(begin, last_run_end(end)) : begin;
    T head = none, tail = none;
    if (static_cast<std::size_t>(begin) + vectors::items <= static_cast<std::size_t>(count_)) {
      const int before = std::min(vectors::items, static_cast<int>(border - begin));
      const int all = std::min(vectors::items, static_cast<int>(end - begin));
      if constexpr (in_order) head = vectors::append(0, before, begin, f_, none, op_);
      tail = vectors::append(before, all, begin, f_, none, op_);
      begin = static_cast<Size>(begin + static_cast<Size>(all));
    }
    if constexpr (in_order) {
      head = append(begin, border, head);
      fold = op_(fold, head);
    }
    return op_(fold, append(std::max(begin, border), end, tail));
  }

  /// fold (+) fewer than 16 items. Since the compiler knows that bound, it unrolls the loop, and
  /// the branch after each item is predicted on its own.
  T append(Size begin, Size end, T fold) const {
    for (int k = 1; k < detail::fold_run && begin < end; ++k, ++begin) {
      fold = op_(fold, static_cast<T>(f_(begin)));
    }
    return fold;
  }

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
