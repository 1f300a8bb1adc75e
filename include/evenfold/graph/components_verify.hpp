#pragma once
// components_verify: whether labels are those of connected components.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/components.hpp"
#include "evenfold/graph/components_report.hpp"
#include "evenfold/graph/first_violation.hpp"

namespace evenfold {

namespace detail {

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

/// Links the trees at both ends of an edge.
template <std::integral Index>
struct link_edge {
  component_forest<Index> forest;
  const Index* columns;

  template <std::integral Offset>
  EF_HD void operator()(Offset edge, Index u, Offset) const {
    forest.link(u, columns[edge]);
  }
};

/// The first law that is broken at a vertex, or components_law{}.
template <std::integral Index>
struct broken_component_law {
  const Index* labels;
  /// The lowest vertex that paths connect with each vertex.
  const Index* lowest;
  vertex_bitmap<Index> split;

  EF_HD components_law operator()(Index v) const {
    const Index label = labels[v];
    if (label < 0 || label > v || labels[label] != label) return components_law::label;
    if (split.test(v)) return components_law::edge;
    return lowest[v] == label ? components_law{} : components_law::path;
  }
};

}  // namespace detail

/// Whether labels[v] is the lowest vertex of the component of v, for every vertex v.
///
/// - `labels`: one number per vertex, in the context's memory; any numbers.
///
/// Checks the label at both ends of every edge, and links the ends of all edges, of which
/// `connected_components` leaves most out. Work O(vertices + edges * log vertices), span O(work /
/// workers + log vertices), however long the paths are. Scratch: one Index, one byte and one bit
/// per vertex. Deterministic. Waits.
///
/// Errors: those of `connected_components`; allocation_error.
template <context Context, class Value, std::integral Index, std::integral Offset>
components_report components_verify(Context& ctx, const graph_view<Value, Index, Offset>& g,
                                    const std::type_identity_t<Index>* labels) {
  const Index n = g.num_vertices();
  detail::check_graph(ctx, "components_verify", g);
  detail::check_pointer(ctx, "components_verify", "labels", labels, n);
  array<std::uint32_t> split_bits = detail::empty_bitmap(ctx, n);
  const detail::vertex_bitmap<Index> split{split_bits.data()};
  transform_lbs(ctx, g.num_edges(), detail::mark_split_edge<Index>{g.out.columns, labels, split},
                g.out.row_offsets, n, make_tuple(labels));
  array<Index> lowest(ctx, n);
  const detail::component_forest<Index> forest{lowest.data()};
  iota(ctx, lowest.data(), n);
  transform_lbs(ctx, g.num_edges(), detail::link_edge<Index>{forest, g.out.columns},
                g.out.row_offsets, n);
  transform(ctx, n, detail::shorten_path<Index>{forest});
  components_report report;
  detail::first_violation(ctx, n, detail::broken_component_law<Index>{labels, lowest.data(), split},
                          report);
  if (!report.ok()) report.label = to_host(ctx, labels + report.vertex, 1)[0];
  return report;
}

}  // namespace evenfold
