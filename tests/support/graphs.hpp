#pragma once
// Graphs for tests, built on the host by plain loops.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/graph/graph.hpp"

namespace evenfold::testing {

using edge_pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Rows of edges on the host, each in the order of the list.
template <class Index, class Offset>
struct host_rows {
  std::vector<Offset> offsets;
  std::vector<Index> columns;

  host_rows() = default;
  host_rows(std::int64_t vertices, const edge_pairs& edges)
      : offsets(static_cast<std::size_t>(vertices) + 1), columns(edges.size()) {
    for (const auto& [from, to] : edges) ++offsets[static_cast<std::size_t>(from) + 1];
    for (std::size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
    std::vector<Offset> at = offsets;
    for (const auto& [from, to] : edges) {
      columns[static_cast<std::size_t>(at[static_cast<std::size_t>(from)]++)] =
          static_cast<Index>(to);
    }
  }
};

/// A graph without weights, on the host and, by view(), in the memory of a context.
template <class Context, class Index = std::int32_t, class Offset = std::int64_t>
class test_graph {
 public:
  test_graph(Context& ctx, std::int64_t vertices, edge_pairs edges, bool undirected = false)
      : vertices_(static_cast<Index>(vertices)), undirected_(undirected) {
    if (undirected) {
      const std::size_t count = edges.size();
      edges.reserve(2 * count);
      for (std::size_t k = 0; k < count; ++k) {
        const auto [from, to] = edges[k];
        if (from != to) edges.emplace_back(to, from);
      }
    }
    out = host_rows<Index, Offset>(vertices, edges);
    out_offsets_ = to_context(ctx, out.offsets);
    out_columns_ = to_context(ctx, out.columns);
    for (auto& [from, to] : edges) std::swap(from, to);
    in = host_rows<Index, Offset>(vertices, edges);
    if (undirected) return;
    in_offsets_ = to_context(ctx, in.offsets);
    in_columns_ = to_context(ctx, in.columns);
  }

  Index num_vertices() const { return vertices_; }
  graph_view<const pattern, Index, Offset> view() const {
    const auto count = static_cast<Offset>(out.columns.size());
    const csr_view<const pattern, Index, Offset> leaving{vertices_, vertices_, count,
                                                         out_offsets_.data(), out_columns_.data()};
    if (undirected_) return {leaving, leaving};
    return {leaving, {vertices_, vertices_, count, in_offsets_.data(), in_columns_.data()}};
  }

  host_rows<Index, Offset> out, in;

 private:
  Index vertices_;
  bool undirected_;
  array<Offset> out_offsets_, in_offsets_;
  array<Index> out_columns_, in_columns_;
};

/// The edges of a generator.
template <class Make>
edge_pairs edges_of(const Make& make, std::int64_t count) {
  edge_pairs edges;
  edges.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto e = make(static_cast<std::uint64_t>(i));
    edges.emplace_back(e.from, e.to);
  }
  return edges;
}

}  // namespace evenfold::testing
