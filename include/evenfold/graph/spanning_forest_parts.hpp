#pragma once
// The steps of Boruvka's algorithm: every tree chooses its lightest edge to another tree, and the
// chosen edges join trees.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
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

/// Whether an edge was chosen.
template <std::integral Offset>
struct is_chosen {
  vertex_bitmap<Offset> chosen;
  EF_HD bool operator()(Offset k) const { return chosen.test(k); }
};

/// An edge between two trees.
template <class Bits, std::integral Index, std::integral Offset>
struct tree_edge {
  Index u, v;
  Offset position;
  Bits weight;
};

/// The lightest edge of a tree: its weight and its index in an edge list.
template <class Bits, std::integral Offset>
struct tree_choice {
  Bits weight;
  Offset edge;

  EF_HD bool any() const { return edge != largest_number<Offset>; }
};

/// Writes an edge and the trees that it joins.
template <class Edges, class Edge, std::integral Index>
struct take_tree_edge {
  Edges edges;
  const Index* labels;
  Edge* list;

  template <std::integral Offset>
  EF_HD void operator()(Offset to, Offset k) const {
    list[to] = {labels[edges.rows[k]], labels[edges.columns[k]], k, edges.weight(k)};
  }
};

/// Lowers the smallest weight of both trees that edge i joins.
template <class Edge, class Choice>
struct lower_weight {
  const Edge* list;
  Choice* choices;

  template <std::integral Offset>
  EF_HD void operator()(Offset i) const {
    const Edge e = list[i];
    atomic_lower(choices[e.u].weight, e.weight);
    atomic_lower(choices[e.v].weight, e.weight);
  }
};

/// Lowers the first edge of both trees that has this weight.
template <class Edge, class Choice>
struct lower_edge {
  const Edge* list;
  Choice* choices;

  template <std::integral Offset>
  EF_HD void operator()(Offset i) const {
    const Edge e = list[i];
    if (choices[e.u].weight == e.weight) atomic_lower(choices[e.u].edge, i);
    if (choices[e.v].weight == e.weight) atomic_lower(choices[e.v].edge, i);
  }
};

/// Forgets the choice of tree roots[i].
template <class Choice, std::integral Index>
struct clear_choice {
  const Index* roots;
  Choice* choices;

  EF_HD void operator()(Index i) const {
    choices[roots[i]] = {largest_number<decltype(Choice::weight)>,
                         largest_number<decltype(Choice::edge)>};
  }
};

/// Joins tree roots[i] with the one at the other end of its lightest edge, unless both have chosen
/// this edge and the other tree joins this one. Edges are chosen in one total order; therefore
/// parents form no other cycle.
template <class Edge, class Choice, std::integral Index, std::integral Offset>
struct join_trees {
  const Edge* list;
  const Choice* choices;
  const Index* roots;
  Index* parents;
  vertex_bitmap<Offset> chosen;

  EF_HD void operator()(Index i) const {
    const Index tree = roots[i];
    const Choice choice = choices[tree];
    if (!choice.any()) return;
    const Edge e = list[choice.edge];
    const Index other = e.u == tree ? e.v : e.u;
    chosen.set(e.position);
    if (choices[other].edge != choice.edge || other < tree) parents[tree] = other;
  }
};

/// Shortens the path from vertices[i] to its root.
template <std::integral Index>
struct shorten_path_of {
  const Index* vertices;
  component_forest<Index> forest;

  EF_HD void operator()(Index i) const { shorten_path<Index>{forest}(vertices[i]); }
};

/// Whether a vertex is still the root of a tree, and the tree has chosen an edge.
template <class Choice, std::integral Index>
struct is_growing {
  const Choice* choices;
  const Index* parents;

  EF_HD bool operator()(Index tree) const { return parents[tree] == tree && choices[tree].any(); }
};

/// Whether the ends of edge i are still in different trees.
template <class Edge, std::integral Index>
struct joins_trees {
  using heavy = void;
  const Edge* list;
  component_forest<Index> forest;

  template <std::integral Offset>
  EF_HD bool operator()(Offset i) const {
    return forest.settled_root(list[i].u) != forest.settled_root(list[i].v);
  }
};

/// Writes an edge with the trees that its ends are in now.
template <class Edge, std::integral Index>
struct move_tree_edge {
  const Edge* from;
  component_forest<Index> forest;
  Edge* list;

  template <std::integral Offset>
  EF_HD void operator()(Offset to, Offset i) const {
    const Edge e = from[i];
    list[to] = {forest.settled_root(e.u), forest.settled_root(e.v), e.position, e.weight};
  }
};

/// Trees of vertices that grow together along the edges of a list.
template <class Bits, std::integral Index, std::integral Offset>
class growing_trees {
 public:
  using edge = tree_edge<Bits, Index, Offset>;
  using choice = tree_choice<Bits, Offset>;

  /// Each vertex is a tree.
  template <context Context>
  growing_trees(Context& ctx, Index num_vertices)
      : parents_(ctx, num_vertices),
        roots_(ctx, num_vertices),
        next_roots_(ctx, num_vertices),
        choices_(ctx, num_vertices) {
    iota(ctx, parents_.data(), num_vertices);
  }

  /// The tree of each vertex, after settle().
  const Index* labels() const { return parents_.data(); }
  /// The edge that each tree has chosen.
  const choice* choices() const { return choices_.data(); }
  Offset num_edges() const { return num_edges_; }

  /// Begins with the edges k < `count` for which keep(k) is true, each of which joins two trees.
  /// Waits.
  template <context Context, class Edges, class Keep>
  void begin(Context& ctx, const Edges& edges, Offset count, Keep keep) {
    const compact_plan kept(ctx, count, keep);
    num_edges_ = kept.num_kept();
    edges_ = array<edge>(ctx, num_edges_);
    kept.write(take_tree_edge<Edges, edge, Index>{edges, labels(), edges_.data()});
    num_roots_ = static_cast<Index>(parents_.size());
    iota(ctx, roots_.data(), num_roots_);
  }

  /// Finds the lightest edge of each tree; of edges with the same weight the first one.
  template <context Context>
  void choose(Context& ctx) {
    choice* const choices = choices_.data();
    transform(ctx, num_roots_, clear_choice<choice, Index>{roots_.data(), choices});
    transform(ctx, num_edges_, lower_weight<edge, choice>{edges_.data(), choices});
    transform(ctx, num_edges_, lower_edge<edge, choice>{edges_.data(), choices});
  }

  /// Joins the trees by these edges, records the edges, and drops all edges within a tree. Waits.
  template <context Context>
  void join(Context& ctx, vertex_bitmap<Offset> chosen) {
    const component_forest<Index> forest{parents_.data()};
    transform(ctx, num_roots_,
              join_trees<edge, choice, Index, Offset>{edges_.data(), choices(), roots_.data(),
                                                      parents_.data(), chosen});
    transform(ctx, num_roots_, shorten_path_of<Index>{roots_.data(), forest});
    const compact_plan left(ctx, num_edges_, joins_trees<edge, Index>{edges_.data(), forest});
    array<edge> next(ctx, left.num_kept());
    left.write(move_tree_edge<edge, Index>{edges_.data(), forest, next.data()});
    edges_ = std::move(next);
    num_edges_ = left.num_kept();
    num_roots_ = compact(ctx, roots_.data(), num_roots_,
                         is_growing<choice, Index>{choices(), labels()}, next_roots_.data());
    std::swap(roots_, next_roots_);
  }

  /// Completes labels() for all vertices.
  template <context Context>
  void settle(Context& ctx) {
    const component_forest<Index> forest{parents_.data()};
    const auto n = static_cast<Index>(parents_.size());
    transform(ctx, n, shorten_path<Index>{forest});
  }

 private:
  Offset num_edges_ = 0;
  Index num_roots_ = 0;
  array<edge> edges_;
  array<Index> parents_, roots_, next_roots_;
  array<choice> choices_;
};

}  // namespace evenfold::detail
