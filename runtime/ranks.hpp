#pragma once
// The operations of engines with several ranks, for the families that have them. runtime/ranks/
// implements them; an engine of the reference has one rank.
//
// The arrays of such an engine lie in the memory of its first device. Each rank copies its shards
// from there, and copies its part of the result back.

#include <concepts>
#include <cstdint>
#include <vector>

#include "evenfold/core/graph_view.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "runtime/backend.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::runtime {

template <class Context>
inline constexpr bool can_have_ranks = !std::same_as<Context, reference_context>;

template <class Value>
using rows_on_engine = csr_view<const Value, std::int32_t, std::int64_t>;
template <class Value>
using graph_on_engine = graph_view<const Value, std::int32_t, std::int64_t>;
using state_of_engine = device_state<backend_context>;

/// Writes the rank of every vertex; the result has no ranks.
template <class Value>
pagerank_found pagerank_on_ranks(state_of_engine& state, const graph_on_engine<Value>& g,
                                 const pagerank_options<double>& options, double* ranks);
/// Writes the level of every vertex; the result has no levels.
bfs_found bfs_on_ranks(state_of_engine& state, const graph_on_engine<pattern>& g,
                       const std::vector<std::int32_t>& sources, std::int32_t* levels);
/// Writes the length of a shortest path to every vertex; the result has no arrays.
sssp_found sssp_on_ranks(state_of_engine& state, const graph_on_engine<double>& g,
                         const std::vector<std::int32_t>& sources, double* distances);
/// y = alpha A x + beta y
template <class Value>
void spmv_on_ranks(state_of_engine& state, const rows_on_engine<Value>& a, const double* x,
                   double* y, double alpha, double beta);

}  // namespace evenfold::runtime
