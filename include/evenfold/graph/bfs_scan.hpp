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

/// levels[v] = the fewest arcs on a way from a source to v; -1 where there is no way.
///
/// The frontier of a level is compacted out of all vertices; its vertices are segments of arcs, and
/// `transform_lbs` calls a function for each arc, evenly whatever the degrees. Ends of arcs that
/// have no level get the next one; that several arcs end there does no harm, as all write the same.
///
/// - `sources`: `num_sources` vertices in the context's memory, all below num_vertices().
/// - `levels`: one number a vertex, in the context's memory.
///
/// Work O(levels * vertices + arcs), span O(levels * log vertices) and the shares of the workers.
/// Scratch: one Index and one Offset a vertex. Deterministic. Waits, twice a level.
template <context Context, class Value, std::integral Index, std::integral Offset>
static bfs_traversed bfs_scan(Context& ctx, const graph_view<Value, Index, Offset>& g,
                              const Index* sources, Index num_sources, Index* levels,
                              bool with_table) {
  array<Index> frontier(ctx, g.num_vertices());
  array<Offset> offsets(ctx, g.num_vertices());
  const Offset* const rows = g.out.row_offsets;
  const Index* const ends = g.out.columns;
  begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);

  bfs_log log(with_table);
  for (Index level = 0;; ++level) {
    const Index size = compact_indices(
        ctx, g.num_vertices(), EF_LAMBDA(Index v) { return levels[v] == level; }, frontier.data());
    if (size == 0) return log.end();
    const Offset arcs = segments_of_arcs(ctx, g.out, frontier.data(), size, offsets.data());
    log.add_level(size, arcs);
    transform_lbs(
        ctx, arcs,
        EF_LAMBDA(Offset, Index, Offset rank, const tuple<Index>& cached) {
          const Index u = get<0>(cached);
          const Index v = ends[rows[u] + rank];
          const atomic_ref<Index> level_of_v(levels[v]);
          if (level_of_v.load(memory_order_relaxed) < 0) {
            level_of_v.store(level + 1, memory_order_relaxed);
          }
        },
        offsets.data(), size, make_tuple(frontier.data()));
  }
}

}  // namespace evenfold
