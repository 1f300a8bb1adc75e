#pragma once
// bfs_frontier: breadth-first search by dynamic work creation. Vertices create vertices.

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

/// The vertex that an edge leads to, if it had no level and this call has given it one.
template <std::integral Index, std::integral Offset>
struct claim_end {
  frontier_edges<Index, Offset> edges;
  Index* levels;
  Index level;

  EF_HD optional<Index> operator()(Offset, Index, Offset rank, const tuple<Index>& from) const {
    const Index v = edges.end(get<0>(from), rank);
    const atomic_ref<Index> level_of_v(levels[v]);
    // A look is cheaper than the swap, and most edges lead back.
    if (level_of_v.load(memory_order_relaxed) >= 0) return nullopt;
    Index none = -1;
    if (!level_of_v.compare_exchange_strong(none, level, memory_order_relaxed)) return nullopt;
    return v;
  }
};

/// levels[v] = the fewest edges on a way from a source to v; -1 where there is no way.
///
/// A vertex of the frontier is a work item that may create as many as it has edges: the end of an
/// edge is in the next frontier if this edge is the first to claim it, by a compare-and-swap of its
/// level. Only the frontier and its edges are looked at.
///
/// - `sources`: `num_sources` different vertices in the context's memory, all below num_vertices().
/// - `levels`: one number a vertex, in the context's memory.
///
/// Work O(vertices + edges), span O(levels * log vertices) and the shares of the workers. Scratch:
/// two Index and one Offset a vertex, one Index an edge of the frontier. The levels are
/// deterministic. Waits, twice a level.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_traversed bfs_frontier(Context& ctx, const graph_view<Value, Index, Offset>& g,
                           const Index* sources, Index num_sources, Index* levels,
                           bool with_table) {
  array<Index> frontier(ctx, g.num_vertices());
  array<Index> next(ctx, g.num_vertices());
  array<Offset> offsets(ctx, g.num_vertices());
  begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);
  copy(ctx, sources, num_sources, frontier.data());

  bfs_log log(with_table);
  Index size = num_sources;
  for (Index level = 0; size > 0; ++level) {
    const Offset edges = segments_of_edges(ctx, g.out, frontier.data(), size, offsets.data());
    log.add_level(size, edges);
    const claim_end<Index, Offset> claim{
        {g.out.row_offsets, g.out.columns}, levels, static_cast<Index>(level + 1)};
    size = static_cast<Index>(lbs_workcreate(ctx, edges, claim, offsets.data(), size,
                                             make_tuple(frontier.data()), next.data()));
    std::swap(frontier, next);
  }
  return log.end();
}

}  // namespace evenfold
