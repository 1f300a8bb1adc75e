#pragma once
// minimum_spanning_forest: the lightest edges that connect what a graph connects.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/spanning_forest_parts.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold {

/// The type of the sum of weights.
template <class Value>
using total_weight_t =
    std::conditional_t<std::is_floating_point_v<std::remove_const_t<Value>>, double, std::int64_t>;

/// The result of `minimum_spanning_forest`. The arrays lie in the memory of the context.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct spanning_forest {
  /// The edges of the forest, each once, in the order of the graph: their ends and weights. The
  /// number of trees is num_rows - num_nonzeros.
  coo<Value, Index, Offset> edges;
  /// The position of each of them in the rows of the graph.
  array<Offset> positions;
  total_weight_t<Value> total_weight = 0;
};

namespace detail {

/// Copies the ends, the weight and the position of an edge.
template <class Value, std::integral Index, std::integral Offset>
struct take_forest_edge {
  edges_by_position<const Value, Index, Offset> from;
  Index* rows;
  Index* columns;
  Value* values;
  Offset* positions;

  EF_HD void operator()(Offset to, Offset k) const {
    rows[to] = from.rows[k];
    columns[to] = from.columns[k];
    if constexpr (!is_pattern<Value>) values[to] = from.values[k];
    positions[to] = k;
  }
};

/// The weight of every `stride`-th stored edge.
template <class Edges, std::integral Offset>
struct sampled_bits {
  Edges edges;
  Offset stride;
  EF_HD typename Edges::weight_bits operator()(Offset i) const { return edges.weight(i * stride); }
};

/// A weight such that about two edges per vertex are not heavier, or the largest one if there are
/// few edges. Waits.
template <context Context, class Edges, std::integral Index, std::integral Offset>
auto light_weight(Context& ctx, const Edges& edges, Index num_vertices, Offset num_edges) {
  using bits = typename Edges::weight_bits;
  constexpr Offset samples = 1024;
  const Offset stored = edges.undirected ? 4 : 2;  // for two edges
  const Offset per_vertex = num_vertices == 0 ? 0 : num_edges / num_vertices;
  if (num_edges < samples || per_vertex < 2 * stored) return largest_number<bits>;
  array<bits> sampled(ctx, samples);
  transform(ctx, samples,
            write_result{sampled_bits<Edges, Offset>{edges, num_edges / samples}, sampled.data()});
  std::vector<bits> weights = to_host(ctx, sampled);
  const auto at = weights.begin() + static_cast<std::ptrdiff_t>(samples * stored / per_vertex);
  std::nth_element(weights.begin(), at, weights.end());
  return *at;
}

/// Whether edge k joins two trees and is light, or heavy.
template <class Edges, class Bits, std::integral Index>
struct joins_trees_first {
  Edges edges;
  const Index* labels;
  Bits most;
  bool heavy;

  template <std::integral Offset>
  EF_HD bool operator()(Offset k) const {
    return edges(k) && (edges.weight(k) > most) == heavy &&
           labels[edges.rows[k]] != labels[edges.columns[k]];
  }
};

/// The weight of an edge as a number that can be added.
template <class Value, std::integral Offset>
struct weight_to_add {
  using heavy = void;
  const Value* values;
  EF_HD total_weight_t<Value> operator()(Offset k) const {
    return static_cast<total_weight_t<Value>>(value_at(values, k));
  }
};

}  // namespace detail

/// The minimum spanning forest: edges without a cycle that connect all vertices which paths
/// connect, and whose weights have the smallest sum. Edges have no direction here.
///
/// Of two edges with the same weight, the one that is stored first counts as the lighter one;
/// therefore the forest is unique, and the same on every backend. An undirected edge is the entry
/// in the row of its lower end; in a directed graph every entry is an edge of its own. Self-loops
/// are in no forest. Weights may be negative; NaN weighs more than any number. Without weights each
/// edge weighs 1.
///
/// Boruvka's algorithm: each tree, at first each vertex, chooses its lightest edge to another tree;
/// the chosen edges are in the forest, and join trees. Edges within a tree are dropped after each
/// round. There are at most log2(vertices) rounds. If there are many edges, the lightest ones,
/// about two per vertex, come first; most others then lie within a tree and are dropped at once.
/// Work O((vertices + edges) log vertices), in practice a few steps per edge; span O(log^2
/// vertices) plus the shares of the workers. Scratch: one Index and two bits per stored edge; three
/// Index, one Offset and one weight per vertex; four Index, two Offset and two weights per edge
/// that is not dropped. Deterministic; the total weight is a fold in the order of the edges. Waits
/// three times per round.
///
/// Errors: argument_error for a graph that is not square, or pointers on the wrong side;
/// allocation_error.
///
/// Example: examples/spanning_forest.cpp.
/// Source: Boruvka, 1926; Chung, Condon, "Parallel implementation of Boruvka's minimum spanning
/// tree algorithm", IPPS 1996; Osipov, Sanders, Singler, "The filter-Kruskal minimum spanning tree
/// algorithm", ALENEX 2009 (light edges first). Names elsewhere:
/// scipy.sparse.csgraph.minimum_spanning_tree, networkx.minimum_spanning_tree,
/// cugraph.minimum_spanning_tree, LAGraph_msf.
template <context Context, class Value, std::integral Index, std::integral Offset>
spanning_forest<std::remove_const_t<Value>, Index, Offset> minimum_spanning_forest(
    Context& ctx, const graph_view<Value, Index, Offset>& g) {
  using T = std::remove_const_t<Value>;
  detail::check_graph(ctx, "minimum_spanning_forest", g);
  const Index n = g.num_vertices();
  const array<Index> rows = rows_of_entries(ctx, g.out);
  using edges_type = detail::edges_by_position<const T, Index, Offset>;
  using bits = typename edges_type::weight_bits;
  const edges_type edges{rows.data(), g.out.columns, g.out.values, g.is_undirected()};
  array<std::uint32_t> chosen_bits = detail::empty_bitmap(ctx, g.num_edges());
  const detail::vertex_bitmap<Offset> chosen{chosen_bits.data()};
  const bits most = detail::light_weight(ctx, edges, n, g.num_edges());
  detail::growing_trees<bits, Index, Offset> trees(ctx, n);
  const auto grow = [&](bool heavy) {
    trees.begin(
        ctx, edges, g.num_edges(),
        detail::joins_trees_first<edges_type, bits, Index>{edges, trees.labels(), most, heavy});
    while (trees.num_edges() > 0) {
      trees.choose(ctx);
      trees.join(ctx, chosen);
    }
  };
  grow(false);
  if (most < detail::largest_number<bits>) {
    trees.settle(ctx);
    grow(true);
  }
  const compact_plan kept(ctx, g.num_edges(), detail::is_chosen<Offset>{chosen});
  spanning_forest<T, Index, Offset> result;
  result.edges = coo<T, Index, Offset>(ctx, n, n, kept.num_kept());
  result.positions = array<Offset>(ctx, kept.num_kept());
  kept.write(detail::take_forest_edge<T, Index, Offset>{
      edges, result.edges.rows.data(), result.edges.columns.data(), result.edges.values.data(),
      result.positions.data()});
  const T* const weights = result.edges.values.data();
  result.total_weight =
      transform_reduce(ctx, kept.num_kept(), detail::weight_to_add<T, Offset>{weights}, plus{},
                       total_weight_t<T>{0});
  return result;
}

}  // namespace evenfold
