#pragma once
// directed_graph, undirected_graph: a square matrix seen as a graph.

#include <concepts>
#include <utility>

#include "evenfold/core/error.hpp"
#include "evenfold/graph/graph.hpp"
#include "evenfold/sparse/convert.hpp"

namespace evenfold {

/// Refuses a matrix that has not one row and one column a vertex.
template <class Value, class Index, class Offset>
void check_square(const char* function, const csr<Value, Index, Offset>& arcs) {
  if (arcs.num_rows != arcs.num_columns) {
    refuse_argument(function, "arcs.num_columns", arcs.num_columns,
                    "there are " + std::to_string(arcs.num_rows) + " rows",
                    "pass a square matrix, one row and one column a vertex");
  }
}

/// The graph with an arc from u to v for each entry in row u and column v.
template <context Context, class Value, class Index, class Offset>
graph<Value, Index, Offset> directed_graph(Context& ctx, csr<Value, Index, Offset>&& arcs) {
  check_square("directed_graph", arcs);
  graph<Value, Index, Offset> result;
  result.is_undirected = false;
  result.in = transpose(ctx, arcs.view());
  result.out = std::move(arcs);
  return result;
}

/// The graph whose arcs come in pairs, as the entries of a matrix do that equals its transpose.
template <context Context, class Value, class Index, class Offset>
graph<Value, Index, Offset> undirected_graph(Context&, csr<Value, Index, Offset>&& arcs) {
  check_square("undirected_graph", arcs);
  graph<Value, Index, Offset> result;
  result.out = std::move(arcs);
  return result;
}

}  // namespace evenfold
