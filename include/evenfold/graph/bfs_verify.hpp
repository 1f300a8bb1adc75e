#pragma once
// bfs_verify: whether an answer is that of a breadth-first search, whoever gave it.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/bfs_report.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

/// Whether `levels` are the hop distances from `sources` and, unless nullptr, `parents` a tree of
/// shortest ways; any such tree will do.
///
/// - `g`, `sources`: as for `bfs`.
/// - `levels`, `parents`: one number a vertex, in the context's memory; any numbers.
///
/// Folds over the arcs that leave each vertex and over those that reach it. Work O(vertices +
/// arcs), however many levels. Scratch: one Offset, two int and one byte a vertex, and that of
/// lbs_segreduce. Deterministic. Waits.
///
/// Errors: those of `bfs`.
template <context Context, class Value, std::integral Index, std::integral Offset>
static bfs_report bfs_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                             const std::vector<std::type_identity_t<Index>>& sources,
                             const std::type_identity_t<Index>* levels,
                             const std::type_identity_t<Index>* parents = nullptr) {
  const Index n = g.num_vertices();
  check_graph(ctx, "bfs_verify", g);
  const std::vector<Index> distinct = distinct_sources("bfs_verify", sources, n);
  check_pointer(ctx, "bfs_verify", "levels", levels, n);
  check_optional(ctx, "bfs_verify", "parents", parents, n);

  array<unsigned char> source_flags(ctx, n);
  unsigned char* const is_source = source_flags.data();
  const array<Index> all_sources = to_context(ctx, distinct);
  const Index* const source = all_sources.data();
  transform(
      ctx, n, EF_LAMBDA(Index v) { is_source[v] = 0; });
  transform(
      ctx, distinct.size(), EF_LAMBDA(std::size_t s) { is_source[source[s]] = 1; });

  // Of each vertex the first arc that leads too far, or all arcs where none does.
  array<Offset> far_arcs(ctx, n);
  const Offset no_arc = g.num_arcs();
  const Index* const ends = g.out.columns;
  lbs_segreduce(
      ctx, no_arc,
      EF_LAMBDA(Offset k, Index, Offset, const tuple<Index>& cached) {
        const Index here = get<0>(cached);
        const Index there = levels[ends[k]];
        return here >= 0 && (there < 0 || there - 1 > here) ? k : no_arc;
      },
      g.out.row_offsets, n, make_tuple(levels), far_arcs.data(), minimum{}, no_arc);

  // Whether an arc from the level before leads to it (1), and whether that is its parent's (2).
  array<int> supports(ctx, n);
  const Index* const begins = g.in.columns;
  lbs_segreduce(
      ctx, g.num_arcs(),
      EF_LAMBDA(Offset k, Index v, Offset, const tuple<Index>& cached) {
        const Index u = begins[k];
        const bool before = get<0>(cached) > 0 && levels[u] == get<0>(cached) - 1;
        return before ? (parents != nullptr && parents[v] == u ? 2 : 1) : 0;
      },
      g.in.row_offsets, n, make_tuple(levels), supports.data(), maximum{}, 0);

  array<int> broken(ctx, n);
  int* const law = broken.data();
  const Offset* const far_arc = far_arcs.data();
  const int* const support = supports.data();
  transform(
      ctx, n, EF_LAMBDA(Index v) {
        const Index level = levels[v];
        const auto broken_at_v = [&] {
          if (level < -1 || level >= n) return bfs_law::range;
          if ((level == 0) != (is_source[v] != 0)) return bfs_law::source;
          if (far_arc[v] != no_arc) return bfs_law::arc;
          if (level > 0 && support[v] == 0) return bfs_law::support;
          if (parents == nullptr) return bfs_law{};
          const bool right = level > 0 ? support[v] == 2 : parents[v] == (level == 0 ? v : -1);
          return right ? bfs_law{} : bfs_law::parent;
        };
        law[v] = static_cast<int>(broken_at_v());
      });

  bfs_report report;
  const Index first = transform_reduce(
      ctx, n, EF_LAMBDA(Index v) { return law[v] != 0 ? v : n; }, minimum{}, n);
  if (first == n) return report;
  report.violations = transform_reduce(
      ctx, n, EF_LAMBDA(Index v) { return std::int64_t{law[v] != 0}; }, plus{}, std::int64_t{0});
  const auto at = [&](const auto* values, auto i) { return to_host(ctx, values + i, 1)[0]; };
  report.law = static_cast<bfs_law>(at(law, first));
  report.vertex = first;
  report.level = at(levels, first);
  if (report.law == bfs_law::arc) report.other = at(ends, at(far_arc, first));
  if (report.law == bfs_law::parent) report.other = at(parents, first);
  if (report.law == bfs_law::arc) report.other_level = at(levels, report.other);
  return report;
}

/// The same for the answer of `bfs`, whose totals are checked as well.
template <context Context, class Value, std::integral Index, std::integral Offset>
static bfs_report bfs_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                             const std::vector<std::type_identity_t<Index>>& sources,
                             const bfs_result<Index>& result) {
  const Index* const levels = result.levels.data();
  const Index* const parents = result.parents.empty() ? nullptr : result.parents.data();
  bfs_report report = bfs_verify(ctx, g, sources, levels, parents);
  const std::int64_t reached = transform_reduce(
      ctx, g.num_vertices(), EF_LAMBDA(Index v) { return std::int64_t{levels[v] >= 0}; }, plus{},
      std::int64_t{0});
  const std::int64_t depth = reduce(ctx, levels, g.num_vertices(), maximum{}, std::int64_t{0});
  if (report.ok() && (result.reached != reached || result.depth != depth)) {
    report = {.violations = 1, .law = bfs_law::totals, .vertex = reached, .level = depth};
  }
  return report;
}

}  // namespace evenfold
