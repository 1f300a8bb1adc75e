#pragma once
// What precedes each thread of a block that scans a tile: in the canonical order of folds
// (balance/fold_order.hpp), or, where any order gives the same bits, in one that needs less work.

#include <bit>
#include <cstddef>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_look_back.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::device {

/// The shared memory of a block of `Threads` threads whose values are scanned.
template <int Threads, class T>
struct prefix_shared {
  static constexpr int warps = Threads / warp_threads;
  static constexpr int levels = std::countr_zero(static_cast<unsigned>(warps));

  uninitialized<T> warp_fold[warps];
  uninitialized<T> before_warp[warps + 1];  // the last one: the fold up to the end of the tile
};

/// The fold of all values before those of a thread, and in the canonical order those up to the end
/// of each of its runs.
template <class T, int Runs>
struct thread_prefixes {
  growing_fold<T> before;
  uninitialized<T> after_run[Runs > 0 ? Runs : 1];
};

/// The prefixes of a thread whose values have the fold `fold`, where any order of operations gives
/// the same bits. Without an initial value `init` is empty.
template <class Tuning, class T, class Op>
__device__ thread_prefixes<T, 0> exact_prefixes(const T& fold,
                                                prefix_shared<Tuning::threads, T>& shared,
                                                const published<T>& row, const Op& op,
                                                const growing_fold<T>& init) {
  const std::size_t tile = blockIdx.x;
  const scanned<T> threads = block_scan<Tuning::threads>(fold, shared.warp_fold, op);

  const bool has_prefix = init.has || tile > 0;
  if (warp_id() == 0) {
    if (lane_id() == 0) row.publish(tile, threads.total);
    if (has_prefix) {
      const uninitialized<T> prefix =
          look_back<Tuning>(row, tile, threads.total, op, init.has, init.value);
      if (lane_id() == 0) shared.before_warp[0] = prefix;
    }
  }
  __syncthreads();
  thread_prefixes<T, 0> result;
  result.before = {has_prefix, shared.before_warp[0]};
  if (threadIdx.x > 0) result.before.append(threads.before, op);
  return result;
}

/// The same in the canonical order, where a thread has the runs whose folds are in `block`. They
/// are folded to blocks of lanes, warps and tiles, then each of these gets what precedes it.
template <int Threads, int Runs, class T, class Op>
__device__ thread_prefixes<T, Runs> canonical_prefixes(uninitialized<T> (&block)[Runs],
                                                       prefix_shared<Threads, T>& shared,
                                                       const published<T>& row, const Op& op,
                                                       const growing_fold<T>& init) {
  constexpr int warps = Threads / warp_threads;
  static_assert((Runs & (Runs - 1)) == 0 && (warps & (warps - 1)) == 0,
                "where the order of operations matters, threads and items of a tuning are powers "
                "of two, and there are at least 16 items");
#pragma unroll
  for (int half = 1; half < Runs; half *= 2) {
#pragma unroll
    for (int end = 2 * half; end <= Runs; end += 2 * half) {
      T& whole = block[end - 1].value;
      whole = op(block[end - 1 - half].value, whole);
    }
  }
  const warp_blocks<T> lanes = fold_lanes(block[Runs - 1].value, op);
  if (lane_id() == 0) shared.warp_fold[warp_id()] = lanes.all;
  __syncthreads();
  if (warp_id() == 0) {
    const warp_blocks<T> folds = fold_lanes<prefix_shared<Threads, T>::levels>(
        shared.warp_fold[lane_id() % warps].value, op);
    const tile_prefixes<T> prefixes = fold_look_back(row, blockIdx.x, folds.all, op, init);
    if (lane_id() < warps) {
      shared.before_warp[lane_id()] =
          fold_lanes_before(folds, prefixes.before.value, prefixes.before.has, op);
    }
    if (lane_id() == 0) shared.before_warp[warps] = prefixes.after.value;
  }
  __syncthreads();

  thread_prefixes<T, Runs> result;
  const bool has_prefix = init.has || blockIdx.x > 0 || warp_id() > 0;
  result.before = {has_prefix || lane_id() > 0,
                   fold_lanes_before(lanes, shared.before_warp[warp_id()], has_prefix, op)};
#pragma unroll
  for (int r = 1; r < Runs; ++r) {
    growing_fold<T> before = result.before;
#pragma unroll
    for (int half = Runs / 2; half > 0; half /= 2) {
      if (r & half) before.append(block[(r & -half) - 1], op);
    }
    result.after_run[r - 1] = before.value;
  }
  const uninitialized<T> next = shuffle_down(result.before.value, 1);
  result.after_run[Runs - 1] =
      lane_id() == warp_threads - 1 ? shared.before_warp[warp_id() + 1] : next;
  return result;
}

}  // namespace evenfold::device
