// Runs the histogram query. Compiled by the host compiler and, with the CUDA backend, by nvcc as
// well.

#include "cli/histogram_query.hpp"

#include "cli/on_context.hpp"
#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::cli {

namespace {

template <context Context, class Binning>
numbers counts_of(Context& ctx, const histogram_query& query, const array<double>& values,
                  const Binning& binning, const on_phase& begin) {
  const std::int32_t places = binning.bins + outlier_kinds;
  const std::size_t count = query.values.size();
  const elementwise bin(binning, values.data());
  if (query.weights.empty()) {
    begin("histogram");
    array<std::uint64_t> counts(ctx, places);
    histogram(ctx, count, places, bin, counts.data());
    return to_host(ctx, counts);
  }
  const auto weights = to_context(ctx, query.weights.data(), count);
  ctx.synchronize();
  begin("histogram");
  array<double> sums(ctx, places);
  histogram(ctx, count, places, bin, element_of<double, const double*>{weights.data()},
            sums.data());
  return to_host(ctx, sums);
}

template <context Context>
numbers answer_on(Context& ctx, const histogram_query& query, const on_phase& begin) {
  begin("copy in");
  const auto values = to_context(ctx, query.values.data(), query.values.size());
  ctx.synchronize();
  if (const auto* regular = std::get_if<regular_bins>(&query.binning)) {
    return counts_of(ctx, query, values, *regular, begin);
  }
  const auto& list = std::get<edge_list>(query.binning);
  const auto edges = to_context(ctx, list.edges);
  const auto bins = static_cast<std::int32_t>(list.edges.size()) - 1;
  return counts_of(ctx, query, values, custom_edges<double>{edges.data(), bins, list.closed},
                   begin);
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

numbers histogram(const histogram_query& query, device where, int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) { return answer_on(ctx, query, begin); });
}

}  // namespace of the backend

}  // namespace evenfold::cli
