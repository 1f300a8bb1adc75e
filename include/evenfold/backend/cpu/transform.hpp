#pragma once
// transform on CPU threads: one equal chunk of indices per thread, and few light calls on a single
// thread.

#include <concepts>
#include <cstddef>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/index_loop.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F>
void transform(cpu_context& ctx, Size count, F f) {
  constexpr std::size_t few = detail::is_light<F> ? 1 << 12 : 1;
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<few>>::tile;
  const std::size_t items = static_cast<std::size_t>(count);
  const std::size_t shares = ctx.shares(items, tile);
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    const detail::own_function<F> own = f;
    detail::for_each_index<detail::has_strips<F>>(
        static_cast<Size>(detail::share_begin(items, shares, first)),
        static_cast<Size>(detail::share_begin(items, shares, last)), own);
  });
}

}  // namespace evenfold::backend
