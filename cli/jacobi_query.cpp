// Runs the jacobi query. Compiled by the host compiler and, with the CUDA backend, by nvcc as well.

#include "cli/jacobi_query.hpp"

#include "cli/on_context.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/jacobi.hpp"

namespace evenfold::cli {

namespace {

template <class T>
jacobi_answer answer(std::vector<T>& grid, const jacobi_query& query, device where, int threads,
                     const on_phase& begin, const on_sweeps& watch) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    begin("copy in");
    array<T> there = to_context(ctx, grid);
    ctx.synchronize();
    begin("sweep");
    const auto found =
        jacobi(ctx, matrix_view<T>::row_major(there.data(), query.rows, query.columns),
               static_cast<T>(query.tolerance), query.max_sweeps,
               [&](std::int64_t sweeps, T residual) { watch(sweeps, double{residual}); });
    begin("copy out");
    copy(ctx, there.data(), there.size(), grid.data());
    ctx.synchronize();
    return jacobi_answer{found.sweeps, double{found.residual}, found.converged};
  });
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

jacobi_answer jacobi(std::vector<float>& grid, const jacobi_query& query, device where, int threads,
                     const on_phase& begin, const on_sweeps& watch) {
  return answer(grid, query, where, threads, begin, watch);
}

jacobi_answer jacobi(std::vector<double>& grid, const jacobi_query& query, device where,
                     int threads, const on_phase& begin, const on_sweeps& watch) {
  return answer(grid, query, where, threads, begin, watch);
}

}  // namespace of the backend

}  // namespace evenfold::cli
