#pragma once
// bfs_bitmap: breadth-first search by dynamic work creation with one bit a vertex; the vertices
// come out in the order of their levels.

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

/// levels[v] = the fewest arcs on a way from a source to v; -1 where there is no way. order[0],
/// order[1], ... = the vertices that are reached, ordered by level.
///
/// As bfs_frontier, but the first arc to set the visited bit of its end claims it. 32 vertices
/// share a word, so what is looked up at random takes an eighth of a byte a vertex and stays in a
/// near cache. Frontiers follow each other in `order`.
///
/// - `sources`: `num_sources` different vertices in the context's memory, all below num_vertices().
/// - `levels`, `order`: one number a vertex, in the context's memory.
///
/// Work and span as for bfs_frontier. Scratch: one bit and one Offset a vertex, one Index an arc of
/// the frontier. The levels are deterministic; within a level, vertices come in any order. Waits,
/// twice a level.
template <context Context, class Value, std::integral Index, std::integral Offset>
static bfs_traversed bfs_bitmap(Context& ctx, const graph_view<Value, Index, Offset>& g,
                                const Index* sources, Index num_sources, Index* levels,
                                Index* order, bool with_table) {
  using word = std::uint32_t;
  const Index num_words = ceil_div(g.num_vertices(), 32);
  array<word> visited(ctx, num_words);
  array<Offset> offsets(ctx, g.num_vertices());
  word* const bits = visited.data();
  const Offset* const rows = g.out.row_offsets;
  const Index* const ends = g.out.columns;
  begin_levels(ctx, g.num_vertices(), sources, num_sources, levels);
  transform(
      ctx, num_words, EF_LAMBDA(Index w) { bits[w] = 0; });
  transform(
      ctx, num_sources, EF_LAMBDA(Index s) {
        const Index v = sources[s];
        order[s] = v;
        atomic_ref<word>(bits[v / 32]).fetch_or(word{1} << v % 32, memory_order_relaxed);
      });

  bfs_log log(with_table);
  Index* frontier = order;
  Index size = num_sources;
  for (Index level = 0; size > 0; ++level) {
    const Offset arcs = segments_of_arcs(ctx, g.out, frontier, size, offsets.data());
    log.add_level(size, arcs);
    Index* const next = frontier + size;
    if (next == order + g.num_vertices()) break;  // all are reached
    size = static_cast<Index>(lbs_workcreate(
        ctx, arcs,
        EF_LAMBDA(Offset, Index, Offset rank, const tuple<Index>& cached)->optional<Index> {
          const Index v = ends[rows[get<0>(cached)] + rank];
          const word bit = word{1} << v % 32;
          const atomic_ref<word> seen(bits[v / 32]);
          if ((seen.load(memory_order_relaxed) & bit) != 0) return nullopt;
          if ((seen.fetch_or(bit, memory_order_relaxed) & bit) != 0) return nullopt;
          levels[v] = level + 1;
          return v;
        },
        offsets.data(), size, make_tuple(frontier), next));
    frontier = next;
  }
  return log.end();
}

}  // namespace evenfold
