#pragma once
// Segmented reduction of segments of equal length in the canonical order of folds
// (balance/fold_order.hpp), for segments of a length for which a thread block is a good worker.
//
// A thread block folds a segment at a time, so that nothing is searched, and no segment is joined
// from shares. Its warps fold the groups of the segment in turn; where the segment begins or ends
// inside a group, the lanes outside have no fold. One warp then folds the groups.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/group_parts.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold {

/// Launch tuning of the fold of rows: threads per block, the number of blocks per multiprocessor
/// that the compiler leaves registers for, and the most items of a row.
template <int Threads = 128, int Blocks = 8, std::int64_t Most = std::int64_t{1} << 15>
struct segreduce_rows_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = detail::fold_run;
  static constexpr int blocks = Blocks;
  static constexpr std::int64_t most = Most;
};

namespace device {

template <class Tuning, class T>
struct segreduce_rows_shared {
  typename fold_tiles<Tuning, T>::shared_type tiles;
  /// The folds of the groups of a segment, which may begin inside the first and end inside the
  /// last, and that of the items after the last run.
  uninitialized<T> folds[Tuning::most / detail::fold_group + 2];
  uninitialized<T> rest;
};

/// The fold of a part of a group: of the items [begin, end), where `end` is a multiple of 16 and
/// value(k) is item k of the group. All lanes of the warp call it.
template <class T, class Value, class Op>
__device__ T fold_part_of_group(int begin, int end, const Value& value, const Op& op) {
  const int run = lane_id() * detail::fold_run;
  const int from = begin - run;
  const int to = end - run;
  some_items<Op, T> items(from, to);
  items.load([&](int k) { return value(run + k); });
  const bool belongs = from < detail::fold_run && to > 0;
  return fold_some_runs(items.fold(op), belongs, op).value;
}

/// init (+) the items [begin, end), by all threads of a block; the result is valid in its first
/// warp. Synchronises the block before the result is there, not after.
template <class Size, class Tuning, class T, class F, class Op>
__device__ uninitialized<T> fold_row(const fold_tiles<Tuning, T>& tiles, std::uint64_t begin,
                                     std::uint64_t end, const F& f, const Op& op,
                                     uninitialized<T> init,
                                     segreduce_rows_shared<Tuning, T>& shared) {
  constexpr int group = detail::fold_group;
  const auto value = [&](std::uint64_t k) { return static_cast<T>(f(static_cast<Size>(k))); };
  const std::uint64_t runs_end = end - end % detail::fold_run;
  const std::uint64_t base = begin - begin % group;
  const int before = static_cast<int>(begin - base);
  const int last = static_cast<int>(runs_end - base);
  const int warp = uniform_warp_id();
  for (int at = warp * group; at < last; at += Tuning::threads / warp_threads * group) {
    T fold = init.value;
    if (at >= before && at + group <= last) {
      fold = tiles.template fold_whole_tile<Size>(base + at, f, op);
    } else {
      const std::uint64_t here = base + at;
      fold = fold_part_of_group<T>(
          before < at ? 0 : before - at, last - at < group ? last - at : group,
          [&](int k) { return value(here + k); }, op);
    }
    if (lane_id() == 0) shared.folds[at / group] = uninitialized<T>(fold);
    // The lanes have read their tile before the next one is written there.
    __syncwarp();
  }
  if (threadIdx.x == Tuning::threads - 1 && runs_end < end) {
    uninitialized<T> rest(value(runs_end));
    for (std::uint64_t k = runs_end + 1; k < end; ++k) {
      rest = uninitialized<T>(op(rest.value, value(k)));
    }
    shared.rest = rest;
  }
  __syncthreads();
  if (warp > 0) return init;
  uninitialized<T>* folds = shared.folds;
  if (before > 0) init = uninitialized<T>(op(init.value, (folds++)->value));
  const std::uint64_t first = detail::ceil_div(begin, static_cast<std::uint64_t>(group));
  const int groups = static_cast<int>(runs_end / group - first);
  init = fold_groups(init, first, groups, folds, op);
  if (last % group != 0) init = uninitialized<T>(op(init.value, folds[groups].value));
  if (runs_end < end) init = uninitialized<T>(op(init.value, shared.rest.value));
  return init;
}

template <class Tuning, class T, class Size, class F, class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segreduce_rows_kernel(std::int64_t rows, std::int64_t length, F f, Output out, Op op,
                          uninitialized<T> init) {
  auto& shared = shared_as<segreduce_rows_shared<Tuning, T>>();
  const fold_tiles<Tuning, T> tiles(shared.tiles);
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const auto begin = static_cast<std::uint64_t>(row * length);
    const std::uint64_t end = begin + static_cast<std::uint64_t>(length);
    const uninitialized<T> fold = fold_row<Size>(tiles, begin, end, f, op, init, shared);
    if (threadIdx.x == 0) out[row] = fold.value;
    __syncthreads();
  }
}

}  // namespace device

}  // namespace evenfold
