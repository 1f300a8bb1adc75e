#pragma once
// connected_components: the connected components of a graph.

#include <algorithm>
#include <concepts>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// Trees over the vertices, which many workers link at the same time. The parent of a vertex has a
/// lower number, and the parent of a root is the root itself. Therefore links never form a cycle,
/// and the root of a tree is its lowest vertex in whatever order the links are made.
template <std::integral Index>
struct component_forest {
  Index* parents;

  EF_HD Index parent(Index v) const {
    return atomic_ref<Index>(parents[v]).load(memory_order_relaxed);
  }

  /// The root of the tree of v, for use when no links are made. Stores nothing.
  EF_HD Index settled_root(Index v) const {
    for (Index up = parent(v); up != v; up = parent(v)) v = up;
    return v;
  }

  /// The root that the tree of v had at some time during the call. Halves the path to it on the
  /// way: a delayed store writes an older ancestor, which is still an ancestor.
  EF_HD Index root(Index v) const {
    Index up = parent(v);
    while (up != v) {
      const Index above = parent(up);
      if (above != up) atomic_ref<Index>(parents[v]).store(above, memory_order_relaxed);
      v = up;
      up = above;
    }
    return v;
  }

  /// Links the trees of u and v.
  EF_HD void link(Index u, Index v) const {
    if (parent(u) == parent(v)) return;
    while (true) {
      u = root(u);
      v = root(v);
      if (u == v) return;
      Index later = u < v ? v : u;
      const Index earlier = u < v ? u : v;
      // Fails if another worker has linked this root meanwhile; its tree then has another root.
      const atomic_ref<Index> slot(parents[later]);
      if (slot.compare_exchange_strong(later, earlier, memory_order_relaxed)) return;
    }
  }
};

/// The first end of an edge from a vertex, if it is lower, else the vertex itself.
template <std::integral Index, std::integral Offset>
struct lower_neighbour {
  const Offset* rows;
  const Index* columns;

  EF_HD Index operator()(Index v) const {
    const Offset edge = rows[v];
    return edge < rows[v + 1] && columns[edge] < v ? columns[edge] : v;
  }
};

/// Links a vertex with the second end of an edge from it.
template <std::integral Index, std::integral Offset>
struct link_neighbour {
  component_forest<Index> forest;
  const Offset* rows;
  const Index* columns;

  EF_HD void operator()(Index v) const {
    const Offset edge = rows[v] + 1;
    if (edge < rows[v + 1]) forest.link(v, columns[edge]);
  }
};

/// Makes the root of the tree of a vertex its parent, while no links are made. Each step takes the
/// parent of the parent, which the other vertices of the path shorten at the same time: a path of n
/// vertices takes about log n steps. Stores nothing to other vertices, whose parents may be final.
template <std::integral Index>
struct shorten_path {
  component_forest<Index> forest;

  EF_HD void operator()(Index v) const {
    Index up = forest.parent(v);
    for (Index above = forest.parent(up); above != up; above = forest.parent(up)) {
      atomic_ref<Index>(forest.parents[v]).store(above, memory_order_relaxed);
      up = above;
    }
  }
};

/// Votes for a label, by the majority vote of Boyer and Moore. A label that most of the votes are
/// for wins in whatever order they are counted.
template <std::integral Index>
struct label_votes {
  Index label = 0;
  int votes = 0;
};

struct count_votes {
  template <std::integral Index>
  EF_HD label_votes<Index> operator()(const label_votes<Index>& a,
                                      const label_votes<Index>& b) const {
    if (a.label == b.label) return {a.label, a.votes + b.votes};
    return a.votes < b.votes ? label_votes<Index>{b.label, b.votes - a.votes}
                             : label_votes<Index>{a.label, a.votes - b.votes};
  }
};

/// i -> a vote for the label of the i-th sampled end of an edge
template <std::integral Index, std::integral Offset>
struct sampled_vote {
  const Index* labels;
  const Index* columns;
  Offset stride;

  EF_HD label_votes<Index> operator()(Offset i) const { return {labels[columns[i * stride]], 1}; }
};

/// v -> whether v is in the tree of one label.
template <std::integral Index>
struct has_label {
  using value_type = bool;
  component_forest<Index> forest;
  const Index* label;

  EF_HD bool operator[](Index v) const { return forest.parent(v) == *label; }
};

/// Links the trees of both ends of an edge, unless the edge leaves a vertex that is left out.
template <std::integral Index>
struct link_ends {
  component_forest<Index> forest;
  const Index* columns;

  template <std::integral Offset>
  EF_HD void operator()(Offset edge, Index u, Offset, const tuple<bool>& left_out) const {
    if (!skips(left_out)) forest.link(u, columns[edge]);
  }

  /// A backend may ask this once per vertex.
  EF_HD bool skips(const tuple<bool>& left_out) const { return get<0>(left_out); }
};

}  // namespace detail

/// labels[v] = the lowest vertex of the component of v. Two vertices are in the same component if a
/// path connects them, whatever the direction of its edges; in a directed graph these are the
/// weakly connected components.
///
/// - `labels`: one number per vertex, in the context's memory.
///
/// An edge links two trees by a compare-and-swap of a root; each edge needs to be linked once. At
/// first at most two edges of each vertex are, after which most vertices of a large component are
/// in one tree. A majority vote of a few vertices finds this tree. Then all edges are linked,
/// except those from its vertices: an edge that connects the tree to another vertex is also linked
/// from the other end. Work O(vertices + edges * log vertices), in practice a few steps per edge of
/// the vertices outside of the largest component; every worker gets the same number of edges plus
/// vertices. Reads `in` if the graph is directed. Scratch: one Index. The labels are deterministic.
/// Does not wait.
///
/// Errors: argument_error for a graph that is not square, or pointers on the wrong side;
/// allocation_error.
///
/// Example: examples/components.cpp.
/// Source: Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph
/// sampling", IPDPS 2018 (Afforest); Jaiganesh, Burtscher, "A high-performance connected components
/// implementation for GPUs", 2018 (links by compare-and-swap, smaller root first). Names elsewhere:
/// GAP cc, scipy.sparse.csgraph.connected_components, networkx.weakly_connected_components.
template <context Context, class Value, std::integral Index, std::integral Offset>
void connected_components(Context& ctx, const graph_view<Value, Index, Offset>& g, Index* labels) {
  detail::check_graph(ctx, "connected_components", g);
  detail::check_pointer(ctx, "connected_components", "labels", labels, g.num_vertices());
  const Index n = g.num_vertices();
  const detail::component_forest<Index> forest{labels};
  transform(ctx, n,
            write_result{detail::lower_neighbour<Index, Offset>{g.out.row_offsets, g.out.columns},
                         labels});
  if (g.num_edges() == 0) return;
  transform(ctx, n, detail::shorten_path<Index>{forest});
  transform(ctx, n,
            detail::link_neighbour<Index, Offset>{forest, g.out.row_offsets, g.out.columns});
  transform(ctx, n, detail::shorten_path<Index>{forest});
  array<detail::label_votes<Index>> largest(ctx, 1);
  const Offset samples = std::min<Offset>(g.num_edges(), 256);
  transform_reduce(
      ctx, samples,
      detail::sampled_vote<Index, Offset>{labels, g.out.columns, g.num_edges() / samples},
      detail::count_votes{}, detail::label_votes<Index>{}, largest.data());
  const auto left_out = make_tuple(detail::has_label<Index>{forest, &largest.data()->label});
  transform_lbs(ctx, g.num_edges(), detail::link_ends<Index>{forest, g.out.columns},
                g.out.row_offsets, n, left_out);
  if (!g.is_undirected()) {
    transform_lbs(ctx, g.num_edges(), detail::link_ends<Index>{forest, g.in.columns},
                  g.in.row_offsets, n, left_out);
  }
  transform(ctx, n, detail::shorten_path<Index>{forest});
}

/// The number of components, and the number of vertices of the largest.
template <std::integral Index>
struct component_counts {
  Index components = 0, largest = 0;
};

namespace detail {

/// The size of component c, whose members begin at begins[c].
template <std::integral Index>
struct component_size {
  using heavy = void;
  const Index* begins;
  Index count;
  Index num_vertices;

  EF_HD Index operator()(Index c) const {
    return (c + 1 < count ? begins[c + 1] : num_vertices) - begins[c];
  }
};

}  // namespace detail

/// Counts the components from the labels that connected_components() has written for `num_vertices`
/// vertices. Sorts a copy of the labels: work and scratch of sort() and unique_offsets(), plus
/// three Index per vertex. Deterministic. Waits.
///
/// Errors: argument_error for a negative count, or labels on the wrong side; allocation_error.
///
/// Example: examples/components.cpp.
/// Names elsewhere: numpy.unique(labels, return_counts=True).
template <context Context, std::integral Index>
component_counts<Index> count_components(Context& ctx, const Index* labels, Index num_vertices) {
  detail::check_count("count_components", "num_vertices", num_vertices);
  detail::check_pointer(ctx, "count_components", "labels", labels, num_vertices);
  array<Index> members(ctx, num_vertices);
  array<Index> firsts(ctx, num_vertices);
  array<Index> offsets(ctx, num_vertices);
  copy(ctx, labels, num_vertices, members.data());
  sort(ctx, members.data(), num_vertices, less{});
  component_counts<Index> result;
  const Index count =
      unique_offsets(ctx, members.data(), num_vertices, equal_to{}, firsts.data(), offsets.data());
  result.components = count;
  result.largest = transform_reduce(
      ctx, count, detail::component_size<Index>{offsets.data(), count, num_vertices}, maximum{},
      Index{0});
  return result;
}

}  // namespace evenfold
