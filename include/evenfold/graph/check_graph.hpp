#pragma once
// The checks of arguments that algorithms over graphs share.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

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

/// The sources without repetitions. Refuses a source that is not a vertex.
template <std::integral Index>
std::vector<Index> distinct_sources(const char* algorithm, std::vector<Index> sources,
                                    Index num_vertices) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] >= 0 && sources[i] < num_vertices) continue;
    refuse_argument(algorithm, "sources[" + std::to_string(i) + "]", sources[i],
                    "there are " + std::to_string(num_vertices) + " vertices, numbered from 0",
                    "pass vertices of the graph");
  }
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

}  // namespace detail

}  // namespace evenfold
