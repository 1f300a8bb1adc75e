// Searches breadth first. Compiled by the host compiler and, with the CUDA backend, by nvcc as
// well.

#include "cli/bfs_query.hpp"

#include "cli/on_context.hpp"
#include "cli/on_graph.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/graph/bfs.hpp"
#include "evenfold/graph/bfs_verify.hpp"

namespace evenfold::cli {

namespace {

using view = graph_view<const pattern, std::int32_t, std::int64_t>;

/// The edges of a graph and those that leave vertices with a level.
template <class Context>
void count_edges(Context& ctx, const view& g, const std::int32_t* levels, bfs_answer& answer) {
  array<std::int64_t> counts(ctx, g.num_vertices());
  std::int64_t* const edges = counts.data();
  const bool once = g.is_undirected();
  lbs_segreduce(
      ctx, g.num_arcs(),
      EF_LAMBDA(std::int64_t k, std::int32_t u, std::int64_t) {
        return std::int64_t{!once || g.out.columns[k] >= u};
      },
      g.out.row_offsets, g.num_vertices(), edges, plus{}, std::int64_t{0});
  answer.edges = reduce(ctx, edges, g.num_vertices(), plus{}, std::int64_t{0});
  answer.edges_reached = transform_reduce(
      ctx, g.num_vertices(),
      EF_LAMBDA(std::int32_t v) { return levels[v] >= 0 ? edges[v] : std::int64_t{0}; }, plus{},
      std::int64_t{0});
}

template <class Context>
bfs_answer answer_on(Context& ctx, const bfs_query& query, const on_phase& begin) {
  begin("copy in");
  const auto owner = graph_of(ctx, query.entries, query.shape);
  const view g = owner.view();
  ctx.synchronize();

  begin("search");
  bfs_options options = query.options;
  options.parents = false;
  bfs_result<std::int32_t> found;
  std::vector<double> times;
  for (int i = 0; i < query.repeats; ++i) {
    times.push_back(
        milliseconds(ctx, [&] { found = evenfold::bfs(ctx, g, query.sources, options); }));
  }

  if (query.options.parents) {
    begin("parents");
    found.parents = array<std::int32_t>(ctx, g.num_vertices());
    bfs_parents(ctx, g, found.levels.data(), found.parents.data());
  }
  bfs_answer answer{};
  if (query.verify) {
    begin("verify");
    answer.report = bfs_verify(ctx, g, query.sources, found);
  }
  begin("copy out");
  count_edges(ctx, g, found.levels.data(), answer);
  answer.levels = to_host(ctx, found.levels);
  answer.parents = to_host(ctx, found.parents);
  answer.reached = found.reached;
  answer.depth = found.depth;
  answer.table = found.table;
  answer.ms = median(times);
  return answer;
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

bfs_answer bfs(const bfs_query& query, device where, int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) { return answer_on(ctx, query, begin); });
}

}  // namespace of the backend

}  // namespace evenfold::cli
