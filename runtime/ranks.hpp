#pragma once
// The operations of engines with several ranks. runtime/ranks/ implements them; an engine of the
// reference has one rank.
//
// The arrays of such an engine lie in the memory of its first device. Each rank copies its shards
// from there, and copies its part of the result back.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "evenfold/core/csr_view.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/graph/pagerank.hpp"
#include "runtime/arrays.hpp"
#include "runtime/backend.hpp"
#include "runtime/graphs.hpp"

namespace evenfold {
struct nearest_places;  // geo/nearest.hpp
}  // namespace evenfold

namespace evenfold::runtime {

/// The rows of a matrix: all rows, or those of this process. The offsets begin at 0 in either case.
template <class Value>
struct rows_on_engine {
  csr_view<const Value, std::int32_t, std::int64_t> here;
  std::optional<rows_of_process> part = std::nullopt;
};
/// As graph_view.
template <class Value>
struct graph_on_engine {
  rows_on_engine<Value> out, in;
  bool is_undirected() const { return out.here.row_offsets == in.here.row_offsets; }
};
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
                         const std::vector<std::int32_t>& sources, const sssp_options& options,
                         double* distances);
/// y = alpha A x + beta y
template <class Value>
void spmv_on_ranks(state_of_engine& state, const rows_on_engine<Value>& a, const double* x,
                   double* y, double alpha, double beta);

/// As evenfold::nearest, in the memory of the engine.
nearest_places nearest_on_ranks(state_of_engine& state, const double* latitudes,
                                const double* longitudes, const std::int32_t* groups,
                                std::size_t count, std::int32_t num_groups, int k, double radius);

/// Whether sequences of T are folded on several ranks: double and std::int64_t.
template <class T>
inline constexpr bool is_folded_on_ranks = std::same_as<T, double> || std::same_as<T, std::int64_t>;

/// The fold of all values.
template <class T>
T fold_on_ranks(state_of_engine& state, const T* values, std::size_t count, fold_operator op);
/// Replaces each value by the fold of the values up to it, without itself if `exclusive`.
template <class T>
void scan_on_ranks(state_of_engine& state, T* values, std::size_t count, fold_operator op,
                   bool exclusive);
/// Writes the fold of each segment.
template <class T>
void segreduce_on_ranks(state_of_engine& state, const T* values, std::size_t count,
                        const std::int64_t* offsets, std::size_t num_segments, T* folds,
                        fold_operator op);
/// Writes the indices that sort the codes stably.
void sort_indices_on_ranks(state_of_engine& state, const std::uint64_t* codes, std::size_t count,
                           std::int64_t* order);

}  // namespace evenfold::runtime
