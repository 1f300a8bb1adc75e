#pragma once
// bfs_verify: whether levels and parents are those of a breadth-first search.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bfs_summary.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/bfs_report.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/first_violation.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// The number of an edge whose end is more than one level farther, or `no_edge`.
template <std::integral Index, std::integral Offset>
struct far_edge {
  using heavy = void;
  const Index* ends;
  const Index* levels;
  Offset no_edge;

  EF_HD Offset operator()(Offset k, Index, Offset, const tuple<Index>& level) const {
    const Index here = get<0>(level);
    const Index there = levels[ends[k]];
    return here >= 0 && (there < 0 || there - 1 > here) ? k : no_edge;
  }
};

/// 2 for an edge from the parent, if the parent is in the level before; 1 for another edge from the
/// level before; else 0.
template <std::integral Index>
struct support_of_edge {
  using heavy = void;
  const Index* begins;
  const Index* levels;
  const Index* parents;  ///< or nullptr

  template <std::integral Offset>
  EF_HD int operator()(Offset k, Index v, Offset, const tuple<Index>& level) const {
    const Index u = begins[k];
    const bool before = get<0>(level) > 0 && levels[u] == get<0>(level) - 1;
    return before ? (parents != nullptr && parents[v] == u ? 2 : 1) : 0;
  }
};

/// The first law that is broken at a vertex, or bfs_law{}.
template <std::integral Index, std::integral Offset>
struct broken_law {
  Index num_vertices;
  Offset no_edge;
  const Index* levels;
  const Index* parents;  ///< or nullptr
  const unsigned char* is_source;
  const Offset* far_edges;
  const int* supports;

  EF_HD bfs_law operator()(Index v) const {
    const Index level = levels[v];
    if (level < -1 || level >= num_vertices) return bfs_law::range;
    if ((level == 0) != (is_source[v] != 0)) return bfs_law::source;
    if (far_edges[v] != no_edge) return bfs_law::edge;
    if (level > 0 && supports[v] == 0) return bfs_law::support;
    if (parents == nullptr) return bfs_law{};
    const bool right = level > 0 ? supports[v] == 2 : parents[v] == (level == 0 ? v : -1);
    return right ? bfs_law{} : bfs_law::parent;
  }
};

/// Whether a vertex has a level.
struct is_reached {
  template <std::integral Index>
  EF_HD bool operator()(Index level) const {
    return level >= 0;
  }
};

}  // namespace detail

/// Whether `levels` are the hop distances from `sources` and `parents`, unless nullptr, is a tree
/// of shortest paths. Any such tree is accepted.
///
/// - `g`, `sources`: as for `bfs`.
/// - `levels`, `parents`: one number per vertex, in the context's memory; any numbers.
///
/// Reduces over the edges that leave each vertex and over the edges that lead to it. Work
/// O(vertices + edges), however many levels there are. Scratch: one Offset, one int and two bytes
/// per vertex, and that of lbs_segreduce. Deterministic. Waits.
///
/// Errors: those of `bfs`.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_report bfs_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                      const std::vector<std::type_identity_t<Index>>& sources,
                      const std::type_identity_t<Index>* levels,
                      const std::type_identity_t<Index>* parents = nullptr) {
  const Index n = g.num_vertices();
  detail::check_graph(ctx, "bfs_verify", g);
  const std::vector<Index> distinct = detail::distinct_sources("bfs_verify", sources, n);
  detail::check_pointer(ctx, "bfs_verify", "levels", levels, n);
  detail::check_optional(ctx, "bfs_verify", "parents", parents, n);

  array<unsigned char> source_flags(ctx, n);
  const array<Index> all_sources = to_context(ctx, distinct);
  fill(ctx, source_flags.data(), n, 0);
  transform(ctx, distinct.size(),
            detail::set_at<Index, unsigned char>{all_sources.data(), source_flags.data(), 1});

  // The first edge of each vertex that leads too far, or the number of edges where none does.
  array<Offset> far_edges(ctx, n);
  const Offset no_edge = g.num_edges();
  lbs_segreduce(ctx, no_edge, detail::far_edge<Index, Offset>{g.out.columns, levels, no_edge},
                g.out.row_offsets, n, make_tuple(levels), far_edges.data(), minimum{}, no_edge);

  // Whether an edge from the level before leads to each vertex (1), even from its parent (2).
  array<int> supports(ctx, n);
  lbs_segreduce(ctx, g.num_edges(), detail::support_of_edge<Index>{g.in.columns, levels, parents},
                g.in.row_offsets, n, make_tuple(levels), supports.data(), maximum{}, 0);

  bfs_report report;
  const detail::broken_law<Index, Offset> law_at{
      n, no_edge, levels, parents, source_flags.data(), far_edges.data(), supports.data()};
  if (!detail::first_violation(ctx, n, law_at, report)) return report;
  const auto at = [&](const auto* values, auto i) { return to_host(ctx, values + i, 1)[0]; };
  const std::int64_t first = report.vertex;
  report.level = at(levels, first);
  if (report.law == bfs_law::edge) report.other = at(g.out.columns, at(far_edges.data(), first));
  if (report.law == bfs_law::parent) report.other = at(parents, first);
  if (report.law == bfs_law::edge) report.other_level = at(levels, report.other);
  return report;
}

/// The same, with `reached` and `depth` of `totals` checked as well.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_report bfs_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                      const std::vector<std::type_identity_t<Index>>& sources,
                      const std::type_identity_t<Index>* levels,
                      const std::type_identity_t<Index>* parents, const bfs_summary& totals) {
  bfs_report report = bfs_verify(ctx, g, sources, levels, parents);
  const std::int64_t reached = transform_reduce(
      ctx, g.num_vertices(), elementwise(detail::is_reached{}, levels), plus{}, std::int64_t{0});
  const std::int64_t depth = reduce(ctx, levels, g.num_vertices(), maximum{}, std::int64_t{0});
  if (report.ok() && (totals.reached != reached || totals.depth != depth)) {
    report = bfs_report{.violations = 1, .law = bfs_law::totals, .vertex = reached, .level = depth};
  }
  return report;
}

/// The same for a result of `bfs`.
template <context Context, class Value, std::integral Index, std::integral Offset>
bfs_report bfs_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                      const std::vector<std::type_identity_t<Index>>& sources,
                      const bfs_result<Index>& result) {
  return bfs_verify(ctx, g, sources, result.levels.data(),
                    result.parents.empty() ? nullptr : result.parents.data(),
                    {.reached = result.reached, .depth = result.depth, .table = {}});
}

}  // namespace evenfold
