#pragma once
// advance: one step of a graph algorithm from a frontier along its edges.

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/algorithm/lbs_workcreate.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/tuple.hpp"
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
    bool joins = false;
    if constexpr (sizeof...(Values) == 0) {
      joins = f(edge, get<0>(from), v);
    } else {
      joins = f(edge, get<0>(from), v, get<2>(from));
    }
    if (!joins) return nullopt;
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

}  // namespace detail

/// A list of vertices in the memory of a context, with the scratch of `advance`: two Index and one
/// Offset per vertex of the graph. Move-only.
template <std::integral Index = std::int32_t, std::integral Offset = Index>
class frontier {
 public:
  /// The frontier of these vertices, which are on the host. Each of them is a vertex of the graph,
  /// and occurs once.
  template <context Context, class Value>
  frontier(Context& ctx, const graph_view<Value, Index, Offset>& g,
           const std::vector<std::type_identity_t<Index>>& vertices = {})
      : size_(static_cast<Index>(vertices.size())),
        vertices_(ctx, g.num_vertices()),
        next_(ctx, g.num_vertices()),
        offsets_(ctx, g.num_vertices()) {
    copy(ctx, vertices.data(), size_, vertices_.data());
    ctx.synchronize();
  }

  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The vertices, in the memory of the context.
  const Index* vertices() const { return vertices_.data(); }

  /// Replaces the vertices: write(vertices, spare) writes at most as many as the graph has to
  /// `vertices`, and returns their number. `spare` has the same size, and may be overwritten.
  template <class Write>
  void assign(Write write) {
    size_ = write(vertices_.data(), next_.data());
  }

  /// `advance` calls step(vertices, size, offsets, next), which writes the next frontier and
  /// returns its size.
  template <class Step>
  void replace(Step step) {
    size_ = step(std::as_const(vertices_).data(), size_, offsets_.data(), next_.data());
    std::swap(vertices_, next_);
  }

 private:
  Index size_;
  array<Index> vertices_, next_;
  array<Offset> offsets_;
};

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
  Offset edges = 0;
  from.replace([&](const Index* vertices, Index size, Offset* offsets, Index* next) {
    edges = detail::segments_of_edges(ctx, g.out, vertices, size, offsets);
    return detail::advance_along(ctx, g.out, vertices, size, offsets, edges, f, cached, next);
  });
  return edges;
}

}  // namespace evenfold
