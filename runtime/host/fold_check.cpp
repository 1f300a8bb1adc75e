// The check of the loop invariants of folds, on the host.

#include "evenfold/algorithm/fold_invariant.hpp"
#include "runtime/arrays.hpp"
#include "runtime/operation_types.hpp"

namespace evenfold::runtime {

std::optional<broken_fold_cell> first_broken_fold_cell(fold_operator op, fold_strategy strategy,
                                                       int round, const array& values,
                                                       const array& cells) {
  if (cells.type() != values.type() || cells.size() != values.size()) {
    detail::refuse_argument("first_broken_fold_cell", "cells", name_of(cells.type()),
                            "their type or their number differs from that of the values",
                            "pass the cells of the same fold");
  }
  return visit_type<operation::fold>(
      values.type(), "values",
      [&]<class T>(std::type_identity<T>) -> std::optional<broken_fold_cell> {
        const auto broken_by = [&](auto known) {
          return first_broken_cell(strategy, round, static_cast<const T*>(values.address()),
                                   static_cast<const T*>(cells.address()), values.size(), known);
        };
        const auto broken = op == fold_operator::sum       ? broken_by(plus{})
                            : op == fold_operator::product ? broken_by(multiplies{})
                            : op == fold_operator::max     ? broken_by(maximum{})
                                                           : broken_by(minimum{});
        if (!broken) return std::nullopt;
        return broken_fold_cell{broken->cell, broken->found, broken->expected};
      });
}

}  // namespace evenfold::runtime
