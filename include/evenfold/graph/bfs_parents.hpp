#pragma once
// bfs_parents: a tree of shortest paths, from the levels of a breadth-first search.

#include <concepts>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// The vertex that an edge leaves, if its level is that before the level of the vertex that the
/// edge leads to; else the largest number.
template <std::integral Index>
struct parent_of_edge {
  using heavy = void;
  const Index* begins;
  const Index* levels;

  template <std::integral Offset>
  EF_HD Index operator()(Offset k, Index, Offset, const tuple<Index>& level) const {
    const Index u = begins[k];
    return levels[u] >= 0 && levels[u] + 1 == get<0>(level) ? u : largest_number<Index>;
  }
};

/// Writes the parents of sources and of vertices that are not reached.
template <std::integral Index>
struct parent_without_edge {
  const Index* levels;
  Index* parents;

  EF_HD void operator()(Index v) const {
    if (levels[v] <= 0) parents[v] = levels[v] == 0 ? v : -1;
  }
};

}  // namespace detail

/// parents[v] = the smallest u with an edge to v and levels[u] = levels[v] - 1; v itself where its
/// level is 0; -1 where it has none.
///
/// - `levels`: the levels of a breadth-first search in `g`.
/// - `parents`: one number per vertex. Both lie in the context's memory.
///
/// A balanced reduction over the edges into each vertex, whatever the degrees. Work O(vertices +
/// edges), however many levels there are; span and scratch of lbs_segreduce. Deterministic,
/// whichever edge reached a vertex first. Does not wait.
template <context Context, class Value, std::integral Index, std::integral Offset>
void bfs_parents(Context& ctx, const graph_view<Value, Index, Offset>& g, const Index* levels,
                 Index* parents) {
  lbs_segreduce(ctx, g.num_edges(), detail::parent_of_edge<Index>{g.in.columns, levels},
                g.in.row_offsets, g.num_vertices(), make_tuple(levels), parents, minimum{},
                detail::largest_number<Index>);
  transform(ctx, g.num_vertices(), detail::parent_without_edge<Index>{levels, parents});
}

}  // namespace evenfold
