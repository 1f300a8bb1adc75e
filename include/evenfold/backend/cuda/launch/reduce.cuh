#pragma once
// Launches the kernels of backend/cuda/device/reduce.cuh and reduce_few.cuh.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/delivery.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/reduce.cuh"
#include "evenfold/backend/cuda/device/reduce_few.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

/// The number of values that a lane loads before it folds them: fewer where they are large, so that
/// the tiles fit a block, and where values of 8 bytes, or of 16 whose order does not matter, would
/// take too many registers.
template <class T, class F, class Op>
inline constexpr int reduce_items = [] {
  if (sizeof(T) > 64) return 1;
  if (sizeof(T) > 16) return 4;
  using most = device::fold_tiles<reduce_tuning<256, detail::fold_run>, T>;
  const bool is_small = sizeof(T) < 8 || is_commutative<Op, T> || most::template reads_runs<F, Op>;
  const bool fits = sizeof(T) <= 8 ? is_small : !detail::is_exact_fold<Op, T>;
  return fits ? detail::fold_run : detail::fold_run / 2;
}();
template <class Tuning, class T, class F, class Op>
using reduce_tuning_for = detail::tuning_or<
    Tuning, reduce_tuning<(sizeof(T) <= (detail::is_exact_fold<Op, T> ? 16 : 8) ? 256 : 128),
                          reduce_items<T, F, Op>>>;

/// The number of blocks of threads of a kernel for some shares of equal length.
template <class... Parameters>
std::size_t reduce_grid(cuda_context& ctx, void (*kernel)(Parameters...), unsigned threads,
                        std::size_t shares, std::size_t shared_bytes) {
  const std::size_t most = ctx.launch_override.grid > 0
                               ? ctx.launch_override.grid
                               : ctx.resident_blocks(kernel, threads, shared_bytes);
  return std::clamp<std::size_t>(shares, 1, most);
}

/// The length of the chunks of some items, whose folds, and those of the rest, fit the scratch.
/// Each chunk takes time in its block and at the end, but a few per block share the work evenly: up
/// to 256 of one tile, and some thousands of more (docs/performance.md), which are at least as long
/// as what is read at once.
template <class Tuning, class T, class F, class Op>
std::uint64_t reduce_chunk(std::uint64_t total) {
  using tiles = device::fold_tiles<Tuning, T>;
  constexpr int at_once = tiles::template tiles_at_once<F, Op>;
  // The rest has at most one fold per level, and 15 items.
  constexpr std::size_t most_chunks =
      std::min<std::size_t>(std::min<std::size_t>(device::most_chunks<Tuning>, (1 << 13) / at_once),
                            cuda_context::scratch_capacity<device::uninitialized<T>>() -
                                std::extent_v<decltype(device::reduce_shared<Tuning, T>::falling)>);
  constexpr std::uint64_t tile = tiles::block_items;
  std::uint64_t chunk = total / tile > 256 ? std::max(2, at_once) * tile : tile;
  while (total / chunk > most_chunks) chunk *= 2;
  return chunk;
}

/// Whether a function says that it reads the rows of a matrix, between which there are gaps.
template <class F>
inline constexpr bool rows_have_gaps = [] {
  if constexpr (requires { F::rows_have_gaps; }) return F::rows_have_gaps;
  return false;
}();

/// Reduces, and delivers the result to `out`.
template <class Tuning, class Size, class F, class Op, class T>
void deliver_reduce(cuda_context& ctx, Size count, F f, Op op, T init,
                    device::delivery<device::uninitialized<T>> out) {
  using device::uninitialized;
  using tuning = reduce_tuning_for<Tuning, T, F, Op>;
  const auto total = static_cast<std::uint64_t>(count);
  auto* const scratch = ctx.scratch<uninitialized<T>>();
  if constexpr (detail::is_exact_fold<Op, T>) {
    const auto kernel = device::exact_reduce_kernel<tuning, T, Size, F, Op>;
    constexpr std::size_t shared_bytes = sizeof(device::exact_reduce_shared<tuning, T>);
    const std::uint64_t tiles = detail::ceil_div(total, tuning::threads * tuning::items);
    std::size_t grid = reduce_grid(ctx, kernel, tuning::threads, tiles, shared_bytes);
    if (rows_have_gaps<F> && ctx.launch_override.grid == 0) {
      // Equal shares take different times. Where a block takes 8 tiles, others begin when it ends.
      grid = std::max<std::size_t>(grid, detail::ceil_div(tiles, 8));
    }
    grid = std::min(grid, cuda_context::scratch_capacity<uninitialized<T>>());
    ctx.launch("transform_reduce", kernel, grid, tuning::threads, shared_bytes, count, f, op,
               uninitialized<T>(init), scratch, ctx.counters(), out);
  } else {
    if constexpr (std::is_same_v<Tuning, default_tuning> && sizeof(T) <= 8) {
      if (total <= device::reduce_few_tuning::most) {
        ctx.launch("transform_reduce", device::reduce_few_kernel<T, Size, F, Op>, 1,
                   device::reduce_few_tuning::threads, sizeof(device::reduce_few_shared<T>), count,
                   f, op, uninitialized<T>(init), out);
        return;
      }
    }
    const auto kernel = device::reduce_kernel<tuning, T, Size, F, Op>;
    constexpr std::size_t shared_bytes = sizeof(device::reduce_shared<tuning, T>);
    const std::uint64_t chunk = reduce_chunk<tuning, T, F, Op>(total);
    const std::size_t grid =
        reduce_grid(ctx, kernel, tuning::threads, detail::ceil_div(total, chunk), shared_bytes);
    ctx.launch("transform_reduce", kernel, grid, tuning::threads, shared_bytes, count, chunk, f, op,
               uninitialized<T>(init), scratch, ctx.counters(), out);
  }
}

/// Delivers the folds of the blocks that the items of [0, count) are cut into.
template <class Tuning, class Size, class F, class Op, class T>
void deliver_blocks(cuda_context& ctx, Size count, F f, Op op,
                    device::delivery<device::uninitialized<T>> out) {
  using device::uninitialized;
  using tuning = reduce_tuning_for<Tuning, T, F, Op>;
  const auto kernel = device::reduce_blocks_kernel<tuning, T, Size, F, Op>;
  constexpr std::size_t shared_bytes = sizeof(device::reduce_shared<tuning, T>);
  const auto total = static_cast<std::uint64_t>(count);
  const std::uint64_t chunk = reduce_chunk<tuning, T, F, Op>(total);
  const std::size_t grid =
      reduce_grid(ctx, kernel, tuning::threads, detail::ceil_div(total, chunk), shared_bytes);
  ctx.launch("partial_reduce", kernel, grid, tuning::threads, shared_bytes, count, chunk, f, op,
             ctx.scratch<uninitialized<T>>(), ctx.counters(), out);
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

/// The same; `submit` submits work that the device begins while the host waits for the fold.
template <class Tuning, std::integral Size, class F, class Op, class T, std::invocable Submit>
T transform_reduce(cuda_context& ctx, Size count, F f, Op op, T init, Submit submit) {
  const auto sent = ctx.to_mailbox<device::uninitialized<T>>();
  deliver_reduce<Tuning>(ctx, count, f, op, init, sent);
  return ctx.from_mailbox(sent, submit).value;
}

}  // namespace evenfold::backend
