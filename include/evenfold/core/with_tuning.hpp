#pragma once
// with_tuning: one of several tunings, by the architecture of the GPU that a call runs on.

#include <algorithm>
#include <utility>

#include "evenfold/core/context.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

/// A tuning for GPUs of compute capability `Least` and later, which is 90 for 9.0. With 0 it is for
/// contexts on the host, too.
template <int Least, class Tuning>
struct tuning_from {
  static_assert(Least >= 0, "a compute capability such as 90, or 0");
  static constexpr int least = Least;
  using type = Tuning;
};

namespace detail {

/// 10 times the compute capability of the GPU of a context, or 0.
template <context Context>
int architecture_of(const Context& ctx) {
  if constexpr (requires { ctx.architecture(); }) {
    return ctx.architecture();
  } else {
    return 0;
  }
}

template <class First, class... Rest, class Call>
decltype(auto) call_with_tuning(int least, Call& call) {
  if (First::least == least) return call.template operator()<typename First::type>();
  if constexpr (sizeof...(Rest) > 0) {
    return call_with_tuning<Rest...>(least, call);
  } else {
    return call.template operator()<default_tuning>();
  }
}

}  // namespace detail

/// Returns call.operator()<Tuning>(), where Tuning is that one of the choices, each a tuning_from,
/// whose `least` is the largest that the architecture of the context reaches, or default_tuning if
/// it reaches none:
///
///     ef::with_tuning<ef::tuning_from<80, small>, ef::tuning_from<90, large>>(
///         ctx, [&]<class Tuning>() { return ef::reduce<Tuning>(ctx, x, ef::plus{}, 0.f); });
///
/// `call` is compiled for every tuning, and no results differ, since a tuning does not change the
/// bits of a result. nvcc allows no EF_LAMBDA inside of `call`: define it before. Does not wait.
///
/// Example: examples/workspace.cpp. Names elsewhere: mgpu::launch_box_t, the policy chains of CUB.
template <class... Choices, context Context, class Call>
  requires(sizeof...(Choices) > 0)
decltype(auto) with_tuning(Context& ctx, Call call) {
  const int architecture = detail::architecture_of(ctx);
  int least = -1;
  ((Choices::least <= architecture ? least = std::max(least, Choices::least) : 0), ...);
  return detail::call_with_tuning<Choices...>(least, call);
}

}  // namespace evenfold
