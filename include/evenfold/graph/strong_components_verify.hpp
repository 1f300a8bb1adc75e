#pragma once
// strong_components_verify: whether labels are those of strongly connected components.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/components_report.hpp"
#include "evenfold/graph/first_violation.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold {

namespace detail {

/// Whether a vertex is its own label.
template <std::integral Index>
struct is_own_label {
  const Index* labels;

  EF_HD bool operator()(Index v) const { return labels[v] == v; }
};

/// Whether a label is not the first vertex of a component.
template <std::integral Index>
struct broken_label_law {
  const Index* labels;

  EF_HD components_law operator()(Index v) const {
    const Index label = labels[v];
    return label < 0 || label > v || labels[label] != label ? components_law::label
                                                            : components_law{};
  }
};

/// Whether an edge leads to a vertex with the same label that was not found before.
template <std::integral Index>
struct find_same_label {
  const Index* labels;
  vertex_bitmap<Index> found;

  template <std::integral Offset>
  EF_HD bool operator()(Offset, Index u, Index v) const {
    return labels[u] == labels[v] && found.set(v);
  }
};

/// Whether an edge leads to another component.
template <std::integral Index>
struct leaves_component {
  using heavy = void;
  const Index* rows;
  const Index* columns;
  const Index* labels;

  template <std::integral Offset>
  EF_HD bool operator()(Offset k) const {
    return labels[rows[k]] != labels[columns[k]];
  }
};

/// Writes the edge between two components, and counts it for the component that it leads to.
template <std::integral Index, std::integral Offset>
struct take_outer_edge {
  leaves_component<Index> edges;
  Index* rows;
  Index* columns;
  Offset* edges_to;

  EF_HD void operator()(Offset to, Offset k) const {
    const Index v = edges.labels[edges.columns[k]];
    rows[to] = edges.labels[edges.rows[k]];
    columns[to] = v;
    atomic_ref<Offset>(edges_to[v]).fetch_add(1, memory_order_relaxed);
  }
};

/// Whether a component has no edge from components that are left.
template <std::integral Index, std::integral Offset>
struct is_first_component {
  const Index* labels;
  const Offset* edges_to;

  EF_HD bool operator()(Index v) const { return labels[v] == v && edges_to[v] == 0; }
};

/// Removes an edge between components. Returns whether it was the last edge to its second
/// component.
template <std::integral Index, std::integral Offset>
struct remove_outer_edge {
  Offset* edges_to;

  EF_HD bool operator()(Offset, Index, Index v) const {
    return atomic_ref<Offset>(edges_to[v]).fetch_sub(1, memory_order_relaxed) == 1;
  }
};

/// The first law, of those about paths and cycles, that is broken at a vertex; components_law{} if
/// none is.
template <std::integral Index, std::integral Offset>
struct broken_strong_law {
  const Index* labels;
  vertex_bitmap<Index> backward, forward;
  const Offset* edges_to;

  EF_HD components_law operator()(Index v) const {
    if (!backward.test(v)) return components_law::path;
    if (!forward.test(v)) return components_law::path_back;
    return edges_to[labels[v]] == 0 ? components_law{} : components_law::cycle;
  }
};

}  // namespace detail

/// Whether labels[v] is the lowest vertex of the strongly connected component of v, for every
/// vertex v.
///
/// - `labels`: one number per vertex, in the context's memory; any numbers.
///
/// Two searches, along the edges and against them, find which vertices with a label have paths from
/// it and to it. Then components to which no edge leads are removed with their edges, until none is
/// left; what is left lies on a cycle or can be reached from one. Work O(vertices + edges), span
/// O(log vertices) per step of a search or of the removal: as many steps as the longest shortest
/// path in a component and the longest chain of components have. Scratch: that of two frontiers,
/// three bits, one byte and one Offset per vertex, and three Index per edge. Deterministic. Waits.
///
/// Errors: those of `strongly_connected_components`.
template <context Context, class Value, std::integral Index, std::integral Offset>
components_report strong_components_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                                           const std::type_identity_t<Index>* labels) {
  const Index n = g.num_vertices();
  detail::check_graph(ctx, "strong_components_verify", g);
  detail::check_pointer(ctx, "strong_components_verify", "labels", labels, n);
  components_report report;
  const auto with_label = [&] {
    if (!report.ok()) report.label = to_host(ctx, labels + report.vertex, 1)[0];
    return report;
  };
  detail::first_violation(ctx, n, detail::broken_label_law<Index>{labels}, report);
  if (!report.ok()) return with_label();

  frontier<Index, Offset> vertices(ctx, g);
  const auto search = [&](const graph_view<Value, Index, Offset>& along,
                          detail::vertex_bitmap<Index> found) {
    vertices.assign([&](Index* to, Index*) {
      return compact_indices(ctx, n, detail::is_own_label<Index>{labels}, to);
    });
    transform(ctx, vertices.size(), detail::join_bitmap<Index>{found, vertices.vertices()});
    while (!vertices.empty()) {
      advance(ctx, along, vertices, detail::find_same_label<Index>{labels, found});
    }
  };
  array<std::uint32_t> forward_bits = detail::empty_bitmap(ctx, n);
  array<std::uint32_t> backward_bits = detail::empty_bitmap(ctx, n);
  search(g, {forward_bits.data()});
  search({g.in, g.out}, {backward_bits.data()});

  // The edges between components, and how many lead to each.
  const array<Index> rows = rows_of_entries(ctx, g.out);
  const detail::leaves_component<Index> leaves{rows.data(), g.out.columns, labels};
  const compact_plan outer(ctx, g.num_edges(), leaves);
  array<Offset> edges_to(ctx, n);
  fill(ctx, edges_to.data(), n, Offset{0});
  coo<pattern, Index, Offset> between(ctx, n, n, outer.num_kept());
  outer.write(detail::take_outer_edge<Index, Offset>{leaves, between.rows.data(),
                                                     between.columns.data(), edges_to.data()});
  const csr<pattern, Index, Offset> condensed =
      to_csr(ctx, std::as_const(between).view(), duplicates::keep);
  const graph_view<const pattern, Index, Offset> chain{condensed.view(), condensed.view()};
  vertices.assign([&](Index* to, Index*) {
    return compact_indices(ctx, n,
                           detail::is_first_component<Index, Offset>{labels, edges_to.data()}, to);
  });
  while (!vertices.empty()) {
    advance(ctx, chain, vertices, detail::remove_outer_edge<Index, Offset>{edges_to.data()});
  }
  detail::first_violation(
      ctx, n,
      detail::broken_strong_law<Index, Offset>{
          labels, {backward_bits.data()}, {forward_bits.data()}, edges_to.data()},
      report);
  return with_label();
}

}  // namespace evenfold
