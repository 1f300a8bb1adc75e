#pragma once
// bfs_direction, serially: a breadth-first search with a queue.

#include <algorithm>
#include <chrono>
#include <concepts>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bfs_summary.hpp"
#include "evenfold/core/graph_view.hpp"

namespace evenfold::backend {

template <class Tuning, class Value, std::integral Index, std::integral Offset>
bfs_summary bfs_direction(reference_context& ctx, graph_view<Value, Index, Offset> g,
                          const Index* sources, Index num_sources, Index* levels, bool with_table) {
  using clock = std::chrono::steady_clock;
  array<Index> queue(ctx, g.num_vertices());
  Index end = 0;
  std::fill_n(levels, g.num_vertices(), Index{-1});
  const auto reach = [&](Index v, Index level) {
    if (levels[v] >= 0) return;
    levels[v] = level;
    queue[static_cast<std::size_t>(end++)] = v;
  };

  bfs_summary result;
  for (Index s = 0; s < num_sources; ++s) reach(sources[s], 0);
  for (Index level = 0, begin = 0; begin < end; ++level) {
    const auto begun = clock::now();
    const Index level_begin = begin;
    std::int64_t edges = 0;
    for (const Index level_end = end; begin < level_end; ++begin) {
      const Index u = queue[static_cast<std::size_t>(begin)];
      edges += g.out_degree(u);
      for (Offset k = g.out.row_offsets[u]; k < g.out.row_offsets[u + 1]; ++k) {
        reach(g.out.columns[k], static_cast<Index>(level + 1));
      }
    }
    result.reached = begin;
    result.depth = level;
    if (with_table) {
      const std::chrono::duration<double, std::milli> took = clock::now() - begun;
      result.table.push_back({begin - level_begin, edges, traversal::top_down, took.count()});
    }
  }
  return result;
}

}  // namespace evenfold::backend
