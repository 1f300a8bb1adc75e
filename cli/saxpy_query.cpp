// Runs the saxpy query. Compiled by the host compiler and, with the CUDA backend, by nvcc as well.

#include "cli/saxpy_query.hpp"

#include "cli/on_context.hpp"
#include "evenfold/algorithm/saxpy.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cli {

namespace {

template <class T>
void answer(T a, const std::vector<T>& x, std::vector<T>& y, device where, int threads,
            const on_phase& begin) {
  y = on_context(where, threads, begin, [&](auto& ctx) {
    begin("copy in");
    const array<T> x_there = to_context(ctx, x);
    array<T> y_there = to_context(ctx, y);
    ctx.synchronize();
    begin("saxpy");
    saxpy(ctx, x_there.size(), a, x_there.data(), y_there.data());
    ctx.synchronize();
    begin("copy out");
    return to_host(ctx, y_there);
  });
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

void saxpy(float a, const std::vector<float>& x, std::vector<float>& y, device where, int threads,
           const on_phase& begin) {
  answer(a, x, y, where, threads, begin);
}

void saxpy(double a, const std::vector<double>& x, std::vector<double>& y, device where,
           int threads, const on_phase& begin) {
  answer(a, x, y, where, threads, begin);
}

}  // namespace of the backend

}  // namespace evenfold::cli
