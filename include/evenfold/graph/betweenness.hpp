#pragma once
// betweenness: how many shortest paths lead through each vertex.
//
// Idea: a breadth-first search from a source orders the vertices by level. Level by level, each
// vertex pulls the numbers of shortest paths of the vertices before it; then, from the last level
// back to the first, the dependencies of the vertices after it. Both are folds over the edges of
// each vertex, in a fixed order, so that no two workers add to the same number. The value that a
// vertex contributes is 0 until its level has been computed, so that the folds need not compare
// levels.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/graph/betweenness_options.hpp"
#include "evenfold/graph/betweenness_parts.hpp"
#include "evenfold/graph/check_graph.hpp"

namespace evenfold {

/// scores[v] = the sum over all s != v of the dependency of source s on v: the sum, over all t
/// other than s and v, of the share of shortest paths from s to t that lead through v.
///
/// - `sources`: vertices on the host; repetitions are ignored.
/// - `scores`: one number per vertex, in the context's memory.
///
/// Otherwise as `betweenness`, which adds factors.
template <context Context, class Value, std::integral Index, std::integral Offset>
void sum_dependencies(Context& ctx, const graph_view<Value, Index, Offset>& g,
                      const std::vector<std::type_identity_t<Index>>& sources, double* scores) {
  detail::check_graph(ctx, "sum_dependencies", g);
  const Index n = g.num_vertices();
  detail::check_pointer(ctx, "sum_dependencies", "scores", scores, n);
  fill(ctx, scores, n, 0.);
  array<double> paths(ctx, n);
  array<double> pulls(ctx, n);
  array<double> sums(ctx, n);
  for (const Index source : detail::distinct_sources("sum_dependencies", sources, n)) {
    const detail::vertices_by_level<Index> by_level(ctx, g, source);
    const Index depth = by_level.depth();
    if (depth < 2) continue;  // no path leads through another vertex
    fill(ctx, paths.data(), n, 0.);
    fill(ctx, paths.data() + source, 1, 1.);
    const detail::edges_by_level<Index, Offset> in(ctx, g.in.structure(), by_level);
    for (Index level = 1; level <= depth; ++level) {
      in.fold(ctx, level, paths.data(), sums.data());
      scatter(ctx, sums.data(), by_level.vertices(level), by_level.size(level), paths.data());
    }
    detail::check_path_counts(ctx, paths.data(), n, source);

    fill(ctx, pulls.data(), n, 0.);
    fill(ctx, sums.data(), by_level.size(depth), 0.);
    const detail::edges_by_level<Index, Offset> out(ctx, g.out.structure(), by_level);
    for (Index level = depth; level > 0; --level) {
      if (level < depth) out.fold(ctx, level, pulls.data(), sums.data());
      transform(ctx, by_level.size(level),
                detail::add_dependency<Index>{by_level.vertices(level), sums.data(), paths.data(),
                                              pulls.data(), scores});
    }
  }
}

namespace detail {

/// `samples` different numbers below n in ascending order, by Floyd's algorithm; all where there
/// are not more.
template <std::integral Index>
std::vector<Index> sample_sources(Index n, std::int64_t samples, std::uint64_t seed) {
  std::vector<Index> sources;
  if (samples == 0 || samples >= static_cast<std::int64_t>(n)) {
    sources.resize(static_cast<std::size_t>(n));
    std::iota(sources.begin(), sources.end(), Index{0});
    return sources;
  }
  const random_stream random(seed);
  std::unordered_set<Index> drawn;
  for (Index last = static_cast<Index>(n - samples); last < n; ++last) {
    const auto v = static_cast<Index>(
        random.below(static_cast<std::uint64_t>(last), static_cast<std::uint64_t>(last) + 1));
    drawn.insert(drawn.contains(v) ? last : v);
  }
  sources.assign(drawn.begin(), drawn.end());
  std::sort(sources.begin(), sources.end());
  return sources;
}

/// The factor by which the sums of dependencies are multiplied.
template <class Value, std::integral Index, std::integral Offset>
double betweenness_factor(const graph_view<Value, Index, Offset>& g, std::size_t sources,
                          const betweenness_options& options) {
  const auto n = static_cast<double>(g.num_vertices());
  if (sources == 0 || (options.normalized && n < 3)) return 0;
  if (options.normalized) return n / static_cast<double>(sources) / ((n - 1) * (n - 2));
  return n / static_cast<double>(sources) * (g.is_undirected() ? 0.5 : 1.);
}

}  // namespace detail

/// The betweenness centrality of every vertex v: the sum, over all ordered pairs (s, t) of other
/// vertices, of the share of the shortest paths from s to t that lead through v. In an undirected
/// graph each pair counts once, not in both orders.
///
/// Shortest paths are those with the fewest edges; weights are ignored. Self-loops are on none of
/// them. Repeated edges make different paths: drop them first (duplicates::first in `to_csr`).
///
/// With `samples`, only paths from that many sources are counted, and the scores are multiplied by
/// vertices / samples: their expectation is the exact betweenness. With `normalized`, scores are
/// divided by the number of pairs, (n - 1) (n - 2), or half of it in an undirected graph.
///
/// Per source: work O(vertices + edges), span O(levels * log vertices) plus the shares of the
/// workers; a direction-optimizing BFS and, for each level, two balanced folds over the edges of
/// its vertices. Scratch: three double, two Index and two Offset per vertex, and that of `bfs`.
/// Deterministic: the sums of a vertex have the order of its edges, and sources are added in
/// ascending order. Waits for each source.
///
/// Errors: argument_error for a graph that is not square, negative samples, and for pointers on the
/// wrong side; overflow_error where there are more than 1.8e308 shortest paths between two
/// vertices; allocation_error.
///
/// Example: examples/betweenness.cpp.
/// Source: Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical
/// Sociology 25, 2001; Brandes and Pich, "Centrality estimation in large networks", 2007 (samples).
/// Names elsewhere: networkx.betweenness_centrality (with `k` for samples), igraph_betweenness, GAP
/// bc, cugraph.betweenness_centrality, LAGr_Betweenness.
template <context Context, class Value, std::integral Index, std::integral Offset>
array<double> betweenness(Context& ctx, const graph_view<Value, Index, Offset>& g,
                          const betweenness_options& options = {}) {
  detail::check_graph(ctx, "betweenness", g);
  detail::check_count("betweenness", "samples", options.samples);
  const Index n = g.num_vertices();
  const std::vector<Index> sources = detail::sample_sources(n, options.samples, options.seed);
  array<double> scores(ctx, n);
  sum_dependencies(ctx, g, sources, scores.data());
  transform(ctx, scores.data(), n, scores.data(),
            detail::times_factor{detail::betweenness_factor(g, sources.size(), options)});
  return scores;
}

}  // namespace evenfold
