#pragma once
// The canonical fold of a range (balance/fold_order.hpp) on one CPU thread.
//
// Sums and products of numbers are folded in vector registers, blocks of 128 items without a loop:
// with longer ones, reads of memory wait for each other. Where the order makes no difference to the
// bits, as for integers and for minima, the order is the one that is fastest.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cpu/prefetch.hpp"
#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::cpu {

/// Storage for `Count` values that are constructed later.
template <class T, int Count>
union values_for {
  T value[Count];
  values_for() {}
};

/// The number of accumulators that fill eight vector registers, a power of two. A structure is not
/// a lane of a vector, and one accumulator stays in registers.
template <class T>
inline constexpr std::size_t fold_lanes =
    std::is_arithmetic_v<T> ? std::bit_floor(std::max<std::size_t>(1, 128 / sizeof(T))) : 1;

/// The fold of f(begin), ..., f(end - 1) where the order makes no difference: lane j folds
/// f(begin + j), f(begin + j + lanes), ... for whole rows of lanes, of which there is at least one.
template <class T, class Size, class F, class Op, std::size_t... Lane>
T fold_by_lanes(Size begin, Size end, const F& f, const Op& op, std::index_sequence<Lane...>) {
  constexpr Size lanes = sizeof...(Lane);
  T fold[] = {static_cast<T>(f(static_cast<Size>(begin + static_cast<Size>(Lane))))...};
  const Size rows_end = end - (end - begin) % lanes;
  for (Size row = begin + lanes; row < rows_end; row += lanes) {
#pragma GCC unroll 16
    for (Size j = 0; j < lanes; ++j)
      fold[j] = op(fold[j], static_cast<T>(f(static_cast<Size>(row + j))));
  }
  for (Size width = lanes / 2; width > 0; width /= 2) {
    for (Size j = 0; j < width; ++j) fold[j] = op(fold[j], fold[j + width]);
  }
  for (Size i = rows_end; i < end; ++i) fold[0] = op(fold[0], static_cast<T>(f(i)));
  return fold[0];
}

/// Whether a fold is a sum of an array of integers or an extreme of one of doubles, without a
/// conversion. Of floats, which have twice as many lanes, g++ makes faster code by itself.
template <class T, class F, class Op>
inline constexpr bool folds_in_registers =
    reads_elements<T, F> &&
    ((std::integral<T> && !std::same_as<T, bool> && std::same_as<Op, plus>) ||
     (std::same_as<T, double> && (std::same_as<Op, minimum> || std::same_as<Op, maximum>)));

/// The same in vector registers. g++ keeps an array of accumulators in memory, or folds them one by
/// one, depending on its version.
template <class T, class Size, class F, class Op>
T fold_in_registers(Size begin, Size end, const F& f, const Op& op) {
  using vector = vector_of<T>;
  constexpr Size lanes = vector_lanes<T>, row = 4 * lanes;
  const auto join = [&](vector a, vector b) __attribute__((always_inline)) {
    if constexpr (std::integral<T>) {
      return op(a, b);
    } else {
      return extremes<Op, T>(a, b);
    }
  };
  vector fold = in_all_lanes<T>(detail::unchanging<Op, T>);
  vector second = fold, third = fold, fourth = fold;
  for (; end - begin >= row; begin = static_cast<Size>(begin + row)) {
    const item_vectors<T, Size, F> x{begin, f};
    fold = join(fold, x[0]);
    second = join(second, x[1]);
    third = join(third, x[2]);
    fourth = join(fourth, x[3]);
  }
  fold = join(join(fold, second), join(third, fourth));
  for (; end - begin >= lanes; begin = static_cast<Size>(begin + lanes)) {
    fold = join(fold, item_vectors<T, Size, F>{begin, f}[0]);
  }
  T result = fold[0];
  for (int lane = 1; lane < vector_lanes<T>; ++lane) result = op(result, fold[lane]);
  for (; begin < end; ++begin) result = op(result, static_cast<T>(f(begin)));
  return result;
}

/// init (+) f(begin) (+) ... (+) f(end - 1) where the order makes no difference. An operator may
/// have a loop of its own, op.fold_range(begin, end, f, init).
template <class Size, class F, class Op, class T>
T fold_any_order(Size begin, Size end, const F& f, const Op& op, T init) {
  constexpr std::size_t lanes = fold_lanes<T>;
  if constexpr (requires { op.fold_range(begin, end, f, init); }) {
    return op.fold_range(begin, end, f, init);
  } else if constexpr (sizeof(Size) >= sizeof(int) && !detail::is_heavy<F>) {
    if (static_cast<std::size_t>(end - begin) >= 2 * lanes) {
      if constexpr (folds_in_registers<T, F, Op>) {
        return op(init, fold_in_registers<T>(begin, end, f, op));
      } else {
        return op(init, fold_by_lanes<T>(begin, end, f, op, std::make_index_sequence<lanes>{}));
      }
    }
  }
  for (Size i = begin; i < end; ++i) init = op(init, static_cast<T>(f(i)));
  return init;
}

/// The fold of a block of a level above 0.
template <class T, class Size, class F, class Op>
T fold_block(int level, Size begin, const F& f, const Op& op) {
  if constexpr (detail::is_exact_fold<Op, T>) {
    const Size end = static_cast<Size>(begin + static_cast<Size>(detail::fold_block_length(level)));
    return fold_any_order(static_cast<Size>(begin + 1), end, f, op, static_cast<T>(f(begin)));
  } else if constexpr (folds_in_vectors<Op, T>) {
    constexpr int of_128 = 4, most_in_row = 4;
    // Of lookups, g++ would mix those of several runs.
    if constexpr (detail::is_heavy<F> || looks_up<F>) {
      if (level <= 1 + most_in_row) return fold_row_of_runs<1, T>(1 << (level - 1), begin, f, op);
    } else {
      if (level == 1) return fold_runs<1, T>(begin, f, op);
      if (level == 2) return fold_runs<2, T>(begin, f, op);
      if (level == 3) return fold_runs<4, T>(begin, f, op);
      if (level <= of_128 + most_in_row) {
        return fold_row_of_runs<8, T>(1 << (level - of_128), begin, f, op);
      }
    }
  } else if (level == 1) {
    if constexpr (is_commutative<Op, T>) {
      const auto fold = [&]<int... K>(std::integer_sequence<int, K...>) {
        // In this order, so that memory is read from front to back.
        const T items[] = {static_cast<T>(f(static_cast<Size>(begin + Size(K))))...};
        return detail::fold_whole_run(items, op);
      };
      return fold(std::make_integer_sequence<int, detail::fold_run>{});
    } else {
      T fold = static_cast<T>(f(begin));
#pragma GCC unroll 16
      for (int k = 1; k < detail::fold_run; ++k)
        fold = op(fold, static_cast<T>(f(static_cast<Size>(begin + Size(k)))));
      return fold;
    }
  }
  const auto half = static_cast<Size>(detail::fold_block_length(level - 1));
  const T left = fold_block<T>(level - 1, begin, f, op);
  const T right = fold_block<T>(level - 1, static_cast<Size>(begin + half), f, op);
  return op(left, right);
}

/// The first multiple of 16 from `begin` on.
template <class Size>
std::uint64_t first_run(Size begin) {
  constexpr std::uint64_t run = detail::fold_run;
  return (static_cast<std::uint64_t>(begin) + run - 1) / run * run;
}

/// The last multiple of 16 up to `end`.
template <class Size>
Size last_run_end(Size end) {
  return static_cast<Size>(end -
                           static_cast<Size>(static_cast<std::uint64_t>(end) % detail::fold_run));
}

/// The fold of f(begin), ..., f(end - 1) from left to right, for 1 to 15 items. Since the compiler
/// knows that bound, it unrolls the loop, and the branch after each item is predicted on its own.
template <class T, class Size, class F, class Op>
T fold_items(Size begin, Size end, const F& f, const Op& op) {
  T fold = static_cast<T>(f(begin));
  for (int k = 2; k < detail::fold_run && ++begin < end; ++k)
    fold = op(fold, static_cast<T>(f(begin)));
  return fold;
}

/// The fold of runs [begin, end), whose largest blocks become smaller from left to right, from
/// right to left. Items are read from front to back.
template <class T, class Size, class F, class Op>
T fold_falling(std::uint64_t begin, std::uint64_t end, const F& f, const Op& op) {
  const int level = static_cast<int>(std::bit_width(end - begin)) - 1;
  const T left = fold_block<T>(level + 1, static_cast<Size>(begin * detail::fold_run), f, op);
  begin += std::uint64_t{1} << level;
  return begin == end ? left : op(left, fold_falling<T, Size>(begin, end, f, op));
}

/// The fold of runs [begin, end) of one group, where `fold` is that of [begin, next), the first of
/// the largest blocks that they are cut into or the items before a run.
template <class T, class Size, class F, class Op>
T fold_tree(T fold, std::uint64_t begin, std::uint64_t next, std::uint64_t end, const F& f,
            const Op& op) {
  const auto block = [&](int level, std::uint64_t run) {
    return fold_block<T>(level + 1, static_cast<Size>(run * detail::fold_run), f, op);
  };
  const int height = static_cast<int>(std::bit_width(begin ^ (end - 1)));
  if (height == 0) return fold;
  const std::uint64_t middle = (end - 1) >> (height - 1) << (height - 1);
  // The left half from left to right, and the right half from right to left.
  while (next < middle) {
    const int level = std::countr_zero(next);
    fold = op(fold, block(level, next));
    next += std::uint64_t{1} << level;
  }
  return op(fold, fold_falling<T, Size>(middle, end, f, op));
}

/// init (+) the parts of [begin, end), both multiples of 16.
template <class T, class Size, class F, class Op>
T fold_runs(Size begin, Size end, const F& f, const Op& op, T init) {
  constexpr std::uint64_t length = detail::fold_run, group = detail::fold_group / length;
  std::uint64_t run = static_cast<std::uint64_t>(begin) / length;
  const std::uint64_t end_run = static_cast<std::uint64_t>(end) / length;
  while (run < end_run) {
    // The largest block that may begin here, or that fits.
    const int fits = static_cast<int>(std::bit_width(end_run - run)) - 1;
    const int level = std::min(std::countr_zero(run), fits);
    const std::uint64_t next = run + (std::uint64_t{1} << level);
    T part = fold_block<T>(level + 1, static_cast<Size>(run * length), f, op);
    // A block of groups is a part; a smaller one is the beginning of the tree of a group.
    const std::uint64_t stop = std::min((run / group + 1) * group, end_run);
    if (next < stop) part = fold_tree<T, Size>(part, run, next, stop, f, op);
    run = std::max(next, stop);
    init = op(init, part);
  }
  return init;
}

/// init (+) the parts of the runs [begin, end), and of the items of the run before
/// them, whose fold is `items`.
template <class T, class Size, class F, class Op>
T fold_runs_after(T items, Size begin, Size end, const F& f, const Op& op, T init) {
  constexpr std::uint64_t length = detail::fold_run, group = detail::fold_group / length;
  const std::uint64_t run = static_cast<std::uint64_t>(begin) / length;
  const std::uint64_t end_run = static_cast<std::uint64_t>(end) / length;
  const std::uint64_t stop = std::min((run + group - 1) / group * group, end_run);
  init = op(init, fold_tree<T, Size>(items, run - 1, run, stop, f, op));
  return stop == end_run ? init : fold_runs<T>(static_cast<Size>(stop * length), end, f, op, init);
}

/// init (+) f(begin) (+) ... (+) f(end - 1) for fewer than 16 items, in one loop as in fold_items.
template <class Size, class F, class Op, class T>
T fold_few(Size begin, Size end, const F& f, const Op& op, T init) {
  if (begin == end) return init;
  T fold = static_cast<T>(f(begin));
  for (int k = 2; k < detail::fold_run && ++begin < end; ++k) {
    const T item = static_cast<T>(f(begin));
    if (static_cast<std::uint64_t>(begin) % detail::fold_run == 0) {
      init = op(init, fold);
      fold = item;
    } else {
      fold = op(fold, item);
    }
  }
  return op(init, fold);
}

/// init (+) f(begin) (+) ... (+) f(end - 1) for 16 items or more.
template <class Size, class F, class Op, class T>
T fold_parts(Size begin, Size end, const F& f, const Op& op, T init) {
  const auto first = static_cast<Size>(first_run(begin));
  const Size last = last_run_end(end);
  if (begin < first) {
    const T items = fold_items<T>(begin, first, f, op);
    init = first == last ? op(init, items) : fold_runs_after<T>(items, first, last, f, op, init);
  } else {
    init = fold_runs<T>(first, last, f, op, init);
  }
  return last == end ? init : op(init, fold_items<T>(last, end, f, op));
}

/// init (+) f(begin) (+) ... (+) f(end - 1).
template <class Size, class F, class Op, class T>
T fold_range(Size begin, Size end, const F& f, const Op& op, T init) {
  if constexpr (detail::is_exact_fold<Op, T>) {
    return fold_any_order(begin, end, f, op, init);
  } else if constexpr (std::integral<T>) {
    for (Size i = begin; i < end; ++i) init = op(init, static_cast<T>(f(i)));
    return init;
  } else {
    // Most ranges are short.
    if (end - begin < detail::fold_run) return fold_few(begin, end, f, op, init);
    return fold_parts(begin, end, f, op, init);
  }
}

/// Appends f(begin), ..., f(end - 1) to a partial fold that ends at `begin`.
template <class Size, class F, class Op, class T>
void append_range(partial_fold<T>& part, Size begin, Size end, const F& f, const Op& op) {
  while (begin < end) {
    const int level = detail::first_fold_level(static_cast<std::uint64_t>(begin),
                                               static_cast<std::uint64_t>(end));
    if (level == 0) {
      part.append(static_cast<T>(f(begin)), op);
    } else {
      part.append_block(level, fold_block<T>(level, begin, f, op), op);
    }
    begin = static_cast<Size>(begin + static_cast<Size>(detail::fold_block_length(level)));
  }
}

// As around partial_fold.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/// A partial_fold where the order makes no difference: one value. It compiles in less time.
template <class T>
class unordered_fold {
 public:
  explicit unordered_fold(std::uint64_t = 0) {}

  template <class Op>
  void append(const T& fold, const Op& op) {
    value_ = empty_ ? fold : op(value_, fold);
    empty_ = false;
  }
  template <class Op>
  void join(const unordered_fold& next, const Op& op) {
    if (!next.empty_) append(next.value_, op);
  }
  template <class Op>
  T fold(const Op& op, const T& init) const {
    return empty_ ? init : op(init, value_);
  }
  /// The fold, or null where there is nothing.
  const T* value() const { return empty_ ? nullptr : &value_; }

 private:
  bool empty_ = true;
  /// A union, since T may have no default constructor.
  union {
    T value_;
  };
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

template <class Size, class F, class Op, class T>
void append_range(unordered_fold<T>& part, Size begin, Size end, const F& f, const Op& op) {
  if (begin == end) return;
  const Size next = static_cast<Size>(begin + 1);
  part.append(fold_any_order(next, end, f, op, static_cast<T>(f(begin))), op);
}

/// The partial fold that a thread leaves.
template <class Op, class T>
using fold_of_share =
    std::conditional_t<detail::is_exact_fold<Op, T>, unordered_fold<T>, partial_fold<T>>;

}  // namespace evenfold::cpu
