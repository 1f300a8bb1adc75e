#pragma once
// strongly_connected_components: sets of vertices with paths from each to each.

#include <concepts>
#include <cstdint>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bitmap.hpp"
#include "evenfold/graph/check_graph.hpp"
#include "evenfold/graph/strong_components_parts.hpp"

namespace evenfold {

/// labels[v] = the lowest vertex of the strongly connected component of v: the vertices to which a
/// path leads from v, and from which a path leads to v, along the directions of the edges.
///
/// - `g`: a graph in the context's memory; both directions are read.
/// - `labels`: one number per vertex, in the context's memory.
///
/// Forward-backward search. A round cuts the vertices into regions, which edges connect in any
/// direction, and trims vertices that have no edge to or no edge from their region. From one pivot
/// per region, which looks random, two searches follow the edges forward and backward. The vertices
/// that both find are a component. Every other component lies among the vertices that only one of
/// them finds, or among those that neither finds; these parts are cut in the next round. All
/// regions are searched at the same time, by `advance`.
///
/// Work O(rounds * (vertices + edges)), where the number of rounds is expected to be logarithmic in
/// the longest chain of components; span O(rounds * the longest search). Scratch: six Index, two
/// Offset and seven bits per vertex, one Index per edge of the frontier. Deterministic. Waits.
///
/// Errors: argument_error for a graph that is not square, or pointers on the wrong side;
/// allocation_error.
///
/// Example: examples/components.cpp.
/// Source: Fleischer, Hendrickson, Pinar, "On identifying strongly connected components in
/// parallel", IPDPS workshops 2000; McLendon et al., "Finding strongly connected components in
/// distributed graphs", JPDC 65, 2005 (trimming). Names elsewhere: cugraph.
/// strongly_connected_components, networkx.strongly_connected_components,
/// scipy.sparse.csgraph.connected_components(connection='strong').
template <context Context, class Value, std::integral Index, std::integral Offset>
void strongly_connected_components(Context& ctx, const graph_view<Value, Index, Offset>& g,
                                   Index* labels) {
  const Index n = g.num_vertices();
  detail::check_graph(ctx, "strongly_connected_components", g);
  detail::check_pointer(ctx, "strongly_connected_components", "labels", labels, n);
  const graph_view<Value, Index, Offset> reversed{g.in, g.out};
  array<std::uint32_t> done_bits = detail::empty_bitmap(ctx, n);
  array<std::uint32_t> forward_bits = detail::empty_bitmap(ctx, n);
  array<std::uint32_t> backward_bits = detail::empty_bitmap(ctx, n);
  array<Index> regions(ctx, n), next_regions(ctx, n), of_region(ctx, n);
  fill(ctx, regions.data(), n, 0);
  frontier<Index, Offset> found(ctx, g);
  while (true) {
    detail::strong_search<Index> search{
        regions.data(), {done_bits.data()}, {forward_bits.data()}, {backward_bits.data()}};
    // Cut the parts that the last searches have left into regions, and trim.
    array<std::uint32_t> out_bits = detail::empty_bitmap(ctx, n);
    array<std::uint32_t> in_bits = detail::empty_bitmap(ctx, n);
    const detail::vertex_bitmap<Index> has_out{out_bits.data()};
    const detail::vertex_bitmap<Index> has_in{in_bits.data()};
    const detail::component_forest<Index> forest{next_regions.data()};
    iota(ctx, next_regions.data(), n);
    transform_lbs(ctx, g.num_edges(),
                  detail::link_together<Index>{search, forest, g.out.columns, has_out, has_in},
                  g.out.row_offsets, n);
    transform(ctx, n, detail::shorten_path<Index>{forest});
    transform(ctx, n, detail::trim_vertex<Index>{has_out, has_in, search.done, labels});
    std::swap(regions, next_regions);
    search.regions = regions.data();

    // Search from a pivot in each region, in both directions.
    fill(ctx, of_region.data(), n, -1);
    transform(ctx, n, detail::elect_pivot<Index>{search.regions, search.done, of_region.data()});
    const detail::is_pivot<Index> is_pivot{search.regions, search.done, of_region.data()};
    const auto search_along = [&](const auto& edges, array<std::uint32_t>& bits) {
      bits = detail::empty_bitmap(ctx, n);
      const detail::vertex_bitmap<Index> reached{bits.data()};
      found.assign([&](Index* to, Index*) { return compact_indices(ctx, n, is_pivot, to); });
      const bool any = !found.empty();
      transform(ctx, found.size(), detail::join_bitmap<Index>{reached, found.vertices()});
      const detail::find_in_region<Index> find{search.regions, reached};
      const detail::may_be_found<Index> open{search.done, reached};
      while (!found.empty()) advance(ctx, edges, found, find, open);
      return any;
    };
    if (!search_along(g, forward_bits)) return;
    search_along(reversed, backward_bits);
    search.forward = {forward_bits.data()};
    search.backward = {backward_bits.data()};
    fill(ctx, of_region.data(), n, detail::largest_number<Index>);
    transform(ctx, n, detail::lower_label<Index>{search, of_region.data()});
    transform(ctx, n, detail::label_with_lowest<Index>{search, of_region.data(), labels});
  }
}

}  // namespace evenfold
