#pragma once
// Segmented reduction of few items in the canonical order of folds (balance/fold_order.hpp): what
// takes the time is how often threads wait for memory, so that nothing is searched, and no segment
// is cut.
//
// Each warp takes a few segments. A lane folds a segment of fewer than 16 items. The lanes of the
// warp fold each longer one, a run each, and the threads of the block together each one that has
// more than one whole group, so that no warp works much longer than others. A block with a single
// segment does so if that has more runs than a warp has lanes.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/group_parts.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of the fold of few items: threads per block, the number of blocks per
/// multiprocessor that the compiler leaves registers for, and how many items there are at most.
template <int Threads = 256, int Blocks = 3, unsigned Most = 1u << 17>
struct segreduce_few_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = detail::fold_run;
  static constexpr int blocks = Blocks;
  static constexpr unsigned most = Most;
};

namespace device {

template <class Tuning, class T>
struct segreduce_few_shared {
  typename fold_tiles<Tuning, T>::shared_type tiles;
  /// The folds of the groups of a segment, which may begin inside the first and end inside the
  /// last, and that of the items after the last run.
  uninitialized<T> folds[Tuning::most / detail::fold_group + 2];
  uninitialized<T> rest;
  unsigned long_segments[Tuning::threads / warp_threads];  ///< of each warp, by lanes
};

/// init (+) fewer than 16 items from `begin` on, by one lane.
template <class Size, class T, class F, class Op>
__device__ uninitialized<T> fold_short_segment(Size begin, int items, const F& f, const Op& op,
                                               uninitialized<T> init) {
  constexpr int most = detail::fold_run - 1;
  uninitialized<T> value[most];
#pragma unroll
  for (int k = 0; k < most; ++k) {
    if (k < items) {
      value[k] =
          uninitialized<T>(static_cast<T>(f(static_cast<Size>(begin + static_cast<Size>(k)))));
    }
  }
  // The item with which the second of two runs begins.
  const int border =
      detail::fold_run - static_cast<int>(static_cast<std::uint64_t>(begin) % detail::fold_run);
  uninitialized<T> fold = value[0];
#pragma unroll
  for (int k = 1; k < most; ++k) {
    if (k >= items) break;
    if (k == border) {
      init = uninitialized<T>(op(init.value, fold.value));
      fold = value[k];
    } else {
      fold = uninitialized<T>(op(fold.value, value[k].value));
    }
  }
  return items > 0 ? uninitialized<T>(op(init.value, fold.value)) : init;
}

/// init (+) the items [begin, end), of which at least 16 and no two whole groups, by the lanes of a
/// warp, a run each.
template <class Size, class T, class F, class Op>
__device__ uninitialized<T> fold_segment_by_warp(unsigned begin, unsigned end, const F& f,
                                                 const Op& op, uninitialized<T> init) {
  constexpr unsigned run = detail::fold_run;
  constexpr unsigned group_runs = detail::fold_group / run;
  static_assert(group_runs == warp_threads, "a run of a group has a lane");
  const unsigned runs_end = end / run;  // the items after the last whole run are a part
  const unsigned last = (end - 1) / run;
  for (unsigned first = begin / run; first <= last;) {
    // The runs up to the next border between groups, and those after it if all that are left have a
    // lane: that of run r is r % 32 in both groups.
    const unsigned border = first - first % group_runs + group_runs;
    const unsigned stop = last - first < group_runs ? last + 1 : border;
    const auto lane = static_cast<unsigned>(lane_id());
    const unsigned mine = lane + (lane >= first % group_runs ? border - group_runs : border);
    const unsigned base = mine * run;
    const int from = begin > base ? static_cast<int>(begin - base) : 0;
    const int to = mine < stop ? static_cast<int>(min(end - base, run)) : 0;
    uninitialized<T> value[run];
    load_some_items<Op>(value, from, to, [&](int k) {
      return f(static_cast<Size>(static_cast<Size>(base) + static_cast<Size>(k)));
    });
    const uninitialized<T> fold = fold_some_items(value, from, to, op);
    // The parts from left to right.
    const auto append = [&](const uninitialized<T>& part) {
      init = uninitialized<T>(op(init.value, part.value));
    };
    const unsigned whole_end = min(stop, runs_end);
    if (first < whole_end) append(fold_some_runs(fold, mine < min(border, whole_end), op));
    if (border < whole_end) append(fold_some_runs(fold, mine >= border && mine < whole_end, op));
    if (runs_end < stop) {
      append(uninitialized<T>(shuffle_from(fold.value, static_cast<int>(runs_end % group_runs))));
    }
    first = stop;
  }
  return init;
}

template <class Tuning, class T, class Size, class F, class Offsets, class SegmentSize,
          class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segreduce_few_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, unsigned each,
                         F f, Output out, Op op, uninitialized<T> init) {
  constexpr unsigned warps = Tuning::threads / warp_threads;
  constexpr unsigned group = detail::fold_group;
  constexpr unsigned run = detail::fold_run;
  auto& shared = shared_as<segreduce_few_shared<Tuning, T>>();
  const auto warp = static_cast<unsigned>(uniform_warp_id());
  const auto lane = static_cast<unsigned>(lane_id());
  // The segments of the block, and the first of them that is of this warp.
  const unsigned of_warp = (each + warps - 1) / warps;
  const std::uint64_t block = std::uint64_t{blockIdx.x} * each;
  const unsigned mine = warp * of_warp + lane;
  const bool exists = lane < of_warp && mine < each &&
                      block + mine < static_cast<std::uint64_t>(segments.num_segments);
  const auto segment = static_cast<SegmentSize>(exists ? block + mine : 0);
  const auto begin = static_cast<unsigned>(exists ? segments.begin(segment) : Size{0});
  const auto end = static_cast<unsigned>(exists ? segments.end(segment) : Size{0});
  const unsigned items = end - begin;

  if (exists && items < run) {
    out[segment] =
        fold_short_segment(static_cast<Size>(begin), static_cast<int>(items), f, op, init).value;
  }
  // A block that has one segment folds its groups at the same time, unless one warp reads it all at
  // once.
  const bool is_long = each == 1
                           ? items >= group / 2 && (end - 1) / run - begin / run >= warp_threads
                           : items >= 2 * group && end / group >= (begin + group - 1) / group + 2;
  unsigned longer = __ballot_sync(whole_warp, items >= run && !is_long);
  for (; longer != 0; longer &= longer - 1) {
    const int k = __ffs(static_cast<int>(longer)) - 1;
    const uninitialized<T> fold =
        fold_segment_by_warp<Size>(shuffle_from(begin, k), shuffle_from(end, k), f, op, init);
    if (lane_id() == k) out[segment] = fold.value;
  }
  if (__syncthreads_or(is_long) == 0) return;

  const unsigned long_segments = __ballot_sync(whole_warp, is_long);
  if (lane == 0) shared.long_segments[warp] = long_segments;
  __syncthreads();
  const fold_tiles<Tuning, T> tiles(shared.tiles);
#pragma unroll 1
  for (unsigned w = 0; w < warps; ++w) {
#pragma unroll 1
    for (unsigned left = shared.long_segments[w]; left != 0; left &= left - 1) {
      const unsigned number =
          w * of_warp + static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1);
      const auto s = static_cast<SegmentSize>(block + number);
      const auto from = static_cast<unsigned>(segments.begin(s));
      const auto to = static_cast<unsigned>(segments.end(s));
      const unsigned first = from / group;
      fold_parts<Size>(
          tiles, warp, (to - 1) / group - first + 1, warps, f, op,
          [&](unsigned k) { return group_part((first + k) * group, from, to); },
          [&](unsigned k, const group_part& part, const part_folds<T>& fold) {
            if (lane != 0) return;
            shared.folds[k] = fold.runs;
            if (part.has_rest()) shared.rest = fold.rest;
          });
      __syncthreads();
      if (warp == 0) {
        const uninitialized<T> fold = join_groups(init, from, to, shared.folds, shared.rest, op);
        if (lane == 0) out[s] = fold.value;
      }
      __syncthreads();
    }
  }
}

}  // namespace device

}  // namespace evenfold
