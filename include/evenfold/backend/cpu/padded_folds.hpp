#pragma once
// Folds of fewer than 16 items of an array on one CPU thread, without a branch for each item: an
// item that is missing is replaced by an operand that changes nothing.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::cpu {

/// Whether a function only reads a number in an array, so that it may be called for any item, and
/// more than once.
template <class F>
inline constexpr bool reads_numbers = false;
template <class T, class Number>
inline constexpr bool reads_numbers<element_of<T, Number*>> = std::is_arithmetic_v<Number>;

/// Whether there is an operand that changes nothing, of the size of a lane.
template <class Op, class T>
inline constexpr bool pads_lanes =
    detail::has_unchanging<Op, T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// A run of items between operands that change nothing.
template <class T, class Op>
class padded_run {
 public:
  padded_run() { std::fill_n(x_, 3 * run, detail::unchanging<Op, T>); }

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

/// The number of items that are folded without a branch. Extremes of floating-point numbers take
/// several instructions per item.
template <class Op, class T>
inline constexpr int padded_items = std::integral<T> || folds_in_vectors<Op, T> ? 8 : 4;

/// Folds `padded_items` items after as many, of which those outside a range are replaced by
/// operands that change nothing.
template <class T, class Op>
class padded_vectors {
 public:
  /// fold (+) f(begin) (+) ... (+) f(end - 1) for at most `Most` items and fewer than 16, where up
  /// to 16 items from any of them on can be read.
  template <int Most, class Size, class F>
  [[gnu::always_inline]] static T append(Size begin, Size end, const F& f, T fold, const Op& op) {
    const int items = static_cast<int>(end - begin);
    if constexpr (folds_in_vectors<Op, T>) {
      constexpr int run = detail::fold_run;
      const int border = run - static_cast<int>(static_cast<std::uint64_t>(begin) % run);
      if (border < items) {
        fold = op(fold, fold_items<Most>(begin, border, f, detail::unchanging<Op, T>, op));
        begin = static_cast<Size>(begin + Size(border));
        return op(fold, fold_items<Most>(begin, items - border, f, detail::unchanging<Op, T>, op));
      }
      return op(fold, fold_items<Most>(begin, items, f, detail::unchanging<Op, T>, op));
    } else {
      return fold_items<Most>(begin, items, f, fold, op);
    }
  }

  /// The same for sums of integers, at least a vector of them. The last vector overlaps the one
  /// before it, so that the only branch is the loop.
  template <class Size, class F>
  [[gnu::always_inline]] static T append_sum(Size begin, Size end, const F& f, T fold,
                                             const Op& op) {
    constexpr int lanes = vector_lanes<T>;
    constexpr Size row = 4 * lanes;
    vector sum{}, second{};
    for (; end - begin >= row; begin = static_cast<Size>(begin + row)) {
      const item_vectors<T, Size, F> x{begin, f};
      sum = op(sum, op(x[0], x[1]));
      second = op(second, op(x[2], x[3]));
    }
    sum = op(sum, second);
    for (; end - begin >= Size{lanes}; begin = static_cast<Size>(begin + Size{lanes})) {
      sum = op(sum, item_vectors<T, Size, F>{begin, f}[0]);
    }
    vector_of<bits> added;
    std::memcpy(&added, &first[detail::fold_run - lanes + static_cast<int>(end - begin)],
                sizeof(added));
    const vector last = item_vectors<T, Size, F>{static_cast<Size>(end - Size{lanes}), f}[0];
    sum = op(sum, detail::bit_cast<vector>(detail::bit_cast<vector_of<bits>>(last) & ~added));
    if constexpr (lanes == 4) sum = op(sum, __builtin_shufflevector(sum, sum, 2, 3, 0, 1));
    return op(fold, op(sum[0], sum[1]));
  }

 private:
  using vector = vector_of<T>;
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr bits none = detail::bit_cast<bits>(detail::unchanging<Op, T>);

  /// fold (+) f(begin) (+) f(begin + 1) (+) ... for at most `Most` items and fewer than 16.
  template <int Most, class Size, class F>
  [[gnu::always_inline]] static T fold_items(Size begin, int items, const F& f, T fold,
                                             const Op& op) {
    constexpr int step = std::min(Most, padded_items<Op, T>);
    const item_vectors<T, Size, F> read{begin, f};
    int k = 0;
    do {
      for (int j = k; j < k + step; j += vector_lanes<T>) {
        const vector x = keep(read[j / vector_lanes<T>], &first[detail::fold_run - items + j]);
        for (int lane = 0; lane < vector_lanes<T>; ++lane) fold = op(fold, x[lane]);
      }
      k += step;
    } while (k < Most && k < items);
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

}  // namespace evenfold::cpu
