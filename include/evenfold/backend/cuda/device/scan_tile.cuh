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

template <class Tuning, class T>
struct scan_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  static constexpr int levels = std::countr_zero(static_cast<unsigned>(warps));
  /// The row of a lane has one element of padding, which avoids bank conflicts.
  static constexpr int row = Tuning::items + 1;

  uninitialized<T> warp_fold[warps];
  uninitialized<T> before_warp[warps + 1];  // the last one: the fold up to the end of the tile
  uninitialized<T> transposed[warps][warp_threads * row];
};

/// The fold of all values before those of a thread, and in the canonical order those up to the end
/// of each of its runs.
template <class T, int Runs>
struct thread_prefixes {
  growing_fold<T> before;
  uninitialized<T> after_run[Runs > 0 ? Runs : 1];
};

/// The prefixes of a thread with the values `mine`, where any order of operations gives the same
/// bits.
template <class Tuning, class T, class Op>
__device__ thread_prefixes<T, 0> scan_tile(const uninitialized<T>* mine,
                                           scan_shared<Tuning, T>& shared, const published<T>& row,
                                           Op op, const growing_fold<T>& init) {
  const std::size_t tile = blockIdx.x;
  T fold = mine[0].value;
#pragma unroll
  for (int k = 1; k < Tuning::items; ++k) fold = op(fold, mine[k].value);
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

/// The same in the canonical order. The folds of runs are folded to those of lanes, warps and
/// tiles, then each of these gets what precedes it.
template <class Tuning, class T, class Op>
__device__ thread_prefixes<T, Tuning::items / detail::fold_run> scan_tile_in_order(
    const uninitialized<T>* mine, scan_shared<Tuning, T>& shared, const published<T>& row, Op op,
    const growing_fold<T>& init) {
  constexpr int run = detail::fold_run;
  constexpr int runs = Tuning::items / run;
  constexpr int warps = Tuning::threads / warp_threads;
  static_assert(
      Tuning::items == runs * run && (runs & (runs - 1)) == 0 && (warps & (warps - 1)) == 0,
      "a tuning of scan has powers of two as threads and items, and at least 16 items, "
      "where the order of operations matters");
  uninitialized<T> block[runs];
#pragma unroll
  for (int r = 0; r < runs; ++r) {
    block[r] = uninitialized<T>(detail::fold_by_halves(&mine[r * run].value, op));
  }
#pragma unroll
  for (int half = 1; half < runs; half *= 2) {
#pragma unroll
    for (int end = 2 * half; end <= runs; end += 2 * half) {
      T& whole = block[end - 1].value;
      whole = op(block[end - 1 - half].value, whole);
    }
  }
  const warp_blocks<T> lanes = fold_lanes(block[runs - 1].value, op);
  if (lane_id() == 0) shared.warp_fold[warp_id()] = lanes.all;
  __syncthreads();
  if (warp_id() == 0) {
    // Lanes have the folds of the warps, repeated, so that the fold of all warps is beside each.
    const warp_blocks<T> folds = fold_lanes(shared.warp_fold[lane_id() % warps].value, op);
    const auto of_tile = [&] {
      constexpr int level = scan_shared<Tuning, T>::levels;
      if constexpr (level == warp_levels)
        return folds.all;
      else
        return folds.beside[level];
    };
    const tile_prefixes<T> prefixes = fold_look_back(row, blockIdx.x, of_tile(), op, init);
    const uninitialized<T> before =
        fold_lanes_before(folds, prefixes.before.value, prefixes.before.has, op);
    if (lane_id() < warps) shared.before_warp[lane_id()] = before;
    if (lane_id() == 0) shared.before_warp[warps] = prefixes.after.value;
  }
  __syncthreads();

  thread_prefixes<T, runs> result;
  const bool has_prefix = init.has || blockIdx.x > 0 || warp_id() > 0;
  result.before = {has_prefix || lane_id() > 0,
                   fold_lanes_before(lanes, shared.before_warp[warp_id()], has_prefix, op)};
#pragma unroll
  for (int r = 1; r < runs; ++r) {
    growing_fold<T> before = result.before;
#pragma unroll
    for (int half = runs / 2; half > 0; half /= 2) {
      if (r & half) before.append(block[(r & -half) - 1], op);
    }
    result.after_run[r - 1] = before.value;
  }
  const uninitialized<T> next = shuffle_down(result.before.value, 1);
  result.after_run[runs - 1] =
      lane_id() == warp_threads - 1 ? shared.before_warp[warp_id() + 1] : next;
  return result;
}

}  // namespace evenfold::device
