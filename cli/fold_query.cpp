// Runs the fold query. Compiled by the host compiler and, with the CUDA backend, by nvcc as well.

#include "cli/fold_query.hpp"

#include "cli/on_context.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cli {

namespace {

template <class T, context Context>
T answer_on(Context& ctx, const std::vector<T>& values, const fold_query& query,
            const on_fold_round& observe, const on_phase& begin) {
  begin("copy in");
  const array<T> input = to_context(ctx, values);
  ctx.synchronize();
  begin("fold");
  const auto observer = [&](int round, const array<T>& cells) {
    if (observe) observe(round, to_host(ctx, cells));
  };
  return visit_operator(query.op, [&]<class Op>(Op op) {
    return fold(ctx, input.data(), input.size(), op, identity_of<Op, T>::value, query.strategy,
                observer);
  });
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

number fold(const fold_query& query, device where, int threads, const on_fold_round& observe,
            const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    return std::visit(
        [&](const auto& values) { return number(answer_on(ctx, values, query, observe, begin)); },
        query.values);
  });
}

}  // namespace of the backend

}  // namespace evenfold::cli
