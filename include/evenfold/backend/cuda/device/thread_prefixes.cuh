#pragma once
// The fold of all values before each thread of a block that scans a tile: in the canonical order of
// folds (balance/fold_order.hpp), or, where any order gives the same bits, in one that needs less
// work.

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

/// The operator of values that fold in the same way within and above a group.
template <class Op>
struct plain_runs {
  Op op;
  template <class T>
  __device__ T operator()(const T& a, const T& b) const {
    return op(a, b);
  }
  template <class T>
  __device__ T of_group(const T& fold) const {
    return fold;
  }
};

/// The same in the canonical order, where a thread has the runs whose folds are in `runs`.
/// `in_group` folds the runs of a group; in_group.of_group(x) converts such a fold x to an operand
/// of `op`, which folds it with the fold of everything before the group. Groups are folded to
/// blocks of lanes, warps and tiles; then each of these gets the fold of everything before it.
template <int Threads, int Runs, class T, class InGroup, class Op>
__device__ thread_prefixes<T, Runs> canonical_prefixes(uninitialized<T> (&runs)[Runs],
                                                       prefix_shared<Threads, T>& shared,
                                                       const published<T>& row,
                                                       const InGroup& in_group, const Op& op,
                                                       const growing_fold<T>& init) {
  constexpr int warps = Threads / warp_threads;
  static_assert((Runs & (Runs - 1)) == 0 && (warps & (warps - 1)) == 0,
                "where the order of operations matters, threads and items of a tuning are powers "
                "of two, and there are at least 16 items");
  // A group has 2^group_level lanes.
  constexpr int group_runs = detail::fold_group / detail::fold_run;
  static_assert(Runs <= group_runs, "and at most 512 items");
  constexpr int group_level = exponent_of(group_runs / Runs);
  constexpr int group_lanes = 1 << group_level;
  static_assert(group_lanes <= warp_threads, "a group belongs to one warp");

  // Sklansky's scan of the runs of the group, without anything before the group.
#pragma unroll
  for (int half = 1; half < Runs; half *= 2) {
#pragma unroll
    for (int r = half; r < Runs; ++r) {
      if (r & half) runs[r].value = in_group(runs[(r & -half) - 1].value, runs[r].value);
    }
  }
#pragma unroll
  for (int k = 0; k < group_level; ++k) {
    const T left = shuffle_from(runs[Runs - 1].value, (lane_id() >> k << k) - 1);
    if (lane_id() >> k & 1) {
#pragma unroll
      for (int r = 0; r < Runs; ++r) runs[r].value = in_group(left, runs[r].value);
    }
  }
#pragma unroll
  for (int r = 0; r < Runs; ++r) runs[r].value = in_group.of_group(runs[r].value);

  const T group = shuffle_from(runs[Runs - 1].value, lane_id() | (group_lanes - 1));
  const warp_blocks<T> groups = fold_lanes<warp_levels, group_level>(group, op);
  if (lane_id() == 0) shared.warp_fold[warp_id()] = groups.all;
  __syncthreads();
  if (uniform_warp_id() == 0) {
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
  const growing_fold<T> before_group{
      has_prefix || lane_id() >= group_lanes,
      fold_lanes_before<group_level>(groups, shared.before_warp[warp_id()], has_prefix, op)};
  const uninitialized<T> earlier = shuffle_up(runs[Runs - 1], 1);
  result.before = before_group;
  if (lane_id() % group_lanes > 0) result.before.append(earlier, op);
#pragma unroll
  for (int r = 0; r + 1 < Runs; ++r) {
    growing_fold<T> after = before_group;
    after.append(runs[r], op);
    result.after_run[r] = after.value;
  }
  const uninitialized<T> next = shuffle_down(result.before.value, 1);
  result.after_run[Runs - 1] =
      lane_id() == warp_threads - 1 ? shared.before_warp[warp_id() + 1] : next;
  return result;
}

}  // namespace evenfold::device
