#pragma once
// bfs_scan: breadth-first search by looking over all vertices once a level; the one to begin with.

#include <concepts>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

template <std::integral Index>
struct is_in_level {
  const Index* levels;
  Index level;

  EF_HD bool operator()(Index v) const { return levels[v] == level; }
};

/// Gives the vertex that an edge leads to its level, if it has none.
template <std::integral Index, std::integral Offset>
struct reach_end {
  frontier_edges<Index, Offset> edges;
  Index* levels;
  Index level;

  EF_HD void operator()(Offset, Index, Offset rank, const tuple<Index>& from) const {
    const atomic_ref<Index> level_of_end(levels[edges.end(get<0>(from), rank)]);
    if (level_of_end.load(memory_order_relaxed) < 0) {
      level_of_end.store(level, memory_order_relaxed);
    }
  }
};

/// levels[v] = the fewest edges on a way from a source to v; -1 where there is no way.
///
/// The frontier of a level is compacted out of all vertices; its vertices are segments of edges,
/// and `transform_lbs` calls a function for each edge, evenly whatever the degrees. Ends of edges
/// that have no level get the next one; that several edges end there does no harm, as all write the
/// same.
///
/// - `sources`: `num_sources` vertices in the context's memory, all below num_vertices().
/// - `levels`: one number a vertex, in the context's memory.
///
/// Work O(levels * vertices + edges), span O(levels * log vertices) and the shares of the workers.
/// Scratch: one Index and one Offset a vertex. Deterministic. Waits, twice a level.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_traversed bfs_scan(Context& ctx, const graph_view<Value, Index, Offset>& g,
                       const Index* sources, Index num_sources, Index* levels, bool with_table) {
  array<Index> frontier(ctx, g.num_vertices());
  array<Offset> offsets(ctx, g.num_vertices());
  begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);

  bfs_log log(with_table);
  for (Index level = 0;; ++level) {
    const Index size =
        compact_indices(ctx, g.num_vertices(), is_in_level<Index>{levels, level}, frontier.data());
    if (size == 0) return log.end();
    const Offset edges = segments_of_edges(ctx, g.out, frontier.data(), size, offsets.data());
    log.add_level(size, edges);
    const reach_end<Index, Offset> reach{
        {g.out.row_offsets, g.out.columns}, levels, static_cast<Index>(level + 1)};
    transform_lbs(ctx, edges, reach, offsets.data(), size, make_tuple(frontier.data()));
  }
}

}  // namespace evenfold
