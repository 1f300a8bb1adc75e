#pragma once
// The neighbours of every vertex: the edges of a graph without their direction, without self-loops
// and without repetitions.

#include <concepts>
#include <utility>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/graph.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/edit.hpp"

namespace evenfold::detail {

/// 1 for an edge that is a self-loop, or whose column is not larger than that of the previous edge
/// of its row; else 0.
template <std::integral Index>
struct breaks_ascent {
  using heavy = void;

  const Index* ends;

  template <std::integral Offset>
  EF_HD unsigned char operator()(Offset k, Index u, Offset rank) const {
    return ends[k] == u || (rank > 0 && ends[k - 1] >= ends[k]);
  }
};

/// Row u has the neighbours of u in ascending order: all v != u with an edge from u to v or from v
/// to u. Owns the rows unless the graph has them already.
template <std::integral Index, std::integral Offset>
struct neighbour_rows {
  csr<unsigned char, Index, Offset> made;
  csr_view<const pattern, Index, Offset> rows;
  /// Per entry, in how many directions there is an edge, 1 or 2. nullptr: 2 everywhere.
  const unsigned char* directions = nullptr;
};

/// The neighbours of every vertex. An undirected graph whose rows ascend and have no self-loops is
/// not copied, and must outlive the result. Waits.
template <context Context, class Value, std::integral Index, std::integral Offset>
neighbour_rows<Index, Offset> neighbours_of(Context& ctx,
                                            const graph_view<Value, Index, Offset>& g) {
  neighbour_rows<Index, Offset> result;
  if (g.is_undirected()) {
    array<unsigned char> breaks(ctx, g.num_vertices());
    lbs_segreduce(ctx, g.num_edges(), breaks_ascent<Index>{g.out.columns}, g.out.row_offsets,
                  g.num_vertices(), breaks.data(), maximum{}, static_cast<unsigned char>(0));
    result.rows = g.out.structure();
    if (reduce(ctx, breaks.data(), g.num_vertices(), maximum{}, 0) == 0) return result;
  }
  // Each direction once, then both directions at either end: their number is the sum.
  const coo<pattern, Index, Offset> stored = to_coo(ctx, g.out.structure());
  const coo<pattern, Index, Offset> others = drop_self_loops(ctx, stored.view());
  coo<unsigned char, Index, Offset> edges;
  {
    coo<pattern, Index, Offset> once = remove_duplicates(ctx, others.view(), duplicates::first);
    edges.num_rows = once.num_rows;
    edges.num_columns = once.num_columns;
    edges.num_nonzeros = once.num_nonzeros;
    edges.rows = std::move(once.rows);
    edges.columns = std::move(once.columns);
    edges.values = array<unsigned char>(ctx, edges.num_nonzeros);
  }
  fill(ctx, edges.values.data(), edges.num_nonzeros, static_cast<unsigned char>(1));
  edges = symmetrize(ctx, std::as_const(edges).view());
  result.made = to_csr(ctx, std::as_const(edges).view(), duplicates::sum);
  result.rows = std::as_const(result.made).view().structure();
  result.directions = result.made.values.data();
  return result;
}

}  // namespace evenfold::detail
