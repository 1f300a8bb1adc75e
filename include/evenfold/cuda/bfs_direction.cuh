#pragma once
// bfs_direction on a GPU.

#include <concepts>

#include "evenfold/algorithm/bfs_traversed.hpp"
#include "evenfold/cuda/context.cuh"
#include "evenfold/graph/graph.hpp"

namespace evenfold::backend {

template <class Tuning, class Value, std::integral Index, std::integral Offset>
bfs_traversed bfs_direction(cuda_context& ctx, graph_view<Value, Index, Offset> g,
                            const Index* sources, Index num_sources, Index* levels,
                            bool with_table);

}  // namespace evenfold::backend
