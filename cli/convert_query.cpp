// Runs the convert query. Compiled by the host compiler and, with the CUDA backend, by nvcc as
// well.

#include "cli/convert_query.hpp"

#include "cli/on_context.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/edit.hpp"

namespace evenfold::cli {

namespace {

template <class Value>
csr<Value, std::int32_t, std::int64_t> answer(
    coo_view<const Value, std::int32_t, std::int64_t> entries, const convert_query& query,
    device where, int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    begin("copy in");
    auto edited = to_context(ctx, entries);
    ctx.synchronize();
    begin("convert");
    if (query.drop_self_loops) edited = drop_self_loops(ctx, edited.view());
    if (query.symmetrize) edited = symmetrize(ctx, edited.view());
    const auto rows = to_csr(ctx, edited.view(), query.duplicates);
    ctx.synchronize();
    begin("copy out");
    return to_host(ctx, rows.view());
  });
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

csr<double, std::int32_t, std::int64_t> convert(
    coo_view<const double, std::int32_t, std::int64_t> entries, const convert_query& query,
    device where, int threads, const on_phase& begin) {
  return answer(entries, query, where, threads, begin);
}

csr<pattern, std::int32_t, std::int64_t> convert(
    coo_view<const pattern, std::int32_t, std::int64_t> entries, const convert_query& query,
    device where, int threads, const on_phase& begin) {
  return answer(entries, query, where, threads, begin);
}

}  // namespace of the backend

}  // namespace evenfold::cli
