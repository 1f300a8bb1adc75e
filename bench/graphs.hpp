#pragma once
// Graphs for the benches of both backends, generated on the device of the bench.

#include <cstdint>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/make_graph.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/edit.hpp"

namespace bench {

/// The undirected graph of these edges, whose memory is reused: both directions, without self-loops
/// and repeated edges.
template <class Context>
evenfold::graph<evenfold::pattern> undirected(Context& ctx,
                                              evenfold::coo<evenfold::pattern>&& ends) {
  ends = evenfold::drop_self_loops(ctx, ends.view());
  ends = evenfold::symmetrize(ctx, ends.view());
  return evenfold::undirected_graph(
      ctx, evenfold::to_csr(ctx, ends.view(), evenfold::duplicates::first));
}

template <class Edges>
struct fill_ends {
  Edges edges;
  int* rows;
  int* columns;
  EF_HD void operator()(int i) const {
    const evenfold::edge e = edges(static_cast<std::uint64_t>(i));
    rows[i] = static_cast<int>(e.from);
    columns[i] = static_cast<int>(e.to);
  }
};

/// The undirected graph of the first `count` edges of a recipe.
template <class Context, class Edges>
evenfold::graph<evenfold::pattern> undirected(Context& ctx, int vertices, int count,
                                              const Edges& edges) {
  evenfold::coo<evenfold::pattern> ends(ctx, vertices, vertices, count);
  evenfold::transform(ctx, count, fill_ends<Edges>{edges, ends.rows.data(), ends.columns.data()});
  return undirected(ctx, std::move(ends));
}

}  // namespace bench
