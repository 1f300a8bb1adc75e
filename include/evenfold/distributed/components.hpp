#pragma once
// connected_components of a graph whose edges are distributed over ranks.

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/transform_lbs.hpp"
#include "evenfold/graph/components.hpp"

namespace evenfold {

namespace detail {

/// Links the trees of both ends of an edge of a shard.
template <class Index>
struct link_edge_of_shard {
  component_forest<Index> forest;
  const Index* columns;
  std::uint64_t first_edge;

  EF_HD void operator()(std::uint64_t edge, std::uint64_t u, std::uint64_t) const {
    forest.link(static_cast<Index>(u), columns[edge - first_edge]);
  }
};

/// Links a vertex with its label on another rank.
template <class Index>
struct link_label {
  component_forest<Index> forest;
  const Index* labels;

  EF_HD void operator()(Index v) const {
    if (labels[v] != v) forest.link(v, labels[v]);
  }
};

}  // namespace detail

/// The lowest vertex of the component of each vertex, as `connected_components` on one context
/// computes it, in equal shares of the vertices. Edges connect in both directions.
///
/// Each rank links its edges, of which all have the same number, in a forest of all vertices. Then
/// the forests of all ranks are broadcast in turn, and linked. Sends and receives ranks x vertices
/// Index. Scratch: two Index per vertex. Waits.
///
/// Errors: argument_error for a graph that is not square, or if the ranks pass different arguments;
/// communication_error if another rank fails; allocation_error.
template <context Local, class Communicator, class Value, std::integral Index, std::integral Offset>
sharded<Index> connected_components(distributed_context<Local, Communicator>& ctx,
                                    const sharded_graph<Value, Index, Offset>& g) {
  detail::check_graph("connected_components", g);
  const auto run = [&] {
    auto& local = ctx.local();
    const auto n = static_cast<Index>(g.num_vertices());
    array<Index> labels(local, n);
    array<Index> others(local, ctx.size() > 1 ? n : 0);
    const detail::component_forest<Index> forest{labels.data()};
    iota(local, labels.data(), n);
    transform_lbs(ctx, g.out.rows,
                  detail::link_edge_of_shard<Index>{forest, g.out.columns.data(),
                                                    g.out.columns.local_begin()});
    transform(local, n, detail::shorten_path<Index>{forest});
    for (int r = 0; r < ctx.size() && ctx.size() > 1; ++r) {
      if (r == ctx.rank()) copy(local, labels.data(), n, others.data());
      ctx.communicator().broadcast(local, reinterpret_cast<std::byte*>(others.data()),
                                   others.size() * sizeof(Index), r);
      if (r != ctx.rank()) transform(local, n, detail::link_label<Index>{forest, others.data()});
    }
    transform(local, n, detail::shorten_path<Index>{forest});
    sharded<Index> result(ctx, g.num_vertices());
    copy(local, labels.data() + result.local_begin(), result.local_size(), result.data());
    local.synchronize();
    return result;
  };
  return detail::run_on_all_ranks(ctx, "connected_components",
                                  {{"vertices", g.num_vertices()}, {"edges", g.num_edges()}}, run);
}

}  // namespace evenfold
