#pragma once
// directed_graph, undirected_graph: graphs from square sparse matrices.

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

namespace detail {

/// Refuses a matrix that is not square.
template <class Value, class Index, class Offset>
void check_square(const char* function, const csr<Value, Index, Offset>& edges) {
  if (edges.num_rows != edges.num_columns) {
    refuse_argument(function, "edges.num_columns", edges.num_columns,
                    "there are " + std::to_string(edges.num_rows) + " rows",
                    "pass a square matrix, with one row and one column per vertex");
  }
}

/// Whether two sequences differ at index i.
template <class T>
struct differs_at {
  const T* a;
  const T* b;
  template <class Size>
  EF_HD int operator()(Size i) const {
    return a[i] != b[i];
  }
};

}  // namespace detail

/// Whether two matrices of equal extents have their entries at the same positions. The columns of
/// each row must be sorted. Work O(rows + entries). Waits.
template <context Context, class Value, class Index, class Offset>
bool have_same_pattern(Context& ctx, csr_view<Value, Index, Offset> a,
                       csr_view<Value, Index, Offset> b) {
  const auto differ = [&](const auto* x, const auto* y, std::size_t count) {
    using T = std::remove_cvref_t<decltype(*x)>;
    return transform_reduce(ctx, count, detail::differs_at<T>{x, y}, maximum{}, 0) != 0;
  };
  return a.num_nonzeros == b.num_nonzeros &&
         !differ(a.row_offsets, b.row_offsets, static_cast<std::size_t>(a.num_rows) + 1) &&
         !differ(a.columns, b.columns, static_cast<std::size_t>(a.num_nonzeros));
}

/// Whether there are as many entries at (i, j) as at (j, i), for all i and j. Values do not matter.
/// Work, span and scratch of two calls of `transpose`, which also sort the rows. Waits.
template <context Context, class Value, class Index, class Offset>
bool has_symmetric_pattern(Context& ctx, csr_view<Value, Index, Offset> a) {
  if (a.num_rows != a.num_columns) return false;
  const auto columns = transpose(ctx, a.structure());
  const auto rows = transpose(ctx, columns.view());
  return have_same_pattern(ctx, rows.view(), columns.view());
}

/// The graph with an edge from u to v for each entry in row u and column v. Takes the matrix, and
/// finds the edges that lead to each vertex by `transpose`, whose cost and promises it has. Several
/// entries in the same row and column are parallel edges; duplicates::sum or duplicates::first in
/// `to_csr` leave none.
///
/// Errors: argument_error for a matrix that is not square, with `edges` untouched;
/// allocation_error. Example: examples/coo_to_csr.cpp.
template <context Context, class Value, class Index, class Offset>
graph<Value, Index, Offset> directed_graph(Context& ctx, csr<Value, Index, Offset>&& edges) {
  detail::check_square("directed_graph", edges);
  graph<Value, Index, Offset> result;
  result.is_undirected = false;
  result.in = transpose(ctx, std::as_const(edges).view());
  result.out = std::move(edges);
  return result;
}

/// Whether the symmetry of a matrix is checked.
enum class symmetry_check { off, on };

/// The undirected graph of a matrix that has each edge twice, from u to v and from v to u, and each
/// self-loop once, as `symmetrize` makes it. Takes the matrix.
///
/// With symmetry_check::on a matrix with another pattern is refused; this costs two calls of
/// `transpose`, and the call waits. With symmetry_check::off nothing is checked, and algorithms
/// that follow edges in both directions give wrong answers for such a matrix. Values are not
/// compared.
///
/// Errors: argument_error for a matrix that is not square, or as above, with `edges` untouched.
/// Example: examples/coo_to_csr.cpp.
template <context Context, class Value, class Index, class Offset>
graph<Value, Index, Offset> undirected_graph(Context& ctx, csr<Value, Index, Offset>&& edges,
                                             symmetry_check check = symmetry_check::off) {
  detail::check_square("undirected_graph", edges);
  if (check == symmetry_check::on && !has_symmetric_pattern(ctx, std::as_const(edges).view())) {
    detail::refuse_argument("undirected_graph", "edges", "a matrix that differs from its transpose",
                            "an undirected edge is stored in both directions",
                            "symmetrize() the entries first, or make a directed_graph");
  }
  graph<Value, Index, Offset> result;
  result.out = std::move(edges);
  return result;
}

}  // namespace evenfold
