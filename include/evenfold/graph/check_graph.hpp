#pragma once
// The check of arguments that all algorithms over graphs share.

#include <concepts>
#include <string>

#include "evenfold/core/context.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// Refuses a graph whose `out` and `in` cannot have the same edges, or lie on the wrong side.
template <context Context, class Value, std::integral Index, std::integral Offset>
void check_graph(const Context& ctx, const char* algorithm,
                 const graph_view<Value, Index, Offset>& g) {
  for (const auto* rows : {&g.out, &g.in}) {
    if (rows->num_rows != g.num_vertices() || rows->num_columns != g.num_vertices() ||
        rows->num_nonzeros != g.num_edges()) {
      const auto size_of = [](const auto& matrix) {
        return std::to_string(matrix.num_rows) + " x " + std::to_string(matrix.num_columns) +
               " with " + std::to_string(matrix.num_nonzeros) + " edges";
      };
      refuse_argument(algorithm, "graph", size_of(*rows),
                      "both directions are square and have the same edges, and the rows of `out` "
                      "are those of a matrix of " +
                          size_of(g.out),
                      "pass a square matrix and its transpose");
    }
    check_pointer(ctx, algorithm, "graph", rows->row_offsets, rows->num_rows);
    check_pointer(ctx, algorithm, "graph", rows->columns, rows->num_nonzeros);
    check_pointer(ctx, algorithm, "graph", rows->values, stored_values<Value>(rows->num_nonzeros));
  }
}

}  // namespace detail

}  // namespace evenfold
