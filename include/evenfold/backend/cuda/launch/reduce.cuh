#pragma once
// Launches the kernels of backend/cuda/device/reduce.cuh.

#include <algorithm>
#include <concepts>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/delivery.cuh"
#include "evenfold/backend/cuda/device/reduce.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

/// Reduces, and delivers the result to `out`.
template <class Tuning, class Size, class F, class Op, class T>
void deliver_reduce(cuda_context& ctx, Size count, F f, Op op, T init,
                    device::delivery<device::uninitialized<T>> out) {
  using device::uninitialized;
  // Fewer items per lane where values are large, so that the transposed tile fits a block.
  constexpr std::size_t most = is_commutative<Op, T> ? 8 : 4;
  constexpr int items = sizeof(T) <= most ? 16 : sizeof(T) <= 16 ? 8 : 4;
  constexpr int threads = sizeof(T) <= 16 ? 256 : 128;
  using tuning = detail::tuning_or<Tuning, reduce_tuning<threads, items>>;
  using shared_type = device::reduce_shared<tuning, T>;
  const auto kernel = device::reduce_kernel<tuning, T, Size, F, Op>;
  constexpr std::size_t shared_bytes =
      is_commutative<Op, T> ? offsetof(shared_type, transposed) : sizeof(shared_type);
  const std::size_t tiles =
      detail::ceil_div(static_cast<std::size_t>(count), tuning::threads * tuning::items);
  const std::size_t blocks = std::min(ctx.resident_blocks(kernel, tuning::threads, shared_bytes),
                                      ctx.scratch_capacity<uninitialized<T>>());
  const std::size_t grid = std::clamp<std::size_t>(tiles, 1, blocks);
  ctx.launch("transform_reduce", kernel, grid, tuning::threads, shared_bytes, count, f, op,
             uninitialized<T>(init), ctx.scratch<uninitialized<T>>(), ctx.counters(), out);
}

template <class Tuning, std::integral Size, class F, class Op, class T>
void transform_reduce(cuda_context& ctx, Size count, F f, Op op, T init, T* out) {
  deliver_reduce<Tuning>(ctx, count, f, op, init,
                         {reinterpret_cast<device::uninitialized<T>*>(out)});
}

template <class Tuning, std::integral Size, class F, class Op, class T>
T transform_reduce(cuda_context& ctx, Size count, F f, Op op, T init) {
  const auto sent = ctx.to_mailbox<device::uninitialized<T>>();
  deliver_reduce<Tuning>(ctx, count, f, op, init, sent);
  return ctx.from_mailbox(sent).value;
}

}  // namespace evenfold::backend
