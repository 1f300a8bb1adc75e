#pragma once
// The strategies of `fold`, and the numbers of their rounds.

#include <bit>
#include <concepts>
#include <cstddef>

#include "evenfold/balance/shares.hpp"

namespace evenfold {

enum class fold_strategy {
  /// Halving: with h = ceil(n / 2) for n cells, cell i takes cell i + h, and h cells are left.
  array_folding,
  /// Neighbours: in round d = 1, 2, ... every multiple of 2^d takes the cell 2^(d - 1) after it.
  tournament,
  /// `reduce`: one pass, in tiles that are folded where they are read.
  tiled,
};

/// The number of rounds of array_folding and tournament for `count` values: ceil(log2(count)).
template <std::integral Size>
constexpr int num_fold_rounds(Size count) {
  return count < 2 ? 0 : static_cast<int>(std::bit_width(static_cast<std::size_t>(count) - 1));
}

/// Whether a cell of `count` still holds a fold after a round; the others have been taken.
constexpr bool holds_fold(fold_strategy strategy, std::size_t count, int round, std::size_t cell) {
  const std::size_t length = std::size_t{1} << round;
  return strategy == fold_strategy::array_folding ? cell < detail::ceil_div(count, length)
                                                  : cell % length == 0;
}

}  // namespace evenfold
