#pragma once
// bfs_frontier: breadth-first search by dynamic work creation.

#include <concepts>

#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// Whether this call is the one that gives the vertex that an edge leads to a level.
template <std::integral Index>
struct claim_end {
  Index* levels;
  Index level;

  template <std::integral Offset>
  EF_HD bool operator()(Offset, Index, Index v) const {
    const atomic_ref<Index> level_of_v(levels[v]);
    // A load is cheaper than the compare-and-swap, and most edges lead to vertices with a level.
    if (level_of_v.load(memory_order_relaxed) >= 0) return false;
    Index none = -1;
    return level_of_v.compare_exchange_strong(none, level, memory_order_relaxed);
  }
};

}  // namespace detail

/// levels[v] = the number of edges of a shortest path from a source to v; -1 where there is no
/// path.
///
/// Each edge of the frontier is a work item. It creates the vertex that it leads to in the next
/// frontier if it is the first to set the level of this vertex, by a compare-and-swap. Only the
/// frontier and its edges are read.
///
/// - `sources`: `num_sources` different vertices in the context's memory, all below num_vertices().
/// - `levels`: one number per vertex, in the context's memory.
///
/// Work O(vertices + edges), span O(levels * log vertices) plus the shares of the workers. Scratch:
/// two Index and one Offset per vertex, one Index per edge of the frontier. The levels are
/// deterministic. Waits twice per level.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_summary bfs_frontier(Context& ctx, const graph_view<Value, Index, Offset>& g,
                         const Index* sources, Index num_sources, Index* levels, bool with_table) {
  frontier<Index, Offset> vertices(ctx, g);
  vertices.assign([&](Index* to, Index*) {
    copy(ctx, sources, num_sources, to);
    return num_sources;
  });
  detail::begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);

  detail::bfs_log log(with_table);
  for (Index level = 1; !vertices.empty(); ++level) {
    log.begin_level(vertices.size());
    log.end_level(advance(ctx, g, vertices, detail::claim_end<Index>{levels, level}));
  }
  return log.summary();
}

}  // namespace evenfold
