#pragma once
// bfs: breadth-first search by one of four methods.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/bfs_direction.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/graph/bfs_bitmap.hpp"
#include "evenfold/graph/bfs_frontier.hpp"
#include "evenfold/graph/bfs_options.hpp"
#include "evenfold/graph/bfs_parents.hpp"
#include "evenfold/graph/bfs_scan.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

/// The result of `bfs`. The arrays lie in the memory of the context.
template <class Index>
struct bfs_result {
  /// Per vertex, the number of edges of a shortest path from a source; -1 where there is no path.
  array<Index> levels;
  /// Per vertex, the vertex before it on such a path, the smallest if there are several. A source
  /// is its own parent; the parent of a vertex without a level is -1. Empty unless asked for.
  array<Index> parents;
  /// The `reached` vertices, ordered by level. Empty unless the method is `bitmap`.
  array<Index> order;
  /// The number of vertices that have a level, sources included.
  std::int64_t reached = 0;
  /// The largest level; 0 where there is no source.
  std::int64_t depth = 0;
  /// Levels 0 to `depth`. Empty unless asked for.
  std::vector<bfs_level> table;
};

/// The hop distance of every vertex from the nearest of `sources`.
///
/// - `g`: a graph in the context's memory. Self-loops and repeated edges change nothing; weights
///   are ignored. `in` is read by the methods `direction` and `frontier`, and for parents.
/// - `sources`: vertices, numbered from 0, on the host; repetitions are allowed. Without sources no
///   vertex is reached.
///
/// Work O(vertices + edges), plus O(vertices) per level for `scan`; span O(depth * log vertices)
/// plus the shares of the workers. Scratch: that of the method. Levels and parents are the same for
/// every method, context and number of threads. Waits.
///
/// Errors: argument_error for a source that is not a vertex, for a graph that is not square, and
/// for pointers on the wrong side; allocation_error.
///
/// Example: examples/bfs.cpp.
/// Source: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012;
/// Baxter, "moderngpu 2.0", 2016 (dynamic work creation). Names elsewhere: cugraph.bfs, Gunrock
/// bfs, GAP bfs, LAGr_BreadthFirstSearch, scipy.sparse.csgraph.breadth_first_order,
/// networkx.single_source_shortest_path_length.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_result<Index> bfs(Context& ctx, const graph_view<Value, Index, Offset>& g,
                      const std::vector<std::type_identity_t<Index>>& sources,
                      const bfs_options& options = {}) {
  const Index n = g.num_vertices();
  detail::check_graph(ctx, "bfs", g);
  const array<Index> begin = to_context(ctx, detail::distinct_sources("bfs", sources, n));
  const auto num_sources = static_cast<Index>(begin.size());

  bfs_result<Index> result;
  result.levels = array<Index>(ctx, n);
  Index* const levels = result.levels.data();
  bfs_summary done;
  switch (options.method) {
    case bfs_method::scan:
      done = bfs_scan(ctx, g, begin.data(), num_sources, levels, options.levels);
      break;
    case bfs_method::frontier:
      done = bfs_frontier(ctx, g, begin.data(), num_sources, levels, options.levels);
      break;
    case bfs_method::bitmap:
      result.order = array<Index>(ctx, n);
      done = bfs_bitmap(ctx, g, begin.data(), num_sources, levels, result.order.data(),
                        options.levels);
      break;
    case bfs_method::automatic:
    case bfs_method::direction:
      done = bfs_direction(ctx, g, begin.data(), num_sources, levels, options.levels);
      break;
  }
  result.reached = done.reached;
  result.depth = done.depth;
  result.table = std::move(done.table);
  if (options.parents) {
    result.parents = array<Index>(ctx, n);
    bfs_parents(ctx, g, levels, result.parents.data());
  }
  return result;
}

}  // namespace evenfold
