#pragma once
// triangle_count: the triangles of a graph, in all and at each vertex, and local clustering
// coefficients.
//
// Idea: every edge leads from the vertex of lower to the vertex of higher rank, where vertices are
// ranked by degree and then by number. A triangle then is one edge from u to v, one from v to w and
// one from u to w, and no vertex has more than sqrt(2 edges) edges that leave it. The pairs of an
// edge from u to v and an edge from v, the wedges, are cut into tiles of equal size, however uneven
// the degrees; w is looked up among the ends of the edges of u.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/neighbours.hpp"
#include "evenfold/graph/ranked_edges.hpp"
#include "evenfold/graph/triangle_parts.hpp"

namespace evenfold {

/// The results of `triangle_count` besides the number of triangles.
struct triangle_options {
  bool counts = false;
  bool coefficients = false;
};

/// The result of `triangle_count`. The arrays have one number per vertex, in the memory of the
/// context; they are empty unless asked for.
struct triangle_result {
  /// The number of triangles in the graph.
  std::int64_t total = 0;
  /// The triangles at each vertex. Their sum is three times the total.
  array<std::int64_t> counts;
  /// The local clustering coefficient of each vertex, 0 to 1.
  array<double> coefficients;
};

namespace detail {

/// The number of triangles. A `vertex_tally` has counts by rank.
template <context Context, std::integral Index, std::integral Offset, class Tally>
std::int64_t count_wedges(Context& ctx, const csr<unsigned char, Index, Offset>& edges,
                          Tally tally) {
  const Offset count = edges.num_nonzeros;
  if (count == 0) return 0;
  using row = wedge_row<Context::traits.shape, Index, Offset>;
  const array<Index> begins = rows_of_entries(ctx, edges.view());
  array<std::int64_t> offsets(ctx, count);
  array<std::int64_t> sum(ctx, 1);
  transform_scan<scan_kind::exclusive>(ctx, count, wedges_of_edge<Index, Offset>{edges.view()},
                                       offsets.data(), plus{}, std::int64_t{0}, sum.data());
  const triangles_of_tile<row, Index, Offset, Tally> tile{
      edges.view(), begins.data(), {to_host(ctx, sum)[0], offsets.data(), count}, tally};
  return transform_reduce(ctx, ceil_div(tile.wedges.steps(), row::tile), tile, plus{},
                          std::int64_t{0});
}

/// Whether all rows are short and ascend. The entries are read in their order, without a loop per
/// row, whose end a processor often guesses wrongly.
template <context Context, std::integral Index, std::integral Offset>
bool has_short_ascending_rows(Context& ctx, const csr_view<const pattern, Index, Offset>& g) {
  const Offset pairs = std::max<Offset>(g.num_nonzeros, 1) - 1;
  return transform_reduce(ctx, g.num_rows, begins_short_row<Index, Offset>{g}, plus{}, Offset{0}) ==
         transform_reduce(ctx, pairs, does_not_ascend<Index, Offset>{g.columns}, plus{}, Offset{0});
}

/// The number of triangles. If all rows are short, CPU threads merge the rows of both ends of each
/// edge, which takes less time than ranking the vertices.
template <context Context, class Value, std::integral Index, std::integral Offset>
std::int64_t count_triangles(Context& ctx, const graph_view<Value, Index, Offset>& g) {
  if constexpr (Context::traits.shape != work_shape::lanes) {
    const auto rows = g.out.structure();
    if (g.is_undirected() && has_short_ascending_rows(ctx, rows)) {
      return transform_reduce(ctx, rows.num_rows, triangles_below<Index, Offset>{rows}, plus{},
                              std::int64_t{0});
    }
  }
  return count_wedges(ctx, rank_edges(ctx, neighbours_of(ctx, g)).rows, no_tally{});
}

/// The count of each vertex, in the order of vertices, from the counts in the order of ranks.
template <context Context, std::integral Index, std::integral Offset>
array<std::int64_t> tally_wedges(Context& ctx, const ranked_edges<Index, Offset>& edges,
                                 bool by_direction, std::int64_t& total) {
  const Index n = edges.rows.num_rows;
  array<std::int64_t> by_rank(ctx, n);
  array<std::int64_t> by_vertex(ctx, n);
  fill(ctx, by_rank.data(), n, std::int64_t{0});
  total = count_wedges(ctx, edges.rows, vertex_tally{by_rank.data(), by_direction});
  scatter(ctx, by_rank.data(), edges.vertices.data(), n, by_vertex.data());
  return by_vertex;
}

}  // namespace detail

/// The number of triangles: sets of three vertices with an edge between any two of them. The
/// direction of edges, self-loops and repeated edges make no difference; weights are ignored.
///
/// With `counts`, also the number of triangles at each vertex. With `coefficients`, also the local
/// clustering coefficient of each vertex: the number of directed edges between its neighbours, over
/// d (d - 1) for d neighbours, and 0 for d < 2. Neighbours are the vertices that an edge joins in
/// either direction; an undirected edge counts as two directed ones. In an undirected graph this is
/// the number of triangles over d (d - 1) / 2.
///
/// Work O(edges^1.5), in practice one look-up per wedge; every worker gets the same number of edges
/// plus wedges. On CPU threads, the total alone of an undirected graph without vertices of more
/// than 32 neighbours takes 32 steps per edge at most, and no scratch, if its rows ascend. Span
/// O(work / workers + log^2 edges). Scratch: an Index per stored edge; per edge of the graph three
/// Index, one Offset, 8 bytes for the wedges, and that of bucket_sort; three Index per vertex. An
/// undirected graph whose rows ascend, without self-loops or repetitions, is read as it is. Any
/// other graph is first copied as to_csr of symmetrize does. Counts are deterministic. Waits.
///
/// Errors: argument_error for a graph that is not square, and for pointers on the wrong side;
/// allocation_error.
///
/// Example: examples/triangles.cpp.
/// Source: Schank, Wagner, "Finding, counting and listing all triangles in large graphs", WEA 2005
/// (`forward`). Names elsewhere: networkx.triangles, networkx.clustering, GAP tc,
/// cugraph.triangle_count, LAGr_TriangleCount; LDBC Graphalytics LCC.
template <context Context, class Value, std::integral Index, std::integral Offset>
triangle_result triangle_count(Context& ctx, const graph_view<Value, Index, Offset>& g,
                               const triangle_options& options = {}) {
  detail::check_graph(ctx, "triangle_count", g);
  const Index n = g.num_vertices();
  triangle_result result;
  if (!options.counts && !options.coefficients) {
    result.total = detail::count_triangles(ctx, g);
    return result;
  }
  const auto neighbours = detail::neighbours_of(ctx, g);
  const auto edges = detail::rank_edges(ctx, neighbours);
  result.counts = detail::tally_wedges(ctx, edges, false, result.total);
  if (!options.coefficients) return result;

  result.coefficients = array<double>(ctx, n);
  const auto divide = [&](const std::int64_t* counts, double weight) {
    using coefficient = detail::clustering_coefficient<Index, Offset>;
    transform(ctx, n,
              write_result<coefficient, double*>{{neighbours.rows.row_offsets, counts, weight},
                                                 result.coefficients.data()});
  };
  if (neighbours.directions == nullptr) {
    divide(result.counts.data(), 2.);
  } else {
    std::int64_t total = 0;
    divide(detail::tally_wedges(ctx, edges, true, total).data(), 1.);
  }
  if (!options.counts) result.counts = {};
  return result;
}

}  // namespace evenfold
