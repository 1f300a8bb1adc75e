#pragma once
// `graph`: a square sparse matrix seen as vertices and edges. Row u has the edges that leave u; the
// transposed matrix, where an algorithm needs it, those that reach it.

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
  /// Without rows where the graph is undirected.
  csr<Value, Index, Offset> in;
  bool is_undirected = true;

  graph_view<const Value, Index, Offset> view() const {
    return {out.view(), is_undirected ? out.view() : in.view()};
  }
};

}  // namespace evenfold
