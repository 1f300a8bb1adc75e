#pragma once
// The loop invariants of the strategies of `fold`, and a check that shares no code with `fold`.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "evenfold/algorithm/fold.hpp"

namespace evenfold {

namespace detail {

/// The fold of the class of index `cell` after `round` rounds: see `first_broken_cell`.
template <class T, class Op>
T fold_of_class(const T* values, std::size_t count, int round, std::size_t cell, const Op& op) {
  if (round == 0) return values[cell];
  const T fold = fold_of_class(values, count, round - 1, cell, op);
  const std::size_t wrapped = cell + ceil_div(count, std::size_t{1} << round);
  return wrapped < ceil_div(count, std::size_t{1} << (round - 1))
             ? op(fold, fold_of_class(values, count, round - 1, wrapped, op))
             : fold;
}

/// The fold of the block of 2^round values that begins at index `begin`.
template <class T, class Op>
T fold_of_block(const T* values, std::size_t count, int round, std::size_t begin, const Op& op) {
  if (round == 0) return values[begin];
  const T fold = fold_of_block(values, count, round - 1, begin, op);
  const std::size_t middle = begin + (std::size_t{1} << (round - 1));
  return middle < count ? op(fold, fold_of_block(values, count, round - 1, middle, op)) : fold;
}

/// Equal in every bit, except for the payloads of NaN, which differ between processors.
template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  } else {
    return a == b;
  }
}

}  // namespace detail

/// A cell that breaks an invariant.
template <class T>
struct broken_cell {
  std::size_t cell;
  T found, expected;
};

/// The first cell that breaks the loop invariant of `fold` after round d, if any. The invariants:
///
/// - array_folding: each of the first ceil(n / 2^d) cells is the fold of its residue class. The
///   class of an index is its residue modulo ceil(n / 2), the residue of that modulo ceil(n / 4),
///   ..., modulo ceil(n / 2^d); if 2^d divides n, this is the residue modulo n / 2^d. A class of
///   round d is the class of round d - 1 with the same number, then the one that wraps around to
///   it, if any.
/// - tournament: each cell at a multiple b of 2^d is the fold of its block, which has the values b
///   to b + 2^d - 1 as far as they exist: the lower half, then the upper half.
///
/// The check computes the fold of each class or block from the values by this definition, which
/// includes the brackets. So floating-point cells must agree in every bit. A broken cell shows a
/// fault of the rounds: a lost, repeated, misplaced or torn update. Operators that are not
/// associative keep the invariants, too.
///
/// - `strategy`: array_folding or tournament.
/// - `round`: 0 (no round yet) to num_fold_rounds(count).
/// - `values`, `cells`: `count` values before the first round and after round `round`, on the host.
///
/// Work O(count), on the host; no scratch. Errors: argument_error for tiled, which has no rounds,
/// and for a negative count.
///
/// Example: examples/fold.cpp.
template <class T, std::integral Size, class Op>
std::optional<broken_cell<T>> first_broken_cell(fold_strategy strategy, int round, const T* values,
                                                const T* cells, Size count, Op op) {
  detail::check_count("first_broken_cell", "count", count);
  if (strategy == fold_strategy::tiled) {
    detail::refuse_argument("first_broken_cell", "strategy", "tiled", "it has no rounds",
                            "take array_folding or tournament");
  }
  const auto n = static_cast<std::size_t>(count);
  for (std::size_t cell = 0; cell < n; ++cell) {
    if (!holds_fold(strategy, n, round, cell)) continue;
    const T expected = strategy == fold_strategy::array_folding
                           ? detail::fold_of_class(values, n, round, cell, op)
                           : detail::fold_of_block(values, n, round, cell, op);
    if (!detail::same_bits(cells[cell], expected))
      return broken_cell<T>{cell, cells[cell], expected};
  }
  return std::nullopt;
}

}  // namespace evenfold
