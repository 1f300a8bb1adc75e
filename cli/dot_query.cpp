// Runs the dot query. Compiled by the host compiler and, with the CUDA backend, by nvcc as well.

#include "cli/dot_query.hpp"

#include "cli/on_context.hpp"
#include "evenfold/algorithm/dot.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cli {

namespace {

template <class T, context Context>
T answer_on(Context& ctx, const std::vector<T>& x, const std::vector<T>& y, const on_phase& begin) {
  begin("copy in");
  const array<T> x_there = to_context(ctx, x);
  const array<T> y_there = to_context(ctx, y);
  ctx.synchronize();
  begin("dot");
  return dot(ctx, x_there.data(), y_there.data(), x_there.size(), T{0});
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

number dot(const numbers& x, const numbers& y, device where, int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    return std::visit(
        [&]<class T>(const std::vector<T>& of_x) {
          return number(answer_on(ctx, of_x, std::get<std::vector<T>>(y), begin));
        },
        x);
  });
}

}  // namespace of the backend

}  // namespace evenfold::cli
