#pragma once
// `graph_view`: vertices and edges, in memory that it does not own.

#include <concepts>
#include <cstdint>

#include "evenfold/core/csr_view.hpp"

namespace evenfold {

/// Vertices 0 to num_vertices() - 1 and their edges, in memory that the view does not own. Row u of
/// `out` has the edges from u, row v of `in` the edges to v. An undirected edge is stored as two
/// directed edges; `out` and `in` of an undirected graph are the same memory.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct graph_view {
  csr_view<Value, Index, Offset> out, in;

  EF_HD Index num_vertices() const { return out.num_rows; }
  EF_HD Offset num_edges() const { return out.num_nonzeros; }
  EF_HD Offset out_degree(Index u) const { return out.row_offsets[u + 1] - out.row_offsets[u]; }

  /// Whether `out` and `in` are the same memory, so that each edge has its opposite.
  EF_HD bool is_undirected() const { return out.row_offsets == in.row_offsets; }
};

}  // namespace evenfold
