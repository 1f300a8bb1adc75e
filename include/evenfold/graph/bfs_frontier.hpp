#pragma once
// bfs_frontier: breadth-first search by dynamic work creation.

#include <concepts>
#include <utility>

#include "evenfold/algorithm/lbs_workcreate.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// The vertex that an edge leads to, if this call was the one that gave it a level.
template <std::integral Index, std::integral Offset>
struct claim_end {
  frontier_edges<Index, Offset> edges;
  Index* levels;
  Index level;

  EF_HD optional<Index> operator()(Offset, Index, Offset rank, const tuple<Index>& from) const {
    const Index v = edges.end(get<0>(from), rank);
    const atomic_ref<Index> level_of_v(levels[v]);
    // A load is cheaper than the compare-and-swap, and most edges lead to vertices with a level.
    if (level_of_v.load(memory_order_relaxed) >= 0) return nullopt;
    Index none = -1;
    if (!level_of_v.compare_exchange_strong(none, level, memory_order_relaxed)) return nullopt;
    return v;
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
  array<Index> frontier(ctx, g.num_vertices());
  array<Index> next(ctx, g.num_vertices());
  array<Offset> offsets(ctx, g.num_vertices());
  detail::begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);
  copy(ctx, sources, num_sources, frontier.data());

  detail::bfs_log log(with_table);
  Index size = num_sources;
  for (Index level = 0; size > 0; ++level) {
    const Offset edges =
        detail::segments_of_edges(ctx, g.out, frontier.data(), size, offsets.data());
    log.add_level(size, edges);
    const detail::claim_end<Index, Offset> claim{
        {g.out.row_offsets, g.out.columns}, levels, static_cast<Index>(level + 1)};
    size = static_cast<Index>(lbs_workcreate(ctx, edges, claim, offsets.data(), size,
                                             make_tuple(frontier.data()), next.data()));
    std::swap(frontier, next);
  }
  return log.end();
}

}  // namespace evenfold
