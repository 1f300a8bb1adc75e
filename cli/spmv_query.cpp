// Runs the spmv query. Compiled by the host compiler and, with the CUDA backend, by nvcc as well.

#include "cli/spmv_query.hpp"

#include "cli/on_context.hpp"
#include "cli/report/stopwatch.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/spmv.hpp"

namespace evenfold::cli {

namespace {

template <class Context, class Value>
spmv_answer answer_on(Context& ctx, coo_view<const Value, std::int32_t, std::int64_t> entries,
                      const spmv_query& query, const on_phase& begin) {
  begin("copy in");
  auto owner = to_context(ctx, entries);
  const auto rows =
      to_csr(ctx, query.transpose ? transposed(owner.view()) : owner.view(), query.duplicates);
  const array<double> x = to_context(ctx, query.x);
  const array<double> y_before = to_context(ctx, query.y);
  array<double> y(ctx, rows.num_rows);
  ctx.synchronize();

  // The first product finds cold caches and, on a GPU, code that is yet to be loaded.
  begin("multiply");
  std::vector<double> times;
  for (int run = 0; run <= query.repeats; ++run) {
    copy(ctx, y_before.data(), y_before.size(), y.data());
    ctx.synchronize();
    const double ms = milliseconds(ctx, [&] {
      evenfold::spmv(ctx, rows.view(), x.data(), y.data(), query.alpha, query.beta);
    });
    if (run > 0) times.push_back(ms);
  }

  begin("copy out");
  return {to_host(ctx, y), rows.num_nonzeros, median(times)};
}

template <class Value>
spmv_answer answer(coo_view<const Value, std::int32_t, std::int64_t> entries,
                   const spmv_query& query, device where, int threads, const on_phase& begin) {
  return on_context(where, threads, begin,
                    [&](auto& ctx) { return answer_on(ctx, entries, query, begin); });
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

spmv_answer spmv(coo_view<const pattern, std::int32_t, std::int64_t> entries,
                 const spmv_query& query, device where, int threads, const on_phase& begin) {
  return answer(entries, query, where, threads, begin);
}

spmv_answer spmv(coo_view<const double, std::int32_t, std::int64_t> entries,
                 const spmv_query& query, device where, int threads, const on_phase& begin) {
  return answer(entries, query, where, threads, begin);
}

}  // namespace of the backend

}  // namespace evenfold::cli
