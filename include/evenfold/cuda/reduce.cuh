#pragma once
// transform_reduce on a GPU: one kernel, one pass.
//
// Every warp gets one equal run of rows of 32 values. Where the operator commutes, a lane folds the values
// of its own column; else the warp transposes a tile through shared memory, so that a lane folds
// consecutive values and order is kept. A block leaves one partial fold; the block that arrives last folds
// the partials in block order and writes the result. The launch depends on count and device alone, so do
// the bits.

#include <algorithm>
#include <concepts>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/cuda/block.cuh"
#include "evenfold/cuda/context.cuh"

namespace evenfold {

/// Launch tuning of reduce: threads a block, and values a lane loads before it folds them.
template <int Threads = 256, int Items = 16>
struct reduce_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

template <class Tuning, class T>
struct reduce_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  /// A lane's row of the transposed tile is one element longer than its items: no bank conflicts.
  static constexpr int row = Tuning::items + 1;

  maybe<T> warp_total[warps];
  int last;
  maybe<T> transposed[warps][warp_threads * row];  // not allocated where the operator commutes
};

/// The ordered fold of values[first, last) by one warp, valid in lane 0; last > first.
template <class Tuning, class T, class F, class Op>
__device__ T warp_run_in_order(std::uint64_t first, std::uint64_t last, F load, Op op,
                               maybe<T>* transposed) {
  constexpr int items = Tuning::items;
  constexpr int tile = items * warp_threads;
  const int lane = lane_id();
  maybe<T> run;
  for (std::uint64_t base = first; base < last; base += tile) {
    const int filled = last - base < tile ? static_cast<int>(last - base) : tile;
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int at = j * warp_threads + lane;
      if (at < filled) transposed[at + at / items] = maybe<T>(load(base + at));
    }
    __syncwarp();
    const maybe<T>* mine = transposed + lane * (items + 1);
    const int have = filled - lane * items;
    maybe<T> value;
    if (have > 0) value = mine[0];
#pragma unroll
    for (int k = 1; k < items; ++k) {
      if (k < have) value.value = op(value.value, mine[k].value);
    }
    value.value = warp_fold(value.value, (filled + items - 1) / items, op);
    run = base == first ? value : maybe<T>(op(run.value, value.value));
    __syncwarp();
  }
  return run.value;
}

/// The fold of values[first, last) by one warp, each lane its own column, valid in lane 0; last > first.
template <class Tuning, class T, class F, class Op>
__device__ T warp_run_commuting(std::uint64_t first, std::uint64_t last, F load, Op op) {
  constexpr int items = Tuning::items;
  constexpr int tile = items * warp_threads;
  const std::uint64_t length = last - first;
  const int lanes = length < warp_threads ? static_cast<int>(length) : warp_threads;
  std::uint64_t at = first + lane_id();
  maybe<T> run;
  if (lane_id() < lanes) {
    run = maybe<T>(load(at));
    at += warp_threads;
    for (; at + (tile - warp_threads) < last; at += tile) {
      maybe<T> loaded[items];
#pragma unroll
      for (int j = 0; j < items; ++j) loaded[j] = maybe<T>(load(at + j * warp_threads));
#pragma unroll
      for (int j = 0; j < items; ++j) run.value = op(run.value, loaded[j].value);
    }
    for (; at < last; at += warp_threads) run.value = op(run.value, load(at));
  }
  __syncwarp();
  return warp_fold(run.value, lanes, op);
}

template <class Tuning, class T, class Size, class F, class Op>
__global__ void __launch_bounds__(Tuning::threads)
    reduce_kernel(Size count, F f, Op op, maybe<T> init, maybe<T>* partials, unsigned* arrived,
                  maybe<T>* out) {
  using shared_type = reduce_shared<Tuning, T>;
  shared_type& shared = shared_as<shared_type>();
  constexpr int warps = shared_type::warps;

  // Shares are whole rows of 32, so every warp loads full, aligned lines.
  const auto load = [=](std::uint64_t i) { return static_cast<T>(f(static_cast<Size>(i))); };
  const std::uint64_t total = static_cast<std::uint64_t>(count);
  const std::uint64_t rows = ceil_div(total, warp_threads);
  const std::uint64_t workers = std::uint64_t{gridDim.x} * warps;
  const std::uint64_t worker = std::uint64_t{blockIdx.x} * warps + warp_id();
  const std::uint64_t first = share_begin(rows, workers, worker) * warp_threads;
  const std::uint64_t end = share_begin(rows, workers, worker + 1) * warp_threads;
  const std::uint64_t last = end < total ? end : total;

  maybe<T> run;
  if (first < last) {
    if constexpr (is_commutative<Op, T>) {
      run.value = warp_run_commuting<Tuning, T>(first, last, load, op);
    } else {
      run.value =
          warp_run_in_order<Tuning, T>(first, last, load, op, shared.transposed[warp_id()]);
    }
  }
  if (lane_id() == 0) shared.warp_total[warp_id()] = run;
  __syncthreads();

  // Earlier workers have the longer shares, so those with work are a prefix.
  const auto with_work = [=](std::uint64_t workers_before) {
    return rows > workers_before ? rows - workers_before : 0;
  };
  maybe<T> block_total;
  if (threadIdx.x == 0) {
    const std::uint64_t busy = with_work(std::uint64_t{blockIdx.x} * warps);
    block_total = shared.warp_total[0];
    for (int w = 1; w < warps && w < static_cast<int>(busy < warps ? busy : warps); ++w) {
      block_total.value = op(block_total.value, shared.warp_total[w].value);
    }
  }
  const std::uint64_t busy_blocks = ceil_div(rows < workers ? rows : workers, warps);
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) {
      *out = rows > 0 ? maybe<T>(op(init.value, block_total.value)) : init;
    }
    return;
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = block_total;
  if (!arrive_last(arrived, &shared.last)) return;

  const int blocks = static_cast<int>(busy_blocks);
  const int each = (blocks + Tuning::threads - 1) / Tuning::threads;
  const int begin = static_cast<int>(threadIdx.x) * each;
  maybe<T> value;
  for (int b = begin; b < begin + each && b < blocks; ++b) {
    value = b == begin ? partials[b] : maybe<T>(op(value.value, partials[b].value));
  }
  const T folded = block_fold<Tuning::threads>(value.value, (blocks + each - 1) / each,
                                               shared.warp_total, op);
  if (threadIdx.x == 0) *out = maybe<T>(op(init.value, folded));
}

}  // namespace device

namespace backend {

template <class Tuning, std::integral Size, class F, class Op, class T>
void transform_reduce(cuda_context& ctx, Size count, F f, Op op, T init, T* out) {
  using device::maybe;
  // A value that is large takes fewer places of the transposed tile, which has to fit a block.
  constexpr int items = sizeof(T) <= 4 ? 16 : sizeof(T) <= 16 ? 8 : 4;
  constexpr int threads = sizeof(T) <= 16 ? 256 : 128;
  using tuning = tuning_or<Tuning, reduce_tuning<threads, items>>;
  using shared_type = device::reduce_shared<tuning, T>;
  const auto kernel = device::reduce_kernel<tuning, T, Size, F, Op>;
  constexpr std::size_t shared_bytes =
      is_commutative<Op, T> ? offsetof(shared_type, transposed)
                            : sizeof(shared_type);
  const std::size_t tiles = ceil_div(static_cast<std::size_t>(count), tuning::threads * tuning::items);
  const std::size_t grid = std::clamp<std::size_t>(
      tiles, 1, ctx.resident_blocks(kernel, tuning::threads, shared_bytes));
  array<maybe<T>> partials(ctx, grid > 1 ? grid : 0);
  ctx.launch("transform_reduce", kernel, grid, tuning::threads, shared_bytes, count, f, op,
             maybe<T>(init), partials.data(), ctx.counters(), reinterpret_cast<maybe<T>*>(out));
}

template <class Tuning, std::integral Size, class F, class Op, class T>
T transform_reduce(cuda_context& ctx, Size count, F f, Op op, T init) {
  T* result = ctx.mailbox<T>();
  transform_reduce<Tuning>(ctx, count, f, op, init, result);
  ctx.synchronize();
  return *result;
}

}  // namespace backend
}  // namespace evenfold
