#pragma once
// directed_graph, undirected_graph: a square sparse matrix as a graph.

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/graph.hpp"
#include "evenfold/sparse/convert.hpp"

namespace evenfold {

/// Refuses a matrix that has not one row and one column a vertex.
template <class Value, class Index, class Offset>
void check_square(const char* function, const csr<Value, Index, Offset>& edges) {
  if (edges.num_rows != edges.num_columns) {
    refuse_argument(function, "edges.num_columns", edges.num_columns,
                    "there are " + std::to_string(edges.num_rows) + " rows",
                    "pass a square matrix, one row and one column a vertex");
  }
}

/// Whether two sequences differ at a place.
template <class T>
struct differs_at {
  const T* a;
  const T* b;
  template <class Size>
  EF_HD int operator()(Size i) const {
    return a[i] != b[i];
  }
};

/// Whether two matrices of one shape, the columns of each row in order, have their entries at the
/// same places. Work O(rows + entries). Waits.
template <context Context, class Value, class Index, class Offset>
bool have_same_pattern(Context& ctx, csr_view<Value, Index, Offset> a,
                       csr_view<Value, Index, Offset> b) {
  const auto differ = [&](const auto* x, const auto* y, std::size_t count) {
    using T = std::remove_cvref_t<decltype(*x)>;
    return transform_reduce(ctx, count, differs_at<T>{x, y}, maximum{}, 0) != 0;
  };
  return a.num_nonzeros == b.num_nonzeros &&
         !differ(a.row_offsets, b.row_offsets, static_cast<std::size_t>(a.num_rows) + 1) &&
         !differ(a.columns, b.columns, static_cast<std::size_t>(a.num_nonzeros));
}

/// Whether there are as many entries at (i, j) as at (j, i), everywhere. Values do not matter.
/// Work, span and scratch of two calls of `transpose`, which also put the rows in order. Waits.
template <context Context, class Value, class Index, class Offset>
bool has_symmetric_pattern(Context& ctx, csr_view<Value, Index, Offset> a) {
  if (a.num_rows != a.num_columns) return false;
  const auto columns = transpose(ctx, a.where());
  const auto rows = transpose(ctx, columns.view());
  return have_same_pattern(ctx, rows.view(), columns.view());
}

/// The graph with an edge from u to v for each entry in row u and column v: takes the matrix, and
/// finds the edges that reach each vertex by `transpose`, whose cost and promises it has. Entries
/// of one place are parallel edges; make `edges` with duplicates::sum or ::first to have none.
///
/// Errors: argument_error for a matrix that is not square, with `edges` untouched;
/// allocation_error. Example: examples/coo_to_csr.cpp.
template <context Context, class Value, class Index, class Offset>
graph<Value, Index, Offset> directed_graph(Context& ctx, csr<Value, Index, Offset>&& edges) {
  check_square("directed_graph", edges);
  graph<Value, Index, Offset> result;
  result.is_undirected = false;
  result.in = transpose(ctx, std::as_const(edges).view());
  result.out = std::move(edges);
  return result;
}

/// Whether a promise of symmetry is looked into.
enum class symmetry_check { off, on };

/// The undirected graph of a matrix that has each edge twice, from u to v and back, as that of
/// `symmetrize` does, and each self-loop once. Takes the matrix.
///
/// With symmetry_check::on a matrix without that is refused, at the cost of two transposed ones,
/// and the call waits; else the caller promises it, nothing is done, and algorithms that walk edges
/// in both directions give wrong answers where it is not so. Values are not compared.
///
/// Errors: argument_error for a matrix that is not square, or as above, with `edges` untouched.
/// Example: examples/coo_to_csr.cpp.
template <context Context, class Value, class Index, class Offset>
graph<Value, Index, Offset> undirected_graph(Context& ctx, csr<Value, Index, Offset>&& edges,
                                             symmetry_check check = symmetry_check::off) {
  check_square("undirected_graph", edges);
  if (check == symmetry_check::on && !has_symmetric_pattern(ctx, std::as_const(edges).view())) {
    refuse_argument("undirected_graph", "edges", "a matrix that differs from its transpose",
                    "an undirected edge is stored in both directions",
                    "symmetrize() the entries first, or make a directed_graph");
  }
  graph<Value, Index, Offset> result;
  result.out = std::move(edges);
  return result;
}

}  // namespace evenfold
