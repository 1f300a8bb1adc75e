#pragma once
// bfs_direction: direction-optimizing breadth-first search, which gives hop distances.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/reference/bfs_direction.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/bfs_summary.hpp"
#include "evenfold/core/graph_view.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/bfs_direction.cuh"
#else
#include "evenfold/backend/cpu/bfs_direction.hpp"
#endif

namespace evenfold {

/// levels[v] = the number of edges of a shortest path from a source to v; -1 if there is no path.
///
/// - `g`: any number of edges per vertex; loops and repeated edges change nothing.
/// - `sources`: `num_sources` vertices in the context's memory, not checked; one may occur twice.
/// - `levels`: one number per vertex, in the context's memory.
/// - `with_table`: whether the result has a table of the levels.
///
/// A step top down follows the edges from the frontier, in equal shares whatever the degrees. Where
/// most of these edges would lead to vertices that have a level already, a step goes bottom up: it
/// searches the edges to each vertex without a level until one of them comes from the frontier.
///
/// Work O(vertices + edges) top down; a step bottom up reads at most the edges to the vertices
/// without a level, and few of them if the frontier is large. Span O(levels (1 + log vertices)) and
/// the share of each worker. Memory traffic: at least the levels and, for each vertex that is
/// reached, two offsets and one edge. Scratch on a GPU: two Offset, one Index and two bits per
/// vertex, 1 MiB more with a table; on the CPU: one Offset, one Index and three bits per vertex.
/// Deterministic except for the times; the directions may differ between backends. Waits.
///
/// Errors: argument_error for a negative number of sources, for pointers on the wrong side and, on
/// a GPU, if the numbers of edges and of vertices have more than 64 bits together;
/// allocation_error, with `levels` untouched.
///
/// Example: examples/bfs_direction.cpp. `bfs` calls this function and makes the arrays.
/// Source: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012.
/// Names elsewhere: cugraph.bfs, gunrock bfs, LAGraph_BreadthFirstSearch, GAP bfs,
/// scipy.sparse.csgraph.breadth_first_order, networkx.single_source_shortest_path_length.
template <class Tuning = default_tuning, context Context, class Value, std::integral Index,
          std::integral Offset>
bfs_summary bfs_direction(Context& ctx, graph_view<Value, Index, Offset> g,
                          const std::type_identity_t<Index>* sources,
                          std::type_identity_t<Index> num_sources,
                          std::type_identity_t<Index>* levels, bool with_table = false) {
  static_assert(std::is_signed_v<Index>, "-1 is the level of a vertex that is not reached");
  detail::check_count("bfs_direction", "num_sources", num_sources);
  detail::check_pointer(ctx, "bfs_direction", "out.row_offsets", g.out.row_offsets,
                        g.num_vertices());
  detail::check_pointer(ctx, "bfs_direction", "out.columns", g.out.columns, g.num_edges());
  detail::check_pointer(ctx, "bfs_direction", "in.row_offsets", g.in.row_offsets, g.num_vertices());
  detail::check_pointer(ctx, "bfs_direction", "in.columns", g.in.columns, g.num_edges());
  detail::check_pointer(ctx, "bfs_direction", "sources", sources, num_sources);
  detail::check_pointer(ctx, "bfs_direction", "levels", levels, g.num_vertices());
  return backend::bfs_direction<Tuning>(ctx, g, sources, num_sources, levels, with_table);
}

}  // namespace evenfold
