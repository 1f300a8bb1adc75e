#pragma once
// What `evenfold fold --check` asserts.

#include <string>
#include <variant>
#include <vector>

#include "cli/fold_query.hpp"
#include "evenfold/algorithm/fold_invariant.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

/// The loop invariant of a fold does not hold.
class invariant_error : public error {
 public:
  using error::error;
};

/// Asserts the loop invariant of the strategy after a round.
///
/// Errors: invariant_error, which names the first cell that breaks it.
inline void expect_invariant(const fold_query& query, int round, const numbers& cells) {
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        const std::vector<T>& found = std::get<std::vector<T>>(cells);
        const auto broken = visit_operator(query.op, [&](auto op) {
          return first_broken_cell(query.strategy, round, values.data(), found.data(),
                                   values.size(), op);
        });
        if (!broken) return;
        std::string message = "the invariant of ";
        message += query.strategy == fold_strategy::array_folding ? "array_folding" : "tournament";
        message += " is broken after round " + std::to_string(round) + ": cell " +
                   std::to_string(broken->cell) + " is ";
        append_number(message, broken->found);
        message += ", expected ";
        append_number(message, broken->expected);
        message += query.strategy == fold_strategy::array_folding
                       ? ", the fold of its residue class"
                       : ", the fold of its block of " + std::to_string(std::size_t{1} << round);
        throw invariant_error(message);
      },
      query.values);
}

}  // namespace evenfold::cli
