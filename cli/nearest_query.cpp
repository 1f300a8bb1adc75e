// Runs the nearest query. Compiled by the host compiler and, with the CUDA backend, by nvcc as
// well.

#include "cli/nearest_query.hpp"

#include "evenfold/geo/nearest.hpp"

namespace evenfold::cli {

namespace {

template <context Context>
nearest_answer answer_on(Context& ctx, const nearest_query& query, const on_phase& begin) {
  begin("copy in");
  const auto latitudes = to_context(ctx, query.latitudes.data(), query.latitudes.size());
  const auto longitudes = to_context(ctx, query.longitudes.data(), query.longitudes.size());
  const auto groups = to_context(ctx, query.groups.data(), query.groups.size());
  ctx.synchronize();
  begin("query");
  const auto count = static_cast<std::int32_t>(query.groups.size());
  const nearest_places found = nearest(ctx, latitudes.data(), longitudes.data(), groups.data(),
                                       count, query.num_groups, query.k, query.radius);
  ctx.synchronize();
  begin("copy out");
  return {to_host(ctx, found.neighbours), to_host(ctx, found.distances), to_host(ctx, found.order),
          to_host(ctx, found.group_offsets)};
}

}  // namespace

#if defined(__CUDACC__)

namespace gpu_backend {

nearest_answer nearest(const nearest_query& query, device where, const on_phase& begin) {
  begin("start GPU");
  cuda_context ctx(where.index);
  // All pointers are those of arrays made here; and the pool gets its memory now, so that the query
  // does not wait for it.
  ctx.check_arguments = false;
  array<char>(ctx, std::size_t{64} << 20);
  ctx.synchronize();
  return answer_on(ctx, query, begin);
}

}  // namespace gpu_backend

#else

namespace host_backend {

nearest_answer nearest(const nearest_query& query, device where, int threads,
                       const on_phase& begin) {
  if (where.on == device::kind::reference) {
    reference_context ctx;
    return answer_on(ctx, query, begin);
  }
  cpu_context ctx(threads);
  return answer_on(ctx, query, begin);
}

}  // namespace host_backend

#endif

}  // namespace evenfold::cli
