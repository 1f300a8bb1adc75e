#pragma once
// components_verify: whether labels are those of connected components.

#include <concepts>
#include <cstdint>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/components_report.hpp"
#include "evenfold/graph/first_violation.hpp"

namespace evenfold {

namespace detail {

/// Whether a vertex is its own label.
template <std::integral Index>
struct is_root {
  const Index* labels;

  EF_HD bool operator()(Index v) const { return labels[v] == v; }
};

/// Marks the vertex that an edge leaves, if it leads to another component.
template <std::integral Index>
struct mark_split_edge {
  const Index* columns;
  const Index* labels;
  vertex_bitmap<Index> split;

  template <std::integral Offset>
  EF_HD void operator()(Offset edge, Index u, Offset, const tuple<Index>& label) const {
    if (labels[columns[edge]] != get<0>(label)) split.set(u);
  }
};

/// Whether an edge leads to a vertex that was not found before.
template <std::integral Index>
struct find_end {
  vertex_bitmap<Index> found;

  template <std::integral Offset>
  EF_HD bool operator()(Offset, Index, Index v) const {
    return found.set(v);
  }
};

/// The first law that is broken at a vertex, or components_law{}.
template <std::integral Index>
struct broken_component_law {
  const Index* labels;
  Index num_vertices;
  vertex_bitmap<Index> split, found;

  EF_HD components_law operator()(Index v) const {
    const Index label = labels[v];
    if (label < 0 || label > v || labels[label] != label) return components_law::label;
    if (split.test(v)) return components_law::edge;
    return found.test(v) ? components_law{} : components_law::path;
  }
};

}  // namespace detail

/// Whether labels[v] is the lowest vertex of the component of v, for every vertex v.
///
/// - `labels`: one number per vertex, in the context's memory; any numbers.
///
/// Checks the label at both ends of every edge, and follows edges in both directions from the
/// vertices that are their own labels. Work O(vertices + edges), span that of a breadth-first
/// search. Scratch: that of two frontiers, and three bits per vertex. Deterministic. Waits.
///
/// Errors: those of `connected_components`; allocation_error.
template <context Context, class Value, std::integral Index, std::integral Offset>
components_report components_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                                    const std::type_identity_t<Index>* labels) {
  const Index n = g.num_vertices();
  detail::check_graph(ctx, "components_verify", g);
  detail::check_pointer(ctx, "components_verify", "labels", labels, n);
  array<std::uint32_t> split_bits = detail::empty_bitmap(ctx, n);
  array<std::uint32_t> found_bits = detail::empty_bitmap(ctx, n);
  const detail::vertex_bitmap<Index> split{split_bits.data()}, found{found_bits.data()};
  transform_lbs(ctx, g.num_edges(), detail::mark_split_edge<Index>{g.out.columns, labels, split},
                g.out.row_offsets, n, make_tuple(labels));

  frontier<Index, Offset> from(ctx, g), against(ctx, g);
  from.assign([&](Index* vertices, Index*) {
    return compact_indices(ctx, n, detail::is_root<Index>{labels}, vertices);
  });
  transform(ctx, from.size(), detail::join_bitmap<Index>{found, from.vertices()});
  while (!from.empty()) {
    if (!g.is_undirected()) {
      against.assign([&](Index* vertices, Index*) {
        copy(ctx, from.vertices(), from.size(), vertices);
        return from.size();
      });
    }
    advance(ctx, g, from, detail::find_end<Index>{found});
    if (g.is_undirected()) continue;
    advance(ctx, graph_view<Value, Index, Offset>{g.in, g.out}, against,
            detail::find_end<Index>{found});
    from.assign([&, kept = from.size()](Index* vertices, Index*) {
      copy(ctx, against.vertices(), against.size(), vertices + kept);
      return kept + against.size();
    });
  }
  components_report report;
  detail::first_violation(ctx, n, detail::broken_component_law<Index>{labels, n, split, found},
                          report);
  if (!report.ok()) report.label = to_host(ctx, labels + report.vertex, 1)[0];
  return report;
}

}  // namespace evenfold
