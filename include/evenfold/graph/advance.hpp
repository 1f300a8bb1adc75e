#pragma once
// advance: one step of a graph algorithm from a frontier along its edges, top down or bottom up.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/lbs_workcreate.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/traversal.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/graph/advance_bottom_up.hpp"
#include "evenfold/graph/frontier.hpp"
#include "evenfold/graph/graph.hpp"

namespace evenfold {

namespace detail {

/// The out-degree of vertex s of the frontier.
template <std::integral Index, std::integral Offset>
struct degree_at {
  const Offset* rows;
  const Index* frontier;

  EF_HD Offset operator()(Index s) const { return rows[frontier[s] + 1] - rows[frontier[s]]; }
};

/// Makes the frontier segments of edges: offsets[s] = the number of edges that leave frontier[0],
/// ..., frontier[s - 1]. Returns the number of all edges. Waits.
template <context Context, class Value, std::integral Index, std::integral Offset>
Offset segments_of_edges(Context& ctx, const csr_view<Value, Index, Offset>& out,
                         const Index* frontier, Index size, Offset* offsets) {
  array<Offset> all(ctx, 1);
  transform_scan<scan_kind::exclusive>(ctx, size,
                                       degree_at<Index, Offset>{out.row_offsets, frontier}, offsets,
                                       plus{}, Offset{0}, all.data());
  return to_host(ctx, all)[0];
}

/// s -> the first edge of vertex s of the frontier.
template <std::integral Index, std::integral Offset>
struct first_edges {
  const Offset* rows;
  const Index* frontier;

  EF_HD Offset operator[](Index s) const { return rows[frontier[s]]; }
};

/// s -> the values of vertex s of the frontier.
template <std::integral Index, class... Iterators>
struct values_of_vertices {
  tuple<Iterators...> by_vertex;
  const Index* frontier;

  EF_HD tuple<element_t<Iterators>...> operator[](Index s) const {
    return load_at(by_vertex, frontier[s]);
  }
};

/// The vertex that an edge leads to, if f returns true for the edge.
template <std::integral Index, std::integral Offset, class F>
struct follow_edge {
  const Index* columns;
  F f;

  template <class... Values>
  EF_HD optional<Index> operator()(Offset, Index, Offset rank,
                                   const tuple<Index, Offset, tuple<Values...>>& from) const {
    const Offset edge = get<1>(from) + rank;
    const Index v = columns[edge];
    if (!call_along(f, get<2>(from), edge, get<0>(from), v)) return nullopt;
    return v;
  }
};

/// One step from the `size` vertices of `frontier`, whose edges begin at `offsets` and are `edges`
/// in all. Writes the vertices of the next frontier, and returns their number. Waits.
template <context Context, class Value, std::integral Index, std::integral Offset, class F,
          class... Iterators>
Index advance_along(Context& ctx, const csr_view<Value, Index, Offset>& out, const Index* frontier,
                    Index size, const Offset* offsets, Offset edges, F f,
                    tuple<Iterators...> cached, Index* next) {
  return static_cast<Index>(
      lbs_workcreate(ctx, edges, follow_edge<Index, Offset, F>{out.columns, f}, offsets, size,
                     make_tuple(frontier, first_edges<Index, Offset>{out.row_offsets, frontier},
                                values_of_vertices<Index, Iterators...>{cached, frontier}),
                     next));
}

/// f(u, v) as a function of an edge to a vertex that is open.
template <class F, class Open>
struct follow_if_open {
  F f;
  Open open;

  template <std::integral Offset, std::integral Index, class... Values>
  EF_HD bool operator()(Offset, Index u, Index v, const Values&... values) const {
    return open(v) && f(u, v, values...);
  }
};

}  // namespace detail

/// Calls f(edge, u, v) for every edge from a vertex u of the frontier to a vertex v, in any order,
/// concurrently. f returns whether v joins the next frontier, which then replaces `from`. Returns
/// the number of edges.
///
/// - `g`: a graph in the context's memory. `edge` is the position of the edge in g.out.columns and
///   g.out.values.
/// - `f`: may write to what it has captured; different calls that write to one address use
///   `atomic_ref`. It returns true at most once for each vertex v in one call of `advance`, as a
///   function does that claims v by an atomic operation.
/// - `cached`: `make_tuple(iterators...)`, each indexed by vertex. f is then called as
///   f(edge, u, v, values), where `values` is the tuple of their values at u. A worker reads them
///   once per vertex, not once per edge.
///
/// Every worker gets the same number of edges + vertices, however uneven the degrees. Work
/// O(edges + vertices of the frontier), span O((edges + vertices) / workers + log vertices +
/// workers). Scratch: one Index per edge, of which only as many are used as vertices join. The
/// order of the next frontier is that of the edges, and deterministic if f is. Waits twice.
///
/// Errors: argument_error for pointers on the wrong side; allocation_error before f is called.
///
/// Example: examples/advance.cpp.
/// Source: Wang et al., "Gunrock: a high-performance graph processing library on the GPU", PPoPP
/// 2016; Shun and Blelloch, "Ligra", PPoPP 2013. Names elsewhere: Gunrock advance, Ligra edgeMap,
/// GBBS edgeMap, GraphBLAS vxm with a mask.
template <context Context, class Value, std::integral Index, std::integral Offset, class F,
          class... Iterators>
Offset advance(Context& ctx, const graph_view<Value, Index, Offset>& g,
               frontier<std::type_identity_t<Index>, std::type_identity_t<Offset>>& from, F f,
               tuple<Iterators...> cached = {}) {
  const Offset edges =
      detail::segments_of_edges(ctx, g.out, from.vertices(), from.size(), from.offsets());
  from.replace([&](Index* next) {
    return detail::advance_along(ctx, g.out, from.vertices(), from.size(), from.offsets(), edges, f,
                                 cached, next);
  });
  return edges;
}

/// How `advance` finds the edges: top down from the vertices of the frontier, bottom up from the
/// vertices that may join the next one, or in the direction that seems to read fewer edges.
enum class advance_direction { automatic, top_down, bottom_up };

/// The result of a step.
template <std::integral Offset>
struct advance_step {
  /// The number of edges from the frontier.
  Offset edges;
  traversal direction;
};

/// The same in either direction, for a function that needs only one edge to a vertex: calls f(u, v)
/// for edges from a vertex u of the frontier to a vertex v for which open(v) is true. f returns
/// whether v joins the next frontier.
///
/// - `f`: is called for every such edge until open(v) is false, and perhaps for some more. It may
///   be called for several edges to v at the same time, and returns true for at most one of them.
/// - `open(v)`: whether v may still join. Usually false from the time on when f has returned true
///   for v; it then reads by `atomic_ref` what f writes.
/// - `cached`: f is then called as f(u, v, values).
/// - `direction`: bottom up, g.in is read instead of g.out. `automatic` goes bottom up if the
///   frontier has more than a twentieth of all edges.
///
/// The next frontier has the same vertices in either direction if f and `open` depend on nothing
/// else than the frontier and the vertex; bottom up they ascend.
///
/// Top down as above. Bottom up: work O(vertices + edges to open vertices), but one worker reads
/// the first 32 edges to a vertex and stops where it is no longer open; further edges are shared
/// out equally. Span O((edges + vertices) / workers + log vertices + workers). Scratch: two bits
/// per vertex. Waits up to five times.
///
/// Example: examples/advance.cpp.
/// Source: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012; Shun
/// and Blelloch, "Ligra", PPoPP 2013. Names elsewhere: Ligra and GBBS edgeMap, where `open` is
/// `cond`; Gunrock advance with a pull direction; GraphBLAS vxm and mxv with a mask.
template <context Context, class Value, std::integral Index, std::integral Offset, class F,
          class Open, class... Iterators>
advance_step<Offset> advance(
    Context& ctx, const graph_view<Value, Index, Offset>& g,
    frontier<std::type_identity_t<Index>, std::type_identity_t<Offset>>& from, F f, Open open,
    tuple<Iterators...> cached, advance_direction direction = advance_direction::automatic) {
  const Offset edges =
      detail::segments_of_edges(ctx, g.out, from.vertices(), from.size(), from.offsets());
  const bool many = edges > g.num_edges() / 20;
  if (direction == advance_direction::top_down ||
      (direction == advance_direction::automatic && !many)) {
    from.replace([&](Index* next) {
      return detail::advance_along(ctx, g.out, from.vertices(), from.size(), from.offsets(), edges,
                                   detail::follow_if_open<F, Open>{f, open}, cached, next);
    });
    return {edges, traversal::top_down};
  }
  from.replace_bits(ctx, [&](const auto& bits, const auto& next, Index* spare) {
    const detail::edges_back<Index, Offset, F, Open, Iterators...> edges_to_open{
        g.in.row_offsets, g.in.columns, f, open, cached, bits, next};
    detail::advance_back(ctx, g.num_vertices(), edges_to_open, from.offsets(), spare);
  });
  return {edges, traversal::bottom_up};
}

/// The same without cached values.
template <context Context, class Value, std::integral Index, std::integral Offset, class F,
          class Open>
advance_step<Offset> advance(
    Context& ctx, const graph_view<Value, Index, Offset>& g,
    frontier<std::type_identity_t<Index>, std::type_identity_t<Offset>>& from, F f, Open open,
    advance_direction direction = advance_direction::automatic) {
  return evenfold::advance(ctx, g, from, f, open, tuple<>{}, direction);
}

}  // namespace evenfold
