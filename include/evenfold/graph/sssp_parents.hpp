#pragma once
// A tree of shortest paths, from their lengths.

#include <concepts>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/atomic.hpp"
#include "evenfold/graph/advance.hpp"
#include "evenfold/graph/bfs_parts.hpp"
#include "evenfold/graph/sssp_parts.hpp"

namespace evenfold::detail {

/// Whether edges are the last ones of shortest paths.
template <class Value, class Distance, std::integral Index>
struct shortest_edges {
  const Value* weights;
  const Distance* distances;

  template <std::integral Offset>
  EF_HD bool has(Offset edge, Distance from, Index to) const {
    const auto weight = static_cast<Distance>(value_at(weights, edge));
    const Distance through = add_up_to_most(from, weight);
    return through < no_path<Distance> && through == distances[to];
  }
};

/// Lowers the parent of the vertex that an edge leads to, if the edge is the last one of a shortest
/// path and comes from a vertex with a smaller distance.
template <class Value, class Distance, std::integral Index>
struct lower_parent {
  shortest_edges<Value, Distance, Index> shortest;
  const Index* columns;
  Index* parents;

  template <std::integral Offset>
  EF_HD void operator()(Offset edge, Index u, Offset, const tuple<Distance>& from) const {
    const Index v = columns[edge];
    if (get<0>(from) < shortest.distances[v] && shortest.has(edge, get<0>(from), v)) {
      atomic_lower(parents[v], u);
    }
  }
};

/// Makes a source its own parent.
template <std::integral Index>
struct root_at {
  const Index* sources;
  Index* parents;

  EF_HD void operator()(Index s) const { parents[sources[s]] = sources[s]; }
};

/// The parent of a vertex that is not reached is -1. Returns whether a vertex still has none.
template <class Distance, std::integral Index>
struct lacks_parent {
  using heavy = void;
  const Distance* distances;
  Index* parents;

  EF_HD int operator()(Index v) const {
    if (parents[v] != largest_number<Index>) return 0;
    if (distances[v] < no_path<Distance>) return 1;
    parents[v] = -1;
    return 0;
  }
};

/// Whether a vertex is in the tree.
template <std::integral Index>
struct has_parent {
  const Index* parents;

  EF_HD bool operator()(Index v) const {
    return parents[v] >= 0 && parents[v] != largest_number<Index>;
  }
};

/// Proposes u as the parent of v, if v has none and the edge from u is the last one of a shortest
/// path. Returns whether this is the first proposal.
template <class Value, class Distance, std::integral Index>
struct propose_parent {
  shortest_edges<Value, Distance, Index> shortest;
  const Index* parents;
  Index* proposed;
  vertex_bitmap<Index> has_proposal;

  template <std::integral Offset>
  EF_HD bool operator()(Offset edge, Index u, Index v, const tuple<Distance>& from) const {
    if (parents[v] != largest_number<Index> || !shortest.has(edge, get<0>(from), v)) return false;
    atomic_lower(proposed[v], u);
    return has_proposal.set(v);
  }
};

/// Gives each vertex of the frontier the parent that is proposed.
template <std::integral Index>
struct accept_parent {
  const Index* vertices;
  const Index* proposed;
  Index* parents;

  EF_HD void operator()(Index s) const { parents[vertices[s]] = proposed[vertices[s]]; }
};

/// Writes the parents that `sssp` promises. Reads every edge; where all edges of a shortest path to
/// a vertex come from vertices of its distance, `advance` finds its parent.
template <context Context, class Value, std::integral Index, std::integral Offset, class Distance>
void sssp_parents(Context& ctx, const graph_view<Value, Index, Offset>& g,
                  const std::vector<Index>& sources, const Distance* distances, Index* parents) {
  const Index n = g.num_vertices();
  const shortest_edges<Value, Distance, Index> shortest{g.out.values, distances};
  const array<Index> roots = to_context(ctx, sources);
  fill(ctx, parents, n, largest_number<Index>);
  transform_lbs(ctx, g.num_edges(),
                lower_parent<Value, Distance, Index>{shortest, g.out.columns, parents},
                g.out.row_offsets, n, make_tuple(distances));
  transform(ctx, static_cast<Index>(sources.size()), root_at<Index>{roots.data(), parents});
  if (transform_reduce(ctx, n, lacks_parent<Distance, Index>{distances, parents}, maximum{}, 0) ==
      0) {
    return;
  }
  array<Index> proposed(ctx, n);
  array<std::uint32_t> has_proposal = empty_bitmap(ctx, n);
  copy(ctx, parents, n, proposed.data());
  frontier<Index, Offset> tree(ctx, g);
  tree.assign([&](Index* vertices, Index*) {
    return compact_indices(ctx, n, has_parent<Index>{parents}, vertices);
  });
  const propose_parent<Value, Distance, Index> propose{
      shortest, parents, proposed.data(), {has_proposal.data()}};
  while (!tree.empty()) {
    advance(ctx, g, tree, propose, make_tuple(distances));
    transform(ctx, tree.size(), accept_parent<Index>{tree.vertices(), proposed.data(), parents});
  }
}

}  // namespace evenfold::detail
