#pragma once
// The steps of Boruvka's algorithm: every tree chooses its lightest edge to another tree, and the
// chosen edges join trees.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/components.hpp"

namespace evenfold::detail {

/// The edges of a graph by their positions in its rows. An undirected edge, which is stored twice,
/// is the one in the row of its lower end.
template <class Value, std::integral Index, std::integral Offset>
struct edges_by_position {
  using number = std::conditional_t<is_pattern<Value>, std::int32_t, std::remove_const_t<Value>>;
  using weight_bits = radix_bits_t<number>;

  const Index* rows;
  const Index* columns;
  Value* values;
  bool undirected;

  /// A number that ascends with the weight of edge k.
  EF_HD weight_bits weight(Offset k) const {
    return radix_key<less>(static_cast<number>(value_at(values, k)));
  }
  /// Whether edge k may be in a forest.
  EF_HD bool operator()(Offset k) const {
    return undirected ? rows[k] < columns[k] : rows[k] != columns[k];
  }
};

/// The trees at the ends of an edge.
template <class Edges, std::integral Index>
struct trees_of_edges {
  Edges edges;
  const Index* labels;

  template <std::integral Offset>
  EF_HD Index first(Offset k) const {
    return labels[edges.rows[k]];
  }
  template <std::integral Offset>
  EF_HD Index second(Offset k) const {
    return labels[edges.columns[k]];
  }
  /// Whether an edge joins two trees.
  template <std::integral Offset>
  EF_HD bool operator()(Offset k) const {
    return first(k) != second(k);
  }
};

/// Lowers the smallest weight at both trees of edge i of a list.
template <class Trees, class Bits, std::integral Offset>
struct lower_weight {
  Trees trees;
  const Offset* list;
  Bits* smallest;

  EF_HD void operator()(Offset i) const {
    const Offset k = list[i];
    const Bits weight = trees.edges.weight(k);
    atomic_lower(smallest[trees.first(k)], weight);
    atomic_lower(smallest[trees.second(k)], weight);
  }
};

/// Lowers the first position of an edge with this weight.
template <class Trees, class Bits, std::integral Offset>
struct lower_position {
  Trees trees;
  const Offset* list;
  const Bits* smallest;
  Offset* lightest;

  EF_HD void operator()(Offset i) const {
    const Offset k = list[i];
    const Bits weight = trees.edges.weight(k);
    const auto u = trees.first(k);
    const auto v = trees.second(k);
    if (weight == smallest[u]) atomic_lower(lightest[u], k);
    if (weight == smallest[v]) atomic_lower(lightest[v], k);
  }
};

/// Joins a tree with the one at the other end of its lightest edge, if it has such an edge.
template <class Edges, std::integral Index, std::integral Offset>
struct join_trees {
  Edges edges;
  const Offset* lightest;
  component_forest<Index> forest;
  vertex_bitmap<Offset> chosen;

  EF_HD void operator()(Index tree) const {
    const Offset k = lightest[tree];
    if (k == largest_number<Offset>) return;
    chosen.set(k);
    forest.link(edges.rows[k], edges.columns[k]);
  }
};

/// Trees that grow together. A tree has the number of its lowest vertex.
template <class Edges, class Bits, std::integral Index, std::integral Offset>
class growing_trees {
 public:
  /// Each vertex is a tree.
  template <context Context>
  growing_trees(Context& ctx, const Edges& edges, Index num_vertices)
      : edges_(edges),
        labels_(ctx, num_vertices),
        smallest_(ctx, num_vertices),
        lightest_(ctx, num_vertices) {
    iota(ctx, labels_.data(), num_vertices);
  }

  /// The tree of each vertex.
  const Index* labels() const { return labels_.data(); }
  /// The smallest weight of an edge of each tree, as choose() has found it.
  const Bits* smallest() const { return smallest_.data(); }
  trees_of_edges<Edges, Index> of_edges() const { return {edges_, labels()}; }

  /// Finds the lightest edge of each tree among a list of edges, which join different trees; of
  /// edges with the same weight the first one.
  template <context Context>
  void choose(Context& ctx, const Offset* list, Offset count) {
    using trees = trees_of_edges<Edges, Index>;
    fill(ctx, smallest_.data(), labels_.size(), largest_number<Bits>);
    fill(ctx, lightest_.data(), labels_.size(), largest_number<Offset>);
    transform(ctx, count, lower_weight<trees, Bits, Offset>{of_edges(), list, smallest_.data()});
    transform(
        ctx, count,
        lower_position<trees, Bits, Offset>{of_edges(), list, smallest_.data(), lightest_.data()});
  }

  /// Joins the trees by these edges, and notes the edges.
  template <context Context>
  void join(Context& ctx, vertex_bitmap<Offset> chosen) {
    const component_forest<Index> forest{labels_.data()};
    const auto n = static_cast<Index>(labels_.size());
    transform(ctx, n, join_trees<Edges, Index, Offset>{edges_, lightest_.data(), forest, chosen});
    transform(ctx, n, shorten_path<Index>{forest});
    transform(ctx, n, label_with_root<Index>{forest});
  }

 private:
  Edges edges_;
  array<Index> labels_;
  array<Bits> smallest_;
  array<Offset> lightest_;
};

/// The trees of a graph, whose rows have the numbers `rows`.
template <class Value, std::integral Index, std::integral Offset>
using trees_of =
    growing_trees<edges_by_position<Value, Index, Offset>,
                  typename edges_by_position<Value, Index, Offset>::weight_bits, Index, Offset>;

}  // namespace evenfold::detail
