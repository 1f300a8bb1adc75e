#pragma once
// k_core: the core number of every vertex.
//
// Idea: vertices of degree at most k are removed, with their edges, until none is left; then k
// rises to the lowest degree that remains. The removed vertices are a frontier: each edge of the
// frontier lowers the degree of its other end, and the edge that lowers it to k puts that vertex
// into the next frontier.

#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/neighbours.hpp"
#include "evenfold/sparse/degrees.hpp"

namespace evenfold {

namespace detail {

/// Whether the degree of a vertex is at most k.
template <std::integral Index>
struct is_removed {
  const Index* degrees;
  Index k;
  EF_HD bool operator()(Index v) const { return degrees[v] <= k; }
};

/// Whether the degree of a vertex is larger than k.
template <std::integral Index>
struct is_left {
  const Index* degrees;
  Index k;
  EF_HD bool operator()(Index v) const { return degrees[v] > k; }
};

/// Lowers the degree of the vertex that an edge leads to. Returns whether this call has lowered it
/// to k.
template <std::integral Index>
struct lower_degree {
  Index* degrees;
  Index* cores;
  Index k;

  template <std::integral Offset>
  EF_HD bool operator()(Offset, Index, Index v) const {
    const atomic_ref<Index> degree(degrees[v]);
    if (degree.load(memory_order_relaxed) <= k) return false;  // removed
    if (degree.fetch_sub(1, memory_order_relaxed) != k + 1) return false;
    cores[v] = k;
    return true;
  }
};

}  // namespace detail

/// cores[v] = the largest k for which v belongs to a k-core: a set of vertices each of which has at
/// least k neighbours in the set. Returns the largest core number, the degeneracy of the graph; 0
/// without vertices.
///
/// Neighbours are the vertices that an edge joins in either direction; self-loops and repeated
/// edges make no difference.
///
/// - `cores`: one number per vertex, in the context's memory.
///
/// Work O(edges + vertices * distinct core numbers), where only vertices that are left are counted
/// again; every worker gets the same number of edges plus vertices of a frontier. Span O(rounds *
/// log vertices) plus the shares of the workers. Scratch: five Index and one Offset per vertex, one
/// Index per edge of the frontier, and a copy of a graph that is directed or not simple, as for
/// `triangle_count`. Deterministic. Waits three times per distinct core number and twice per round.
///
/// Errors: argument_error for a graph that is not square, and for pointers on the wrong side;
/// allocation_error.
///
/// Example: examples/k_core.cpp.
/// Source: Matula, Beck, "Smallest-last ordering and clustering and graph coloring algorithms",
/// JACM 1983; Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW 2017.
/// Names elsewhere: networkx.core_number, igraph_coreness, cugraph.core_number.
template <context Context, class Value, std::integral Index, std::integral Offset>
Index k_core(Context& ctx, const graph_view<Value, Index, Offset>& g, Index* cores) {
  detail::check_graph(ctx, "k_core", g);
  const Index n = g.num_vertices();
  detail::check_pointer(ctx, "k_core", "cores", cores, n);
  const auto neighbours = detail::neighbours_of(ctx, g);
  const graph_view<const pattern, Index, Offset> simple{neighbours.rows, neighbours.rows};
  array<Index> degrees(ctx, n);
  array<Index> left(ctx, n);
  array<Index> still_left(ctx, n);
  frontier<Index, Offset> removed(ctx, simple);
  transform(ctx, n,
            write_result{detail::row_length<Offset>{simple.out.row_offsets}, degrees.data()});
  iota(ctx, left.data(), n);

  Index k = 0;
  for (Index count = n; count > 0; std::swap(left, still_left)) {
    const Index lowest = transform_reduce(ctx, count, gathered_element{degrees.data(), left.data()},
                                          minimum{}, detail::largest_number<Index>);
    k = lowest > k ? lowest : k;
    removed.assign([&](Index* vertices, Index*) {
      return compact(ctx, left.data(), count, detail::is_removed<Index>{degrees.data(), k},
                     vertices);
    });
    transform(ctx, removed.size(), detail::set_at<Index, Index>{removed.vertices(), cores, k});
    while (!removed.empty()) {
      advance(ctx, simple, removed, detail::lower_degree<Index>{degrees.data(), cores, k});
    }
    count = compact(ctx, left.data(), count, detail::is_left<Index>{degrees.data(), k},
                    still_left.data());
  }
  return k;
}

}  // namespace evenfold
