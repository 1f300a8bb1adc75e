#pragma once
// A step bottom up: from the vertices that may join the next frontier back along the edges that
// lead to them.
//
// One worker searches the first edges to each of its vertices, and stops at the edge that makes the
// vertex join; in a large frontier few edges are read. The other edges to the vertices that are
// left then are shared out equally, however many there are to one vertex.

#include <concepts>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold::detail {

/// f(arguments...), or f(arguments..., values) if there are values.
template <class F, class... Values, class... Arguments>
EF_HD bool call_along(const F& f, const tuple<Values...>& values, Arguments... arguments) {
  if constexpr (sizeof...(Values) == 0) {
    return f(arguments...);
  } else {
    return f(arguments..., values);
  }
}

/// The search for edges from the frontier to vertices that are open.
template <std::integral Index, std::integral Offset, class F, class Open, class... Iterators>
struct edges_back {
  /// The number of edges to a vertex that one worker searches.
  static constexpr Offset first_edges = 32;

  const Offset* rows;
  const Index* columns;
  F f;
  Open open;
  tuple<Iterators...> cached;
  vertex_bitmap<Index> frontier, next;

  /// Lets v join the next frontier if f returns true for its edge. Returns whether v is open after
  /// that.
  EF_HD bool follow(Offset edge, Index v) const {
    const Index u = columns[edge];
    if (!frontier.test(u)) return true;
    if (call_along(f, load_at(cached, u), u, v)) next.set(v);
    return open(v);
  }

  /// Searches the first edges to v.
  EF_HD void search(Index v) const {
    if (!open(v)) return;
    const Offset end = rows[v] + (first_edges < degree(v) ? first_edges : degree(v));
    for (Offset edge = rows[v]; edge < end; ++edge) {
      if (!follow(edge, v)) return;
    }
  }

  EF_HD Offset degree(Index v) const { return rows[v + 1] - rows[v]; }
  EF_HD bool has_more(Index v) const { return degree(v) > first_edges && open(v); }
};

/// Searches the first edges to a vertex.
template <class Edges>
struct search_first_edges {
  Edges edges;

  template <std::integral Index>
  EF_HD void operator()(Index v) const {
    edges.search(v);
  }
};

/// Whether a vertex is open, and has edges that were not searched.
template <class Edges>
struct has_more_edges {
  Edges edges;

  template <std::integral Index>
  EF_HD bool operator()(Index v) const {
    return edges.has_more(v);
  }
};

/// The number of edges to vertices[s] that were not searched.
template <class Edges, std::integral Index>
struct count_more_edges {
  using heavy = void;

  Edges edges;
  const Index* vertices;

  EF_HD auto operator()(Index s) const { return edges.degree(vertices[s]) - Edges::first_edges; }
};

/// Searches an edge after the first ones.
template <class Edges, std::integral Index>
struct search_more_edges {
  Edges edges;

  template <std::integral Offset>
  EF_HD void operator()(Offset, Index, Offset rank, const tuple<Index>& vertex) const {
    const Index v = get<0>(vertex);
    if (edges.open(v)) edges.follow(edges.rows[v] + Edges::first_edges + rank, v);
  }
};

/// One step bottom up. `offsets` and `spare` have one element per vertex. Waits.
template <context Context, std::integral Index, class Edges, std::integral Offset>
void advance_back(Context& ctx, Index num_vertices, const Edges& edges, Offset* offsets,
                  Index* spare) {
  transform(ctx, num_vertices, search_first_edges<Edges>{edges});
  const Index left = compact_indices(ctx, num_vertices, has_more_edges<Edges>{edges}, spare);
  if (left == 0) return;
  array<Offset> all(ctx, 1);
  transform_scan<scan_kind::exclusive>(ctx, left, count_more_edges<Edges, Index>{edges, spare},
                                       offsets, plus{}, Offset{0}, all.data());
  transform_lbs(ctx, to_host(ctx, all)[0], search_more_edges<Edges, Index>{edges}, offsets, left,
                make_tuple(static_cast<const Index*>(spare)));
}

}  // namespace evenfold::detail
