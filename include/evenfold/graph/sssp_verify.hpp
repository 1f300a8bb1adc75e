#pragma once
// sssp_verify: whether distances and parents are those of shortest paths.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/first_violation.hpp"
#include "evenfold/graph/sssp.hpp"
#include "evenfold/graph/sssp_report.hpp"

namespace evenfold {

namespace detail {

/// Lowers the number of an edge at the vertex that it leads to, if the path through the edge is
/// shorter than the distance of this vertex.
template <class Value, class Distance, std::integral Index, std::integral Offset>
struct mark_shorter_path {
  const Value* weights;
  const Index* columns;
  const Distance* distances;
  Offset* shorter;

  EF_HD void operator()(Offset edge, Index, Offset, const tuple<Distance>& from) const {
    const Distance distance = get<0>(from);
    if (!(distance >= 0 && distance < no_path<Distance>)) return;
    const Index v = columns[edge];
    const auto weight = static_cast<Distance>(value_at(weights, edge));
    if (add_up_to_most(distance, weight) < distances[v]) atomic_lower(shorter[v], edge);
  }
};

/// Whether an edge is the last one of a shortest path to a vertex that was not found before, and
/// comes from its parent.
template <class Value, class Distance, std::integral Index>
struct find_along {
  shortest_edges<Value, Distance, Index> shortest;
  const Index* parents;  ///< or nullptr
  vertex_bitmap<Index> found;

  template <std::integral Offset>
  EF_HD bool operator()(Offset edge, Index u, Index v, const tuple<Distance>& from) const {
    return (parents == nullptr || parents[v] == u) && shortest.has(edge, get<0>(from), v) &&
           found.set(v);
  }
};

/// The first law that is broken at a vertex, or sssp_law{}.
template <class Distance, std::integral Index, std::integral Offset>
struct broken_path_law {
  Offset no_edge;
  const Distance* distances;
  const Index* parents;  ///< or nullptr
  vertex_bitmap<Index> is_source, found;
  const Offset* shorter;

  EF_HD sssp_law operator()(Index v) const {
    const Distance distance = distances[v];
    if (!(distance >= 0)) return sssp_law::range;
    if (is_source.test(v) && distance > 0) return sssp_law::source;
    if (shorter[v] != no_edge) return sssp_law::edge;
    const bool reached = distance < no_path<Distance>;
    if (reached && !found.test(v)) return sssp_law::path;
    if (parents == nullptr) return sssp_law{};
    const bool wrong = reached ? is_source.test(v) && parents[v] != v : parents[v] != -1;
    return wrong ? sssp_law::parent : sssp_law{};
  }
};

/// The vertex itself if the edge leaves it, else `num_vertices`.
template <std::integral Index, std::integral Offset>
struct vertex_with_edge {
  using heavy = void;
  const Offset* rows;
  Offset edge;
  Index num_vertices;

  EF_HD Index operator()(Index v) const {
    return rows[v] <= edge && edge < rows[v + 1] ? v : num_vertices;
  }
};

/// The distance of a vertex for a report.
template <class Distance>
double reported_distance(Distance distance) {
  return distance == no_path<Distance> ? infinity_of<double> : static_cast<double>(distance);
}

}  // namespace detail

/// Whether `distances` are the lengths of shortest paths from `sources`, and `parents`, unless
/// nullptr, is a tree of such paths. Any such tree is accepted.
///
/// - `g`, `sources`: as for `sssp`.
/// - `distances`, `parents`: one number per vertex, in the context's memory; any numbers.
///
/// Checks every edge, and follows shortest paths from the sources by `advance`, so that distances
/// that support each other along edges of weight 0 do not pass. Work O(vertices + edges), span that
/// of a breadth-first search. Scratch: four Index, two Offset, one byte and two bits per vertex.
/// Deterministic. Waits.
///
/// Errors: those of `sssp`.
template <context Context, class Value, std::integral Index, std::integral Offset, class Distance>
sssp_report sssp_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                        const std::vector<std::type_identity_t<Index>>& sources,
                        const Distance* distances,
                        const std::type_identity_t<Index>* parents = nullptr) {
  const Index n = g.num_vertices();
  detail::check_graph(ctx, "sssp_verify", g);
  const std::vector<Index> distinct = detail::distinct_sources("sssp_verify", sources, n);
  detail::check_weights<Distance>(ctx, "sssp_verify", g.out);
  detail::check_pointer(ctx, "sssp_verify", "distances", distances, n);
  detail::check_optional(ctx, "sssp_verify", "parents", parents, n);

  // The first edge that is part of a shorter path to each vertex, or the number of edges.
  const Offset no_edge = g.num_edges();
  array<Offset> shorter(ctx, n);
  fill(ctx, shorter.data(), n, no_edge);
  transform_lbs(ctx, no_edge,
                detail::mark_shorter_path<Value, Distance, Index, Offset>{
                    g.out.values, g.out.columns, distances, shorter.data()},
                g.out.row_offsets, n, make_tuple(distances));

  // The vertices that shortest paths from the sources lead to.
  frontier<Index, Offset> near(ctx, g, distinct);
  array<std::uint32_t> source_bits = detail::empty_bitmap(ctx, n);
  array<std::uint32_t> found_bits = detail::empty_bitmap(ctx, n);
  const detail::vertex_bitmap<Index> is_source{source_bits.data()}, found{found_bits.data()};
  transform(ctx, near.size(), detail::join_bitmap<Index>{is_source, near.vertices()});
  transform(ctx, near.size(), detail::join_bitmap<Index>{found, near.vertices()});
  const detail::find_along<Value, Distance, Index> find{{g.out.values, distances}, parents, found};
  while (!near.empty()) advance(ctx, g, near, find, make_tuple(distances));

  sssp_report report;
  detail::first_violation(ctx, n,
                          detail::broken_path_law<Distance, Index, Offset>{
                              no_edge, distances, parents, is_source, found, shorter.data()},
                          report);
  if (report.ok()) return report;
  const auto at = [&](const auto* values, auto i) { return to_host(ctx, values + i, 1)[0]; };
  const std::int64_t first = report.vertex;
  report.distance = detail::reported_distance(at(distances, first));
  if (report.law == sssp_law::edge) {
    const Offset edge = at(shorter.data(), first);
    report.other = transform_reduce(
        ctx, n, detail::vertex_with_edge<Index, Offset>{g.out.row_offsets, edge, n}, minimum{}, n);
    report.other_distance = detail::reported_distance(at(distances, report.other));
  } else if (parents != nullptr) {
    report.other = at(parents, first);
  }
  return report;
}

/// The same, with the number of vertices that are reached and the largest distance checked as well.
template <context Context, class Value, std::integral Index, std::integral Offset, class Distance>
sssp_report sssp_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                        const std::vector<std::type_identity_t<Index>>& sources,
                        const Distance* distances, const std::type_identity_t<Index>* parents,
                        std::int64_t reached, std::type_identity_t<Distance> max_distance) {
  sssp_report report = sssp_verify(ctx, g, sources, distances, parents);
  const auto [count, farthest] = detail::distance_totals(ctx, distances, g.num_vertices());
  if (report.ok() && (reached != count || max_distance != farthest)) {
    report = sssp_report{.violations = 1,
                         .law = sssp_law::totals,
                         .vertex = count,
                         .distance = static_cast<double>(farthest)};
  }
  return report;
}

/// The same for a result of `sssp`.
template <context Context, class Value, std::integral Index, std::integral Offset, class Distance>
sssp_report sssp_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                        const std::vector<std::type_identity_t<Index>>& sources,
                        const sssp_result<Distance, Index>& result) {
  return sssp_verify(ctx, g, sources, result.distances.data(),
                     result.parents.empty() ? nullptr : result.parents.data(), result.reached,
                     result.max_distance);
}

}  // namespace evenfold
