#pragma once
// Graphs for the CUDA benches, made on the device.

#include "bench/cuda_platform.cuh"
#include "evenfold/graph/generators.hpp"
#include "evenfold/graph/make_graph.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/edit.hpp"

namespace bench {

/// The undirected graph of these edges, which are lost.
inline evenfold::graph<evenfold::pattern> undirected(evenfold::coo<evenfold::pattern>&& ends) {
  evenfold::cuda_context& ctx = device_context();
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
  __device__ void operator()(int i) {
    const evenfold::edge e = edges(static_cast<std::uint64_t>(i));
    rows[i] = static_cast<int>(e.from);
    columns[i] = static_cast<int>(e.to);
  }
};

/// The graph of the first `count` edges of a recipe, both ways, without loops and repetitions.
template <class Edges>
evenfold::graph<evenfold::pattern> undirected(int vertices, int count, Edges edges) {
  evenfold::coo<evenfold::pattern> ends(device_context(), vertices, vertices, count);
  evenfold::check_cuda(
      cub::DeviceFor::Bulk(count, fill_ends<Edges>{edges, ends.rows.data(), ends.columns.data()},
                           device_context().stream()),
      "cub::DeviceFor::Bulk");
  return undirected(std::move(ends));
}

}  // namespace bench
