#pragma once
// Graphs with weights for tests, built on the host by plain loops.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "evenfold/core/array.hpp"
#include "evenfold/graph/graph.hpp"
#include "support/graphs.hpp"

namespace evenfold::testing {

template <class Value>
struct weighted_edge {
  std::int64_t from, to;
  Value weight;
};
template <class Value>
using weighted_edges = std::vector<weighted_edge<Value>>;

/// Edges with the weights weight(0), weight(1), ..., also in the other direction.
template <class Weight>
auto with_weights(const edge_pairs& pairs, Weight weight) {
  weighted_edges<decltype(weight(std::size_t{0}))> edges;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [u, v] = pairs[k];
    edges.push_back({u, v, weight(k)});
    if (u != v) edges.push_back({v, u, weight(k)});
  }
  return edges;
}

/// A directed graph on the host and, by view(), in the memory of a context. Its view has the same
/// rows in both directions, for algorithms that read only `out`.
template <class Context, class Value, class Offset>
class weighted_graph {
 public:
  weighted_graph(Context& ctx, std::int64_t vertices, const weighted_edges<Value>& edges)
      : vertices_(static_cast<int>(vertices)) {
    std::vector<std::size_t> order(edges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return edges[a].from < edges[b].from; });
    offsets.assign(static_cast<std::size_t>(vertices) + 1, 0);
    for (const std::size_t k : order) {
      ++offsets[static_cast<std::size_t>(edges[k].from) + 1];
      columns.push_back(static_cast<int>(edges[k].to));
      weights.push_back(edges[k].weight);
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    offsets_here_ = to_context(ctx, offsets);
    columns_here_ = to_context(ctx, columns);
    weights_here_ = to_context(ctx, weights);
  }

  int num_vertices() const { return vertices_; }
  graph_view<const Value, int, Offset> view() const {
    const csr_view<const Value, int, Offset> out{vertices_,
                                                 vertices_,
                                                 static_cast<Offset>(columns.size()),
                                                 offsets_here_.data(),
                                                 columns_here_.data(),
                                                 weights_here_.data()};
    return {out, out};
  }

  std::vector<Offset> offsets;
  std::vector<int> columns;
  std::vector<Value> weights;

 private:
  int vertices_;
  array<Offset> offsets_here_;
  array<int> columns_here_;
  array<Value> weights_here_;
};

}  // namespace evenfold::testing
