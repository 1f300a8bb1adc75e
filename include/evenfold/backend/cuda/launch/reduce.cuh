#pragma once
// Launches the kernels of backend/cuda/device/reduce.cuh.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/delivery.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/reduce.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/fold_order.hpp"
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
  constexpr bool exact = detail::is_exact_fold<Op, T>;
  // Fewer items per lane where values are large, so that the tile fits a block.
  constexpr std::size_t wide = is_commutative<Op, T> ? 8 : 4;
  constexpr int items = sizeof(T) <= wide ? 16 : sizeof(T) <= 16 ? 8 : sizeof(T) <= 64 ? 4 : 1;
  constexpr int threads = sizeof(T) <= 16 ? 256 : 128;
  using tuning = detail::tuning_or<Tuning, reduce_tuning<threads, items>>;
  const auto grid_for = [&](auto kernel, std::size_t shares, std::size_t shared_bytes) {
    const std::size_t most = ctx.launch_override.grid > 0
                                 ? ctx.launch_override.grid
                                 : ctx.resident_blocks(kernel, tuning::threads, shared_bytes);
    return std::clamp<std::size_t>(shares, 1, most);
  };
  const auto total = static_cast<std::uint64_t>(count);
  auto* const scratch = ctx.scratch<uninitialized<T>>();
  constexpr std::size_t capacity = cuda_context::scratch_capacity<uninitialized<T>>();
  if constexpr (exact) {
    const auto kernel = device::exact_reduce_kernel<tuning, T, Size, F, Op>;
    constexpr std::size_t shared_bytes = sizeof(device::exact_reduce_shared<tuning, T>);
    const std::uint64_t tiles = detail::ceil_div(total, tuning::threads * tuning::items);
    const std::size_t grid = std::min(grid_for(kernel, tiles, shared_bytes), capacity);
    ctx.launch("transform_reduce", kernel, grid, tuning::threads, shared_bytes, count, f, op,
               uninitialized<T>(init), scratch, ctx.counters(), out);
  } else {
    const auto kernel = device::reduce_kernel<tuning, T, Size, F, Op>;
    using shared_type = device::reduce_shared<tuning, T>;
    // The rest has at most one fold per level, and 15 items.
    constexpr std::size_t most_chunks =
        std::min<std::size_t>(1 << 13, capacity - std::extent_v<decltype(shared_type::falling)>);
    std::uint64_t chunk = device::fold_tiles<tuning, T>::block_items;
    while (total / chunk > most_chunks) chunk *= 2;
    const std::size_t grid = grid_for(kernel, detail::ceil_div(total, chunk), sizeof(shared_type));
    ctx.launch("transform_reduce", kernel, grid, tuning::threads, sizeof(shared_type), count, chunk,
               f, op, uninitialized<T>(init), scratch, ctx.counters(), out);
  }
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
