#pragma once
// The picture that `evenfold fold --trace` draws.

#include <string>
#include <vector>

#include "cli/input/numbers.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli {

/// This many cells fit a wide screen.
inline constexpr std::size_t most_traced_cells = 32;

/// The array before the first round and after each, as boxes. A cell that was combined into another
/// has no box; an arrow leads from it to that cell.
std::string draw_rounds(fold_strategy strategy, const std::vector<numbers>& rounds);

}  // namespace evenfold::cli
