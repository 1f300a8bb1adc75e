#pragma once
// bfs_direction, serially: a queue.

#include <algorithm>
#include <chrono>
#include <concepts>
#include <vector>

#include "evenfold/algorithm/bfs_traversed.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold::backend {

template <class Tuning, context Context, class Value, std::integral Index, std::integral Offset>
bfs_traversed bfs_direction(Context&, graph_view<Value, Index, Offset> g, const Index* sources,
                            Index num_sources, Index* levels, bool with_table) {
  using clock = std::chrono::steady_clock;
  std::fill_n(levels, g.num_vertices(), Index{-1});
  bfs_traversed result;
  std::vector<Index> frontier, next;
  const auto reach = [&](Index v, Index level) {
    if (levels[v] >= 0) return;
    levels[v] = level;
    next.push_back(v);
  };

  for (Index s = 0; s < num_sources; ++s) reach(sources[s], 0);
  for (Index level = 0; !next.empty(); ++level) {
    const auto begun = clock::now();
    frontier.swap(next);
    next.clear();
    std::int64_t edges = 0;
    for (const Index u : frontier) {
      edges += g.out_degree(u);
      for (Offset k = g.out.row_offsets[u]; k < g.out.row_offsets[u + 1]; ++k) {
        reach(g.out.columns[k], level + 1);
      }
    }
    result.reached += static_cast<std::int64_t>(frontier.size());
    result.depth = level;
    if (with_table) {
      const std::chrono::duration<double, std::milli> took = clock::now() - begun;
      result.table.push_back(
          {static_cast<std::int64_t>(frontier.size()), edges, traversal::top_down, took.count()});
    }
  }
  return result;
}

}  // namespace evenfold::backend
