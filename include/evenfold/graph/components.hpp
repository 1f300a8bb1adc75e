#pragma once
// connected_components: the connected components of a graph.

#include <concepts>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/functional.hpp"
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

/// Links the trees of both ends of an edge.
template <std::integral Index>
struct link_ends {
  component_forest<Index> forest;
  const Index* ends;
  bool both_ways;  ///< whether each edge is stored in both directions

  template <std::integral Offset>
  EF_HD void operator()(Offset edge, Index u, Offset) const {
    const Index v = ends[edge];
    if (!both_ways || v < u) forest.link(u, v);
  }
};

/// Labels a vertex with the root of its tree. Does not halve the path: a delayed store could
/// replace a label by another ancestor.
template <std::integral Index>
struct label_with_root {
  component_forest<Index> forest;

  EF_HD void operator()(Index v) const {
    const Index root = forest.settled_root(v);
    atomic_ref<Index>(forest.parents[v]).store(root, memory_order_relaxed);
  }
};

}  // namespace detail

/// labels[v] = the lowest vertex of the component of v. Two vertices are in the same component if a
/// path connects them, whatever the direction of its edges; in a directed graph these are the
/// weakly connected components.
///
/// - `labels`: one number per vertex, in the context's memory.
///
/// Every edge links two trees by a compare-and-swap of a root; one pass over the edges is enough.
/// Work O(vertices + edges * log vertices), in practice a few steps per edge; every worker gets the
/// same number of edges plus vertices. Reads only `out`. Of the two stored edges of an undirected
/// edge, one is linked. No scratch. The labels are deterministic. Does not wait.
///
/// Errors: argument_error for a graph that is not square, or pointers on the wrong side.
///
/// Example: examples/components.cpp.
/// Source: Jaiganesh, Burtscher, "A high-performance connected components implementation for GPUs",
/// 2018 (links by compare-and-swap, smaller root first). Names elsewhere:
/// scipy.sparse.csgraph.connected_components, networkx.weakly_connected_components.
template <context Context, class Value, std::integral Index, std::integral Offset>
void connected_components(Context& ctx, const graph_view<Value, Index, Offset>& g, Index* labels) {
  detail::check_graph(ctx, "connected_components", g);
  detail::check_pointer(ctx, "connected_components", "labels", labels, g.num_vertices());
  const detail::component_forest<Index> forest{labels};
  transform(ctx, g.num_vertices(), write_result{own_index{}, labels});
  transform_lbs(ctx, g.num_edges(),
                detail::link_ends<Index>{forest, g.out.columns, g.is_undirected()},
                g.out.row_offsets, g.num_vertices());
  transform(ctx, g.num_vertices(), detail::label_with_root<Index>{forest});
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
