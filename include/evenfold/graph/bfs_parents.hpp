#pragma once
// bfs_parents: a tree of shortest ways, from the levels of a breadth-first search.

#include <concepts>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

/// parents[v] = the smallest u with an arc to v and levels[u] = levels[v] - 1; v itself where its
/// level is 0; -1 where it has none.
///
/// - `levels`: those of a breadth-first search in `g`.
/// - `parents`: one number a vertex. Both in the context's memory.
///
/// A balanced fold of the arcs into each vertex, whatever the degrees. Work O(vertices + arcs), no
/// matter how many levels; span and scratch of lbs_segreduce. Deterministic: who found a vertex
/// first makes no difference. Does not wait.
template <context Context, class Value, std::integral Index, std::integral Offset>
static void bfs_parents(Context& ctx, const graph_view<Value, Index, Offset>& g,
                        const Index* levels, Index* parents) {
  constexpr Index none = largest_number<Index>;
  const Index* const begins = g.in.columns;
  lbs_segreduce(
      ctx, g.num_arcs(),
      EF_LAMBDA(Offset k, Index, Offset, const tuple<Index>& cached) {
        const Index u = begins[k];
        return levels[u] >= 0 && levels[u] + 1 == get<0>(cached) ? u : none;
      },
      g.in.row_offsets, g.num_vertices(), make_tuple(levels), parents, minimum{}, none);
  transform(
      ctx, g.num_vertices(), EF_LAMBDA(Index v) {
        if (levels[v] <= 0) parents[v] = levels[v] == 0 ? v : -1;
      });
}

}  // namespace evenfold
