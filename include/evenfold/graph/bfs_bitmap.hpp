#pragma once
// bfs_bitmap: breadth-first search by dynamic work creation with one bit per vertex. It also
// orders the vertices by level.

#include <concepts>
#include <cstdint>

#include "evenfold/algorithm/lbs_workcreate.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// The bitmap of visited vertices.
template <std::integral Index>
struct bfs_visited {
  std::uint32_t* bits;

  /// Marks a vertex as visited, and returns whether it was not visited before.
  EF_HD bool visit(Index v) const {
    const std::uint32_t bit = std::uint32_t{1} << v % 32;
    const atomic_ref<std::uint32_t> word(bits[v / 32]);
    // A load is cheaper than the atomic operation, and most edges lead to visited vertices.
    if ((word.load(memory_order_relaxed) & bit) != 0) return false;
    return (word.fetch_or(bit, memory_order_relaxed) & bit) == 0;
  }
};

/// Visits the sources, which come first in the order.
template <std::integral Index>
struct visit_source {
  const Index* sources;
  bfs_visited<Index> visited;
  Index* order;

  EF_HD void operator()(Index s) const {
    order[s] = sources[s];
    visited.visit(sources[s]);
  }
};

/// The vertex that an edge leads to, if it was not visited before.
template <std::integral Index, std::integral Offset>
struct visit_end {
  frontier_edges<Index, Offset> edges;
  bfs_visited<Index> visited;
  Index* levels;
  Index level;

  EF_HD optional<Index> operator()(Offset, Index, Offset rank, const tuple<Index>& from) const {
    const Index v = edges.end(get<0>(from), rank);
    if (!visited.visit(v)) return nullopt;
    levels[v] = level;
    return v;
  }
};

}  // namespace detail

/// levels[v] = the number of edges of a shortest path from a source to v; -1 where there is no
/// path. order[0], order[1], ... = the reached vertices, ordered by level.
///
/// As bfs_frontier, but a vertex joins the next frontier through the edge that first sets its bit
/// in a bitmap. Random accesses then touch an eighth of a byte per vertex, which stays in a near
/// cache. Consecutive frontiers are consecutive parts of `order`.
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
  const Index num_words = detail::ceil_div(g.num_vertices(), 32);
  array<std::uint32_t> bits(ctx, num_words);
  array<Offset> offsets(ctx, g.num_vertices());
  const detail::bfs_visited<Index> visited{bits.data()};
  detail::begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);
  transform(ctx, num_words, write_result{constant<std::uint32_t>{0}, bits.data()});
  transform(ctx, num_sources, detail::visit_source<Index>{sources, visited, order});

  detail::bfs_log log(with_table);
  Index* frontier = order;
  Index size = num_sources;
  for (Index level = 0; size > 0; ++level) {
    const Offset edges = detail::segments_of_edges(ctx, g.out, frontier, size, offsets.data());
    log.add_level(size, edges);
    Index* const next = frontier + size;
    if (next == order + g.num_vertices()) break;  // all vertices are reached
    const detail::visit_end<Index, Offset> visit{
        {g.out.row_offsets, g.out.columns}, visited, levels, static_cast<Index>(level + 1)};
    size = static_cast<Index>(
        lbs_workcreate(ctx, edges, visit, offsets.data(), size, make_tuple(frontier), next));
    frontier = next;
  }
  return log.end();
}

}  // namespace evenfold
