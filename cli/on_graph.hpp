#pragma once
// The graph of a query in the memory of its device, for the files *_query.cpp.

#include <cstdint>
#include <utility>

#include "cli/graph_shape.hpp"
#include "evenfold/graph/make_graph.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/edit.hpp"

namespace evenfold::cli {

/// The entries of a file, which lie on the host, as a graph. Waits.
template <class Context, class Value>
graph<Value, std::int32_t, std::int64_t> graph_of(
    Context& ctx, coo_view<const Value, std::int32_t, std::int64_t> entries,
    const graph_shape& shape) {
  auto arcs = to_context(ctx, entries);
  if (shape.symmetrize) arcs = symmetrize(ctx, arcs.view());
  auto rows = to_csr(ctx, arcs.view(), shape.duplicates);
  if (shape.undirected) return undirected_graph(ctx, std::move(rows));
  return directed_graph(ctx, std::move(rows));
}

}  // namespace evenfold::cli
