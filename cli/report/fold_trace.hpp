#pragma once
// The picture that `evenfold fold --trace` draws.

#include <string>
#include <vector>

#include "cli/input/numbers.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli {

/// So many cells still fit a wide screen.
inline constexpr std::size_t most_traced_cells = 32;

/// The array before the first round and after each, as boxes. A cell that has been taken has no box
/// any more; arrows lead from each cell that is taken to the one that takes it.
std::string draw_rounds(fold_strategy strategy, const std::vector<numbers>& rounds);

}  // namespace evenfold::cli
