#pragma once
// `graph`: a square sparse matrix as vertices and edges. Row u of the matrix has the edges that
// leave u, row v of the transposed matrix the edges that lead to v.

#include <concepts>
#include <cstdint>

#include "evenfold/core/graph_view.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

/// Owns a graph in the memory of a context, which must outlive it. Make one with `directed_graph`
/// or `undirected_graph`. Move-only.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct graph {
  csr<Value, Index, Offset> out;
  /// Empty if the graph is undirected.
  csr<Value, Index, Offset> in;
  bool is_undirected = true;

  graph_view<const Value, Index, Offset> view() const {
    return {out.view(), is_undirected ? out.view() : in.view()};
  }
};

}  // namespace evenfold
