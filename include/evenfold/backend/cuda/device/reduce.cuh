#pragma once
// transform_reduce on a GPU: one kernel that reads each value once.
//
// Each block takes an equal share. Where the operator is commutative, blocks take tiles in turn,
// and a thread folds its own column of each tile with 16-byte loads. Otherwise each warp takes an
// equal run of rows of 32 values and transposes it tile by tile through shared memory, so that a
// lane folds consecutive values and the order is kept. Each block writes one partial fold; the
// block that finishes last folds them in the order of blocks. The launch depends on the count and
// the device alone, and therefore so does the order of the fold.

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/delivery.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of reduce: threads per block, and how many values a lane loads before it folds
/// them.
template <int Threads = 256, int Items = 16>
struct reduce_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

template <class Tuning, class T>
struct reduce_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  /// The row of a lane in the transposed tile has one element of padding, which avoids bank
  /// conflicts.
  static constexpr int row = Tuning::items + 1;

  uninitialized<T> warp_total[warps];
  int last;
  // Not allocated where the operator is commutative.
  uninitialized<T> transposed[warps][warp_threads * row];
};

/// The ordered fold of f over the block's run of rows, valid in thread 0. Each warp takes an equal
/// part of the run, tile by tile; it loads by rows, and each lane folds consecutive values.
template <class Tuning, class T, class F, class Op>
__device__ T block_run_in_order(std::uint64_t total, F load, Op op,
                                reduce_shared<Tuning, T>& shared) {
  constexpr int items = Tuning::items;
  constexpr int tile = items * warp_threads;
  constexpr int warps = Tuning::threads / warp_threads;
  const int lane = lane_id();
  uninitialized<T>* transposed = shared.transposed[warp_id()];

  const std::uint64_t rows = detail::ceil_div(total, warp_threads);
  const std::uint64_t workers = std::uint64_t{gridDim.x} * warps;
  const std::uint64_t worker = std::uint64_t{blockIdx.x} * warps + warp_id();
  const std::uint64_t first = detail::share_begin(rows, workers, worker) * warp_threads;
  const std::uint64_t end = detail::share_begin(rows, workers, worker + 1) * warp_threads;
  const std::uint64_t last = end < total ? end : total;

  uninitialized<T> run;
  for (std::uint64_t base = first; base < last; base += tile) {
    const int filled = last - base < tile ? static_cast<int>(last - base) : tile;
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int at = j * warp_threads + lane;
      if (at < filled) transposed[at + at / items] = uninitialized<T>(load(base + at));
    }
    __syncwarp();
    const uninitialized<T>* mine = transposed + lane * (items + 1);
    const int have = filled - lane * items;
    uninitialized<T> value;
    if (have > 0) value = mine[0];
#pragma unroll
    for (int k = 1; k < items; ++k) {
      if (k < have) value.value = op(value.value, mine[k].value);
    }
    value.value = warp_fold(value.value, (filled + items - 1) / items, op);
    run = base == first ? value : uninitialized<T>(op(run.value, value.value));
    __syncwarp();
  }
  if (lane == 0) shared.warp_total[warp_id()] = run;
  __syncthreads();
  if (threadIdx.x == 0) {
    // Earlier workers have the longer shares: the warps with work come first.
    const std::uint64_t with_work = rows - std::uint64_t{blockIdx.x} * warps;
    for (int w = 1; w < warps && static_cast<std::uint64_t>(w) < with_work; ++w) {
      run.value = op(run.value, shared.warp_total[w].value);
    }
  }
  return run.value;
}

/// The fold of f over every gridDim.x-th tile, valid in thread 0; each thread folds its own column.
template <class Tuning, class T, class Size, class F, class Op>
__device__ T block_run_commuting(std::uint64_t total, const F& f, Op op,
                                 reduce_shared<Tuning, T>& shared) {
  constexpr int items = Tuning::items;
  constexpr std::uint64_t tile = Tuning::threads * items;
  uninitialized<T> run;
  bool has_run = false;
  const std::uint64_t first = blockIdx.x * tile;
  std::uint64_t base = first;
  for (; base + tile <= total; base += gridDim.x * tile) {
    uninitialized<T> loaded[items];
    load_tile<Tuning::threads, items, T, Size>(base, f, loaded);
    run = has_run ? uninitialized<T>(op(run.value, loaded[0].value)) : loaded[0];
    has_run = true;
#pragma unroll
    for (int j = 1; j < items; ++j) run.value = op(run.value, loaded[j].value);
  }
  if (base < total) {
    const std::uint64_t left = total - base;
    uninitialized<T> loaded[items];
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const unsigned at = j * Tuning::threads + threadIdx.x;
      if (at < left) loaded[j] = uninitialized<T>(static_cast<T>(f(static_cast<Size>(base + at))));
    }
#pragma unroll
    for (int j = 0; j < items; ++j) {
      if (j * Tuning::threads + threadIdx.x >= left) break;
      run = has_run ? uninitialized<T>(op(run.value, loaded[j].value)) : loaded[j];
      has_run = true;
    }
  }
  const int threads =
      total - first < Tuning::threads ? static_cast<int>(total - first) : Tuning::threads;
  return block_fold<Tuning::threads>(run.value, threads, shared.warp_total, op);
}

template <class Tuning, class T, class Size, class F, class Op>
__global__ void __launch_bounds__(Tuning::threads)
    reduce_kernel(Size count, F f, Op op, uninitialized<T> init, uninitialized<T>* partials,
                  unsigned* arrived, delivery<uninitialized<T>> out) {
  using shared_type = reduce_shared<Tuning, T>;
  shared_type& shared = shared_as<shared_type>();
  const std::uint64_t total = static_cast<std::uint64_t>(count);
  if (total == 0) {
    if (threadIdx.x == 0) out(init);
    return;
  }

  uninitialized<T> block_total;
  if constexpr (is_commutative<Op, T>) {
    block_total.value = block_run_commuting<Tuning, T, Size>(total, f, op, shared);
  } else {
    const auto load = [&](std::uint64_t i) { return static_cast<T>(f(static_cast<Size>(i))); };
    block_total.value = block_run_in_order<Tuning, T>(total, load, op, shared);
  }
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) out(uninitialized<T>(op(init.value, block_total.value)));
    return;
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = block_total;
  if (!arrive_last(arrived, &shared.last)) return;

  const int blocks = static_cast<int>(gridDim.x);
  const int each = (blocks + Tuning::threads - 1) / Tuning::threads;
  const int begin = static_cast<int>(threadIdx.x) * each;
  uninitialized<T> value;
  for (int b = begin; b < begin + each && b < blocks; ++b) {
    value = b == begin ? partials[b] : uninitialized<T>(op(value.value, partials[b].value));
  }
  const T folded =
      block_fold<Tuning::threads>(value.value, (blocks + each - 1) / each, shared.warp_total, op);
  if (threadIdx.x == 0) out(uninitialized<T>(op(init.value, folded)));
}

}  // namespace device

}  // namespace evenfold
