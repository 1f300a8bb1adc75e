#pragma once
// bfs_frontier: breadth-first search by steps of `advance`.

#include <concepts>

#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// Whether a vertex has no level. To ask is cheaper than to claim the vertex, and most edges lead
/// to vertices with a level.
template <std::integral Index>
struct has_no_level {
  Index* levels;

  EF_HD bool operator()(Index v) const {
    return atomic_ref<Index>(levels[v]).load(memory_order_relaxed) < 0;
  }
};

/// Whether this call is the one that gives the vertex that an edge leads to a level.
template <std::integral Index>
struct claim_end {
  Index* levels;
  Index level;

  EF_HD bool operator()(Index, Index v) const {
    Index none = -1;
    return atomic_ref<Index>(levels[v]).compare_exchange_strong(none, level, memory_order_relaxed);
  }
};

}  // namespace detail

/// levels[v] = the number of edges of a shortest path from a source to v; -1 where there is no
/// path.
///
/// An edge creates the vertex that it leads to in the next frontier if it is the first to set the
/// level of this vertex, by a compare-and-swap. Top down, only the frontier and its edges are read;
/// bottom up, edges to vertices without a level.
///
/// - `sources`: `num_sources` different vertices in the context's memory, all below num_vertices().
/// - `levels`: one number per vertex, in the context's memory.
///
/// Work O(vertices + edges), span O(levels * log vertices) plus the shares of the workers. Scratch:
/// two Index, one Offset and two bits per vertex, one Index per edge of the frontier. The levels
/// are deterministic. Waits up to five times per level.
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
    const auto [edges, direction] =
        advance(ctx, g, vertices, detail::claim_end<Index>{levels, level},
                detail::has_no_level<Index>{levels});
    log.end_level(edges, direction);
  }
  return log.summary();
}

}  // namespace evenfold
