#pragma once
// connected_components: which vertices hang together.

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

/// Trees over the vertices, which many workers link at the same time: a vertex has a parent before
/// it, the root of a tree itself. So no link closes a circle, and the root of a tree is its first
/// vertex, whoever came first.
template <std::integral Index>
struct component_forest {
  Index* parents;

  EF_HD Index parent(Index v) const {
    return atomic_ref<Index>(parents[v]).load(memory_order_relaxed);
  }

  /// The root of v's tree, while nobody links. Stores nothing.
  EF_HD Index settled_root(Index v) const {
    for (Index up = parent(v); up != v; up = parent(v)) v = up;
    return v;
  }

  /// The root of v's tree as it was at some time of the call. Halves the way there: a late store
  /// writes an older ancestor, which is one still.
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

  /// Makes one tree of those of u and v.
  EF_HD void link(Index u, Index v) const {
    while (true) {
      u = root(u);
      v = root(v);
      if (u == v) return;
      Index later = u < v ? v : u;
      const Index earlier = u < v ? u : v;
      // Fails where another worker has linked this root; then there is more of the tree to climb.
      const atomic_ref<Index> slot(parents[later]);
      if (slot.compare_exchange_strong(later, earlier, memory_order_relaxed)) return;
    }
  }
};

/// Makes one tree of those of the ends of an edge.
template <std::integral Index>
struct link_ends {
  component_forest<Index> forest;
  const Index* ends;
  bool both_ways;  ///< whether each edge is there in the other direction, too

  template <std::integral Offset>
  EF_HD void operator()(Offset edge, Index u, Offset) const {
    const Index v = ends[edge];
    if (!both_ways || v < u) forest.link(u, v);
  }
};

/// Labels a vertex with the root of its tree. Does not halve the way there: a late store would
/// replace a label with another ancestor.
template <std::integral Index>
struct label_with_root {
  component_forest<Index> forest;

  EF_HD void operator()(Index v) const {
    const Index root = forest.settled_root(v);
    atomic_ref<Index>(forest.parents[v]).store(root, memory_order_relaxed);
  }
};

/// labels[v] = the first vertex of the component that has v: two vertices are in one component if a
/// way leads from one to the other, whatever the direction of its edges. In a directed graph these
/// are the weakly connected components.
///
/// - `labels`: one number a vertex, in the context's memory.
///
/// Every edge links two trees by a compare-and-swap of a root; one pass over the edges is enough.
/// Work O(vertices + edges * log vertices), in practice a few steps an edge; every worker gets the
/// same number of edges + vertices. Of a directed graph it reads `out` alone, of an undirected one
/// it links each pair of edges once. No scratch. The labels are deterministic. Does not wait.
///
/// Errors: argument_error for a graph that is none, or pointers on the wrong side.
///
/// Example: examples/components.cpp.
/// Source: Jaiganesh, Burtscher, "A high-performance connected components implementation for GPUs",
/// 2018 (links by compare-and-swap, smaller root first). Names elsewhere:
/// scipy.sparse.csgraph.connected_components, networkx.weakly_connected_components.
template <context Context, class Value, std::integral Index, std::integral Offset>
void connected_components(Context& ctx, const graph_view<Value, Index, Offset>& g, Index* labels) {
  check_graph(ctx, "connected_components", g);
  check_pointer(ctx, "connected_components", "labels", labels, g.num_vertices());
  const component_forest<Index> forest{labels};
  transform(ctx, g.num_vertices(), write_result{own_place{}, labels});
  transform_lbs(ctx, g.num_edges(), link_ends<Index>{forest, g.out.columns, g.is_undirected()},
                g.out.row_offsets, g.num_vertices());
  transform(ctx, g.num_vertices(), label_with_root<Index>{forest});
}

/// How many components there are, and how many vertices the largest has.
template <std::integral Index>
struct component_counts {
  Index components = 0, largest = 0;
};

/// The size of a component whose members begin at begins[c].
template <std::integral Index>
struct component_size {
  const Index* begins;
  Index count;
  Index num_vertices;

  EF_HD Index operator()(Index c) const {
    return (c + 1 < count ? begins[c + 1] : num_vertices) - begins[c];
  }
};

/// Counts the components whose labels connected_components() has written for `num_vertices`
/// vertices. Sorts a copy of the labels: work and scratch of sort() and unique_offsets(), and
/// three Index a vertex. Deterministic. Waits.
///
/// Errors: argument_error for a negative count, or labels on the wrong side; allocation_error.
///
/// Example: examples/components.cpp.
/// Names elsewhere: numpy.unique(labels, return_counts=True).
template <context Context, std::integral Index>
component_counts<Index> count_components(Context& ctx, const Index* labels, Index num_vertices) {
  check_count("count_components", "num_vertices", num_vertices);
  check_pointer(ctx, "count_components", "labels", labels, num_vertices);
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
      ctx, count, component_size<Index>{offsets.data(), count, num_vertices}, maximum{}, Index{0});
  return result;
}

}  // namespace evenfold
