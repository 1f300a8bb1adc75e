#pragma once
// spanning_forest_verify: whether edges are those of a minimum spanning forest.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/components_verify.hpp"
#include "evenfold/graph/first_violation.hpp"
#include "evenfold/graph/spanning_forest_parts.hpp"
#include "evenfold/graph/spanning_forest_report.hpp"
#include "evenfold/sparse/convert.hpp"

namespace evenfold {

namespace detail {

/// 1 if position i of a list does not ascend or is not that of an edge, else 0.
template <class Edges, std::integral Offset>
struct is_wrong_position {
  using heavy = void;

  Edges edges;
  const Offset* positions;
  Offset num_edges;

  EF_HD std::int64_t operator()(Offset i) const {
    const Offset k = positions[i];
    if (k < 0 || k >= num_edges || (i > 0 && positions[i - 1] >= k)) return 1;
    return edges(k) ? 0 : 1;
  }
};

/// 1 for the lowest vertex of a tree, else 0.
template <std::integral Index, std::integral Offset>
struct one_per_tree {
  using heavy = void;
  const Index* labels;
  EF_HD Offset operator()(Index v) const { return labels[v] == v ? 1 : 0; }
};

/// Raises the heaviest edge on the way of a vertex to its tree by the edge that the tree has
/// chosen, if it has chosen one.
template <class Choice, class Bits, std::integral Index>
struct raise_heaviest {
  const Index* labels;
  const Choice* choices;
  Bits* heaviest;

  EF_HD void operator()(Index v) const {
    const Choice choice = choices[labels[v]];
    if (choice.any() && choice.weight > heaviest[v]) heaviest[v] = choice.weight;
  }
};

/// Marks the vertex that an edge leaves, if its ends have just come into one tree and it is lighter
/// than the heaviest edge of the path between them.
template <class Edges, class Bits, std::integral Index>
struct mark_lighter_edge {
  Edges edges;
  const Index* before;
  const Index* labels;
  const Bits* heaviest;
  vertex_bitmap<Index> lighter;

  template <std::integral Offset>
  EF_HD void operator()(Offset k, Index u, Offset) const {
    const Index v = edges.columns[k];
    if (before[u] == before[v] || labels[u] != labels[v] || !edges(k)) return;
    const Bits weight = edges.weight(k);
    if (weight < heaviest[u] || weight < heaviest[v]) lighter.set(u);
  }
};

/// The first law that is broken at a vertex, or spanning_forest_law{}.
template <std::integral Index>
struct broken_forest_law {
  vertex_bitmap<Index> split, lighter;

  EF_HD spanning_forest_law operator()(Index v) const {
    if (split.test(v)) return spanning_forest_law::connection;
    return lighter.test(v) ? spanning_forest_law::weight : spanning_forest_law{};
  }
};

}  // namespace detail

/// Whether some edges of a graph are those of its minimum spanning forest, up to edges of equal
/// weight.
///
/// - `positions`: the positions of `count` edges in the rows of the graph, in the context's memory;
///   any numbers.
///
/// Trees grow along the edges of the forest as in Boruvka's algorithm. When two vertices come into
/// one tree, the heaviest edge between them is the heaviest one that any of their trees has chosen
/// before (King). Work O((vertices + edges) log vertices). Scratch: that of
/// `minimum_spanning_forest` for the edges of the forest, and one Index, one weight, one byte and
/// two bits per vertex. Deterministic. Waits three times per round.
///
/// Errors: those of `minimum_spanning_forest`. Example: examples/spanning_forest.cpp.
/// Source: King, "A simpler minimum spanning tree verification algorithm", Algorithmica 18, 1997.
template <context Context, class Value, std::integral Index, std::integral Offset>
spanning_forest_report spanning_forest_verify(Context& ctx,
                                              const graph_view<Value, Index, Offset>& g,
                                              const std::type_identity_t<Offset>* positions,
                                              std::type_identity_t<Offset> count) {
  using edges_type = detail::edges_by_position<Value, Index, Offset>;
  using bits = typename edges_type::weight_bits;
  detail::check_graph(ctx, "spanning_forest_verify", g);
  detail::check_count("spanning_forest_verify", "count", count);
  detail::check_pointer(ctx, "spanning_forest_verify", "positions", positions, count);
  const Index n = g.num_vertices();
  const Offset m = g.num_edges();
  const array<Index> rows = rows_of_entries(ctx, g.out);
  const edges_type edges{rows.data(), g.out.columns, g.out.values, g.is_undirected()};

  spanning_forest_report report;
  const detail::is_wrong_position<edges_type, Offset> is_wrong{edges, positions, m};
  report.violations = transform_reduce(ctx, count, is_wrong, plus{}, std::int64_t{0});
  report.law = spanning_forest_law::position;
  if (!report.ok()) return report;

  using trees_type = detail::growing_trees<bits, Index, Offset>;
  trees_type trees(ctx, n);
  array<std::uint32_t> in_forest_bits = detail::empty_bitmap(ctx, m);
  array<std::uint32_t> chosen_bits = detail::empty_bitmap(ctx, m);
  array<std::uint32_t> lighter_bits = detail::empty_bitmap(ctx, n);
  array<std::uint32_t> split_bits = detail::empty_bitmap(ctx, n);
  const detail::vertex_bitmap<Offset> in_forest{in_forest_bits.data()};
  const detail::vertex_bitmap<Index> lighter{lighter_bits.data()}, split{split_bits.data()};
  transform(ctx, count, detail::join_bitmap<Offset>{in_forest, positions});
  array<Index> before(ctx, n);
  array<bits> heaviest(ctx, n);
  fill(ctx, heaviest.data(), n, bits{0});
  trees.begin(ctx, edges, m, detail::is_chosen<Offset>{in_forest});
  while (trees.num_edges() > 0) {
    trees.choose(ctx);
    copy(ctx, trees.labels(), n, before.data());
    transform(ctx, n,
              detail::raise_heaviest<typename trees_type::choice, bits, Index>{
                  trees.labels(), trees.choices(), heaviest.data()});
    trees.join(ctx, {chosen_bits.data()});
    trees.settle(ctx);
    transform_lbs(ctx, m,
                  detail::mark_lighter_edge<edges_type, bits, Index>{
                      edges, before.data(), trees.labels(), heaviest.data(), lighter},
                  g.out.row_offsets, n);
  }

  const Offset num_trees = transform_reduce(
      ctx, n, detail::one_per_tree<Index, Offset>{trees.labels()}, plus{}, Offset{0});
  report.violations = count - (static_cast<Offset>(n) - num_trees);
  report.law = spanning_forest_law::cycle;
  if (!report.ok()) return report;
  report = {};
  transform_lbs(ctx, m, detail::mark_split_edge<Index>{g.out.columns, trees.labels(), split},
                g.out.row_offsets, n, make_tuple(trees.labels()));
  detail::first_violation(ctx, n, detail::broken_forest_law<Index>{split, lighter}, report);
  return report;
}

}  // namespace evenfold
