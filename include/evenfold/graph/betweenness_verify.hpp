#pragma once
// betweenness_verify: whether the sum of betweenness scores is right.

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/betweenness.hpp"
#include "evenfold/graph/betweenness_options.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/check_graph.hpp"

namespace evenfold {

/// Compares the sum of the scores that `betweenness` has found with the same options with the sum
/// that follows from the distances. A shortest path of h hops leads through h - 1 vertices, so that
/// the scores of one source sum to that of h - 1 over all vertices that it reaches.
///
/// - `scores`: one number per vertex, in the context's memory.
///
/// One `bfs` per source, and one reduction. Waits. Errors: those of `betweenness`.
template <context Context, class Value, std::integral Index, std::integral Offset>
betweenness_report betweenness_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                                      const double* scores,
                                      const betweenness_options& options = {}) {
  detail::check_graph(ctx, "betweenness_verify", g);
  const Index n = g.num_vertices();
  detail::check_pointer(ctx, "betweenness_verify", "scores", scores, n);
  const auto sources = detail::sample_sources(n, options.samples, options.seed);
  double inner = 0;
  for (const Index source : sources) {
    const bfs_result<Index> found = bfs(ctx, g, {source}, {.levels = true});
    for (std::size_t level = 2; level < found.table.size(); ++level) {
      inner += static_cast<double>(level - 1) * static_cast<double>(found.table[level].vertices);
    }
  }
  return {reduce(ctx, scores, n, plus{}, 0.),
          inner * detail::betweenness_factor(g, sources.size(), options)};
}

}  // namespace evenfold
