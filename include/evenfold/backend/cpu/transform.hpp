#pragma once
// transform on CPU threads: one equal chunk of indices a thread.

#include <concepts>

#include "evenfold/backend/cpu/context.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class F>
void transform(cpu_context& ctx, Size count, F f) {
  ctx.parallel(static_cast<std::size_t>(count), [&](std::size_t begin, std::size_t end) {
    for (Size i = static_cast<Size>(begin), last = static_cast<Size>(end); i < last; ++i) f(i);
  });
}

}  // namespace evenfold::backend
