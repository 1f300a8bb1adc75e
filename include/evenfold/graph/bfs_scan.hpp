#pragma once
// bfs_scan: breadth-first search that searches all vertices once per level. The simplest of the
// four methods.

#include <concepts>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// Whether a vertex has this level.
template <std::integral Index>
struct is_in_level {
  const Index* levels;
  Index level;

  EF_HD bool operator()(Index v) const { return levels[v] == level; }
};

/// Sets the level of the vertex that an edge leads to, if it has none.
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

}  // namespace detail

/// levels[v] = the number of edges of a shortest path from a source to v; -1 where there is no
/// path.
///
/// The frontier of a level is compacted out of all vertices. Its vertices are segments of edges,
/// and `transform_lbs` calls a function for each edge, balanced whatever the degrees. A vertex
/// without a level that an edge leads to gets the next level; if several edges lead to it, all
/// write the same number.
///
/// - `sources`: `num_sources` vertices in the context's memory, all below num_vertices().
/// - `levels`: one number per vertex, in the context's memory.
///
/// Work O(levels * vertices + edges), span O(levels * log vertices) plus the shares of the workers.
/// Scratch: one Index and one Offset per vertex. Deterministic. Waits twice per level.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_summary bfs_scan(Context& ctx, const graph_view<Value, Index, Offset>& g, const Index* sources,
                     Index num_sources, Index* levels, bool with_table) {
  array<Index> frontier(ctx, g.num_vertices());
  array<Offset> offsets(ctx, g.num_vertices());
  detail::begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);

  const auto compact_level = [&](Index level) {
    return compact_indices(ctx, g.num_vertices(), detail::is_in_level<Index>{levels, level},
                           frontier.data());
  };
  detail::bfs_log log(with_table);
  Index size = compact_level(0);
  for (Index level = 1; size > 0; ++level) {
    log.begin_level(size);
    const Offset edges =
        detail::segments_of_edges(ctx, g.out, frontier.data(), size, offsets.data());
    const detail::reach_end<Index, Offset> reach{{g.out.row_offsets, g.out.columns}, levels, level};
    transform_lbs(ctx, edges, reach, offsets.data(), size, make_tuple(frontier.data()));
    size = compact_level(level);
    log.end_level(edges);
  }
  return log.summary();
}

}  // namespace evenfold
