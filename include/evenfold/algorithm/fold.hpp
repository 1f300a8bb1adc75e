#pragma once
// fold: the fold of a sequence by a named strategy, in rounds that can be observed.
//
// Beside the fast strategy there are two from textbooks. Each of their rounds is one call of
// `transform`, so one launch on a GPU, and has a loop invariant; docs/folds.md explains the
// invariants, and algorithm/fold_invariant.hpp checks them.

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/fold_rounds.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// The default observer, which does nothing.
struct no_observer {
  template <class T>
  void operator()(int, const array<T>&) const {}
};

/// cells[i * stride] = cells[i * stride] (+) cells[i * stride + distance]
template <class T, class Op>
struct fold_pairs {
  T* cells;
  std::size_t stride, distance;
  Op op;

  EF_HD void operator()(std::size_t i) const {
    T* const cell = cells + i * stride;
    *cell = op(*cell, cell[distance]);
  }
};

/// One round of array folding: folds the upper half of the first `size` cells into the lower half.
template <context Context, class T, class Op>
void fold_halves(Context& ctx, T* cells, std::size_t size, Op op) {
  const std::size_t half = ceil_div(size, std::size_t{2});
  transform(ctx, size - half, fold_pairs<T, Op>{cells, 1, half, op});
}

/// One round of a tournament: each cell at a multiple of 2 * distance takes the one at `distance`.
template <context Context, class T, class Op>
void fold_neighbours(Context& ctx, T* cells, std::size_t count, std::size_t distance, Op op) {
  // A last cell without a neighbour is not changed in this round.
  const std::size_t pairs = (count + distance - 1) / (2 * distance);
  transform(ctx, pairs, fold_pairs<T, Op>{cells, 2 * distance, distance, op});
}

}  // namespace detail

/// Returns init (+) x, where x is the fold of input[0], ..., input[count - 1] with the brackets of
/// the strategy; an empty fold is `init`.
///
/// - `input`: any iterator that reads with []; it is not written. Values are converted to T.
/// - `op`: associative. array_folding also changes the order of operands, so it requires that
///   `is_commutative<Op, T>` is true; the other two keep the order.
/// - `observer`: observer(d, cells) is called on the host before the first round (d = 0) and after
///   round d of array_folding and tournament. `cells` is the array of `count` T, in the context's
///   memory; as after other calls, the work of the round may not be done yet on the context's
///   stream. tiled has no rounds and does not call it.
///
/// With n values, array_folding and tournament apply `op` n times in ceil(log2 n) rounds, each a
/// launch: work O(n), span O(log n). In all, array_folding reads and writes 5 n T at adjacent
/// addresses. tournament reads and writes as many, at distances that double with each round; a GPU
/// transfers sectors of 32 bytes, so about n T in each round d while 2^d T fit in a sector. tiled
/// is `reduce`, which reads n T once. Scratch: n T; for tiled that of `reduce`. Deterministic.
/// Waits for the result.
///
/// Errors: argument_error for a negative count, for an input on the wrong side, and for
/// array_folding with an operator that is not declared commutative; allocation_error.
///
/// Example: examples/fold.cpp.
/// Source: Hillis and Steele, "Data parallel algorithms", CACM 29 (1986), for the tournament;
/// Harris, "Optimizing parallel reduction in CUDA" (2007), for both, as interleaved and sequential
/// addressing. Names elsewhere: std::reduce, thrust::reduce, numpy.add.reduce for the result.
template <context Context, class Input, std::integral Size, class Op, class T,
          class Observer = detail::no_observer>
T fold(Context& ctx, Input input, Size count, Op op, T init, fold_strategy strategy,
       Observer observer = {}) {
  detail::check_operator<T, Op>();
  detail::check_count("fold", "count", count);
  detail::check_pointer(ctx, "fold", "input", input, count);
  if (strategy == fold_strategy::array_folding && !is_commutative<Op, T>) {
    detail::refuse_argument(
        "fold", "strategy", "array_folding",
        "it changes the order of operands, and the operator is not declared to commute",
        "take tournament or tiled, or specialise is_commutative<Op, T> if it does");
  }
  if (strategy == fold_strategy::tiled) return reduce(ctx, input, count, op, init);

  const auto n = static_cast<std::size_t>(count);
  array<T> cells(ctx, n);
  transform(ctx, n, write_result<element_of<T, Input>, T*>{{input}, cells.data()});
  observer(0, cells);
  for (int round = 1; round <= num_fold_rounds(n); ++round) {
    if (strategy == fold_strategy::array_folding) {
      // After r rounds ceil(n / 2^r) cells are left.
      detail::fold_halves(ctx, cells.data(), detail::ceil_div(n, std::size_t{1} << (round - 1)),
                          op);
    } else {
      detail::fold_neighbours(ctx, cells.data(), n, std::size_t{1} << (round - 1), op);
    }
    observer(round, cells);
  }
  return reduce(ctx, cells.data(), std::min<std::size_t>(n, 1), op, init);
}

/// The same for a range.
template <context Context, sized_range Input, class Op, class T,
          class Observer = detail::no_observer>
T fold(Context& ctx, const Input& input, Op op, T init, fold_strategy strategy,
       Observer observer = {}) {
  return evenfold::fold(ctx, detail::begin_of(input), detail::size_of(input), op, init, strategy,
                        observer);
}

}  // namespace evenfold
