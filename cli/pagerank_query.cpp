// Runs the pagerank query. Compiled by the host compiler and, with the CUDA backend, by nvcc as
// well.

#include "cli/pagerank_query.hpp"

#include "cli/on_context.hpp"
#include "cli/on_graph.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/graph/pagerank.hpp"

namespace evenfold::cli {

namespace {

template <class Context, class Value>
pagerank_answer answer_on(Context& ctx, coo_view<const Value, std::int32_t, std::int64_t> entries,
                          const pagerank_query& query, const on_phase& begin) {
  begin("copy in");
  const auto owner = graph_of(ctx, entries, query.shape);
  const array<double> personalization = to_context(ctx, query.personalization);
  ctx.synchronize();

  begin("rank");
  pagerank_result<double> found{};
  const double ms = milliseconds(ctx, [&] {
    found = evenfold::pagerank<double>(
        ctx, owner.view(),
        {.damping = query.damping,
         .tolerance = query.tolerance,
         .max_iterations = query.max_iterations,
         .dangling_mass = query.dangling_mass,
         .stop = query.by_largest_change ? pagerank_change::maximum : pagerank_change::l1,
         .personalization = personalization.data()});
  });

  begin("copy out");
  const double sum = reduce(ctx, found.ranks.data(), found.ranks.size(), plus{}, 0.);
  return {to_host(ctx, found.ranks),
          found.iterations,
          found.residual,
          found.converged,
          owner.view().num_arcs(),
          sum,
          ms};
}

template <class Value>
pagerank_answer answer(coo_view<const Value, std::int32_t, std::int64_t> entries,
                       const pagerank_query& query, device where, int threads,
                       const on_phase& begin) {
  return on_context(where, threads, begin,
                    [&](auto& ctx) { return answer_on(ctx, entries, query, begin); });
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

pagerank_answer pagerank(coo_view<const pattern, std::int32_t, std::int64_t> entries,
                         const pagerank_query& query, device where, int threads,
                         const on_phase& begin) {
  return answer(entries, query, where, threads, begin);
}

pagerank_answer pagerank(coo_view<const double, std::int32_t, std::int64_t> entries,
                         const pagerank_query& query, device where, int threads,
                         const on_phase& begin) {
  return answer(entries, query, where, threads, begin);
}

}  // namespace of the backend

}  // namespace evenfold::cli
