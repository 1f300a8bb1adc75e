#pragma once
// The message of `evenfold fold --check` about a cell that breaks the loop invariant of its
// strategy.

#include <cstddef>
#include <string>
#include <variant>

#include "evenfold/io/text/number_text.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli {

inline std::string broken_invariant(fold_strategy strategy, int round,
                                    const runtime::broken_fold_cell& broken) {
  const auto text_of = [](const runtime::number& value) {
    std::string text;
    std::visit([&](auto v) { append_number(text, v); }, value);
    return text;
  };
  const bool folding = strategy == fold_strategy::array_folding;
  return "the invariant of " + std::string(folding ? "array_folding" : "tournament") +
         " is broken after round " + std::to_string(round) + ": cell " +
         std::to_string(broken.cell) + " is " + text_of(broken.found) + ", expected " +
         text_of(broken.expected) + ", the fold of its " +
         (folding ? "residue class" : "block of " + std::to_string(std::size_t{1} << round));
}

}  // namespace evenfold::cli
