#pragma once
// bfs_bitmap: breadth-first search by dynamic work creation with one bit per vertex. It also
// orders the vertices by level.

#include <concepts>
#include <cstdint>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// Visits the sources, which come first in the order.
template <std::integral Index>
struct visit_source {
  const Index* sources;
  vertex_bitmap<Index> visited;
  Index* order;

  EF_HD void operator()(Index s) const {
    order[s] = sources[s];
    visited.set(sources[s]);
  }
};

/// Whether the vertex that an edge leads to was not visited before; it then gets a level.
template <std::integral Index>
struct visit_end {
  vertex_bitmap<Index> visited;
  Index* levels;
  Index level;

  template <std::integral Offset>
  EF_HD bool operator()(Offset, Index, Index v) const {
    if (!visited.set(v)) return false;
    levels[v] = level;
    return true;
  }
};

}  // namespace detail

/// levels[v] = the number of edges of a shortest path from a source to v; -1 where there is no
/// path. order[0], order[1], ... = the reached vertices, ordered by level.
///
/// As bfs_frontier top down, but a vertex joins the next frontier through the edge that first sets
/// its bit in a bitmap. Random accesses then touch an eighth of a byte per vertex, which stays in a
/// near cache. Consecutive frontiers are consecutive parts of `order`.
///
/// - `sources`: `num_sources` different vertices in the context's memory, all below num_vertices().
/// - `levels`, `order`: one number per vertex, in the context's memory.
///
/// Work and span as for bfs_frontier. Scratch: one bit and one Offset per vertex, one Index per
/// edge of the frontier. The levels are deterministic; the order within a level is not. Waits twice
/// per level.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_summary bfs_bitmap(Context& ctx, const graph_view<Value, Index, Offset>& g,
                       const Index* sources, Index num_sources, Index* levels, Index* order,
                       bool with_table) {
  array<std::uint32_t> bits = detail::empty_bitmap(ctx, g.num_vertices());
  array<Offset> offsets(ctx, g.num_vertices());
  const detail::vertex_bitmap<Index> visited{bits.data()};
  detail::begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);
  transform(ctx, num_sources, detail::visit_source<Index>{sources, visited, order});

  detail::bfs_log log(with_table);
  Index* vertices = order;
  Index size = num_sources;
  for (Index level = 1; size > 0; ++level) {
    log.begin_level(size);
    const Offset edges = detail::segments_of_edges(ctx, g.out, vertices, size, offsets.data());
    Index* const next = vertices + size;
    const bool all_reached = next == order + g.num_vertices();
    size = all_reached ? 0
                       : detail::advance_along(ctx, g.out, vertices, size, offsets.data(), edges,
                                               detail::visit_end<Index>{visited, levels, level},
                                               tuple<>{}, next);
    log.end_level(edges);
    vertices = next;
  }
  return log.summary();
}

}  // namespace evenfold
