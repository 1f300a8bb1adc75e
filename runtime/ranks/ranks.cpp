// The operations of engines with several ranks. Compiled once per backend but the reference: see
// runtime/backend.hpp.

#include "runtime/ranks.hpp"

#include <optional>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/distributed/bfs.hpp"
#include "evenfold/distributed/graph.hpp"
#include "evenfold/distributed/pagerank.hpp"
#include "evenfold/distributed/spmv.hpp"
#include "evenfold/distributed/sssp.hpp"
#include "evenfold/sparse/spmv_parts.hpp"
#include "runtime/ranks/on_ranks.hpp"

namespace evenfold::runtime {

namespace {

template <class Value>
using shared_rows = sharded_csr<Value, std::int32_t, std::int64_t>;
template <class Value>
using shared_graph = sharded_graph<Value, std::int32_t, std::int64_t>;

/// Converts an offset of the rows of a process to an offset of the rows of all processes.
struct offset_of_all {
  std::int64_t first;
  EF_HD std::int64_t operator()(std::int64_t own) const { return first + own; }
};

template <class Value>
shared_rows<Value> share_rows(rank_context& ctx, const rows_on_engine<Value>& a) {
  const auto& here = a.here;
  const auto share = [&](const auto* values, auto count) {
    const auto size = static_cast<std::uint64_t>(count);
    return a.part ? part_of(ctx, values, size) : share_of(ctx, values, size);
  };
  sharded<std::int64_t> offsets = share(here.row_offsets, here.num_rows);
  if (a.part) {
    transform(ctx.local(), offsets.data(), offsets.local_size(), offsets.data(),
              offset_of_all{a.part->first_entry});
  }
  const auto columns = static_cast<std::uint64_t>(here.num_columns);
  if constexpr (is_pattern<Value>) {
    return {ctx, columns, std::move(offsets), share(here.columns, here.num_nonzeros)};
  } else {
    return {ctx, columns, std::move(offsets), share(here.columns, here.num_nonzeros),
            share(here.values, here.num_nonzeros)};
  }
}

template <class Value>
shared_graph<Value> share_graph(rank_context& ctx, const graph_on_engine<Value>& g) {
  shared_graph<Value> result{share_rows<Value>(ctx, g.out), std::nullopt};
  if (!g.is_undirected()) result.in = share_rows<Value>(ctx, g.in);
  return result;
}

}  // namespace

template <class Value>
pagerank_found pagerank_on_ranks(state_of_engine& state, const graph_on_engine<Value>& g,
                                 const pagerank_options<double>& options, double* ranks) {
  pagerank_found result;
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    const auto found = pagerank<double>(ctx, share_graph<Value>(ctx, g), options);
    give_back(ctx, results, found.ranks, ranks);
    if (!results.numbers) return;
    result.iterations = found.iterations;
    result.residual = found.residual;
    result.converged = found.converged;
  });
  return result;
}
template pagerank_found pagerank_on_ranks<pattern>(state_of_engine&,
                                                   const graph_on_engine<pattern>&,
                                                   const pagerank_options<double>&, double*);
template pagerank_found pagerank_on_ranks<double>(state_of_engine&, const graph_on_engine<double>&,
                                                  const pagerank_options<double>&, double*);

bfs_found bfs_on_ranks(state_of_engine& state, const graph_on_engine<pattern>& g,
                       const std::vector<std::int32_t>& sources, std::int32_t* levels) {
  bfs_found result;
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    const auto found = bfs(ctx, share_graph<pattern>(ctx, g), sources);
    give_back(ctx, results, found.levels, levels);
    if (!results.numbers) return;
    result.reached = found.reached;
    result.depth = found.depth;
  });
  return result;
}

sssp_found sssp_on_ranks(state_of_engine& state, const graph_on_engine<double>& g,
                         const std::vector<std::int32_t>& sources, const sssp_options& options,
                         double* distances) {
  sssp_found result;
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    const auto found = sssp(ctx, share_graph<double>(ctx, g), sources, options);
    give_back(ctx, results, found.distances, distances);
    if (!results.numbers) return;
    result.reached = found.reached;
    result.max_distance = found.max_distance;
  });
  return result;
}

template <class Value>
void spmv_on_ranks(state_of_engine& state, const rows_on_engine<Value>& a, const double* x,
                   double* y, double alpha, double beta) {
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    const auto sums =
        spmv<double>(ctx, share_rows<Value>(ctx, a),
                     share_of(ctx, x, static_cast<std::uint64_t>(a.here.num_columns)));
    sharded<double> own(ctx, sums.map());
    copy(ctx.local(), y + own.local_begin(), own.local_size(), own.data());
    const detail::scaled_sums<double> scale{{alpha, beta}, own.data()};
    transform(ctx.local(), own.local_size(),
              write_result{element_of<double, const double*>{sums.data()}, scale});
    give_back(ctx, results, own, y);
  });
}
template void spmv_on_ranks<pattern>(state_of_engine&, const rows_on_engine<pattern>&,
                                     const double*, double*, double, double);
template void spmv_on_ranks<double>(state_of_engine&, const rows_on_engine<double>&, const double*,
                                    double*, double, double);

}  // namespace evenfold::runtime
