#pragma once
// Segmented reduction of few items in the canonical order of folds (balance/fold_order.hpp): what
// takes the time is how often threads wait for memory, so that nothing is searched, and no segment
// is cut.
//
// Each warp takes a few segments. A lane folds a segment of fewer than 16 items. The lanes of the
// warp fold each longer one, a run each, and the threads of the block together each one that has
// more than one whole group, so that no warp works much longer than others. A block with a single
// segment folds its groups together, however few.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/segreduce_rows.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold {

/// Launch tuning of the fold of few items: as of rows; `Most` is how many there are at most.
template <int Threads = 256, int Blocks = 3, std::int64_t Most = std::int64_t{1} << 17>
struct segreduce_few_tuning : segreduce_rows_tuning<Threads, Blocks, Most> {};

namespace device {

template <class Tuning, class T>
struct segreduce_few_shared {
  segreduce_rows_shared<Tuning, T> rows;
  unsigned long_segments[Tuning::threads / warp_threads];  // of each warp, by lanes
};

/// Fewer than a run, by one lane.
inline constexpr int most_items_at_once = detail::fold_run - 1;

/// Reads up to `most_items_at_once` items from `begin` on, all of them before the first one is
/// used.
template <class T, class Size, class F>
__device__ void read_few_items(Size begin, int items, const F& f,
                               uninitialized<T> (&value)[most_items_at_once]) {
#pragma unroll
  for (int k = 0; k < most_items_at_once; ++k) {
    if (k < items) {
      value[k] =
          uninitialized<T>(static_cast<T>(f(static_cast<Size>(begin + static_cast<Size>(k)))));
    }
  }
}

/// Fewer than 16 items from `begin` on from left to right, of which there is one at least, by one
/// lane.
template <class T, class Size, class F, class Op>
__device__ uninitialized<T> fold_few_items(Size begin, int items, const F& f, const Op& op) {
  uninitialized<T> value[most_items_at_once];
  read_few_items(begin, items, f, value);
  uninitialized<T> fold = value[0];
#pragma unroll
  for (int k = 1; k < most_items_at_once; ++k) {
    if (k < items) fold = uninitialized<T>(op(fold.value, value[k].value));
  }
  return fold;
}

/// init (+) fewer than 16 items from `begin` on, by one lane.
template <class Size, class T, class F, class Op>
__device__ uninitialized<T> fold_short_segment(Size begin, int items, const F& f, const Op& op,
                                               uninitialized<T> init) {
  uninitialized<T> value[most_items_at_once];
  read_few_items(begin, items, f, value);
  // The item with which the second of two runs begins.
  const int border =
      detail::fold_run - static_cast<int>(static_cast<std::uint64_t>(begin) % detail::fold_run);
  uninitialized<T> fold = value[0];
#pragma unroll
  for (int k = 1; k < most_items_at_once; ++k) {
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
  const unsigned runs_end = end / run;  // the items after the last whole run are a part
  const unsigned last = (end - 1) / run;
  for (unsigned first = begin / run; first <= last;) {
    // Parts are not divided: if not all runs that are left have a lane, those after the last border
    // between groups wait.
    const unsigned stop =
        last - first < group_runs ? last + 1 : (first + group_runs) / group_runs * group_runs;
    const unsigned mine = first + static_cast<unsigned>(lane_id());
    const bool has = mine < stop;
    uninitialized<T> fold = init;
    if (has) {
      const unsigned base = mine * run;
      const int from = begin > base ? static_cast<int>(begin - base) : 0;
      const int to = end - base < run ? static_cast<int>(end - base) : static_cast<int>(run);
      uninitialized<T> value[run];
#pragma unroll
      for (int k = 0; k < static_cast<int>(run); ++k) {
        if (k >= from && k < to) {
          value[k] = uninitialized<T>(
              static_cast<T>(f(static_cast<Size>(static_cast<Size>(base) + static_cast<Size>(k)))));
        }
      }
      if (to - from == static_cast<int>(run)) {
        fold = uninitialized<T>(detail::fold_whole_run(&value->value, op));
      } else {
#pragma unroll
        for (int k = 0; k < static_cast<int>(run); ++k) {
          if (k >= from && k < to) {
            fold = k == from ? value[k] : uninitialized<T>(op(fold.value, value[k].value));
          }
        }
      }
    }
    // The runs of the part, as offsets to that of this lane.
    const int here = static_cast<int>(mine % group_runs);
    const bool is_rest = mine >= runs_end;
    const unsigned part_begin = max(mine - static_cast<unsigned>(here), first);
    const unsigned part_end =
        min(mine - static_cast<unsigned>(here) + group_runs, min(stop, runs_end));
    const int left = is_rest ? 0 : static_cast<int>(mine - part_begin);
    const int right = is_rest ? 0 : static_cast<int>(part_end - 1 - mine);
#pragma unroll
    for (int k = 0; k < warp_levels; ++k) {
      // The node beside that of this lane has the runs from `low` on; its last run of the part has
      // their fold.
      const int low = ((here >> k ^ 1) << k) - here;
      const int beside = min(low + (1 << k) - 1, right);
      const bool has_beside = has && beside >= max(low, -left);
      const uninitialized<T> other(shuffle_from(fold.value, lane_id() + (has_beside ? beside : 0)));
      if (has_beside) {
        fold = uninitialized<T>(fold_pair(fold.value, other.value, (here >> k & 1) != 0, op));
      }
    }
    // The parts from left to right, each from its first lane.
    for (unsigned part = first; part < stop;) {
      const uninitialized<T> next(shuffle_from(fold.value, static_cast<int>(part - first)));
      init = uninitialized<T>(op(init.value, next.value));
      const unsigned after = part - part % group_runs + group_runs;
      part = part < runs_end && runs_end < after ? runs_end : after;
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
  auto& shared = shared_as<segreduce_few_shared<Tuning, T>>();
  // The segments of the block, and the first of them that is of this warp.
  const unsigned of_warp = (each + warps - 1) / warps;
  const std::uint64_t block = std::uint64_t{blockIdx.x} * each;
  const unsigned first = static_cast<unsigned>(warp_id()) * of_warp;
  const unsigned mine = first + static_cast<unsigned>(lane_id());
  const bool exists = static_cast<unsigned>(lane_id()) < of_warp && mine < each &&
                      block + mine < static_cast<std::uint64_t>(segments.num_segments);
  const auto segment = static_cast<SegmentSize>(exists ? block + mine : 0);
  const auto begin = static_cast<unsigned>(exists ? segments.begin(segment) : Size{0});
  const auto end = static_cast<unsigned>(exists ? segments.end(segment) : Size{0});
  const unsigned items = end - begin;

  if (exists && items < detail::fold_run) {
    out[segment] =
        fold_short_segment(static_cast<Size>(begin), static_cast<int>(items), f, op, init).value;
  }
  // A block that has one segment folds its groups at the same time.
  const bool is_long = each == 1
                           ? items >= detail::fold_group / 2 && (end - 1) / group > begin / group
                           : items >= 2 * group && end / group >= (begin + group - 1) / group + 2;
  unsigned longer = __ballot_sync(whole_warp, items >= detail::fold_run && !is_long);
  for (; longer != 0; longer &= longer - 1) {
    const int lane = __ffs(static_cast<int>(longer)) - 1;
    const uninitialized<T> fold =
        fold_segment_by_warp<Size>(shuffle_from(begin, lane), shuffle_from(end, lane), f, op, init);
    if (lane_id() == lane) out[segment] = fold.value;
  }
  if (__syncthreads_or(is_long) == 0) return;

  const unsigned long_segments = __ballot_sync(whole_warp, is_long);
  if (lane_id() == 0) shared.long_segments[warp_id()] = long_segments;
  __syncthreads();
  const fold_tiles<Tuning, T> tiles(shared.rows.tiles);
#pragma unroll 1
  for (unsigned w = 0; w < warps; ++w) {
#pragma unroll 1
    for (unsigned rest = shared.long_segments[w]; rest != 0; rest &= rest - 1) {
      const unsigned number =
          w * of_warp + static_cast<unsigned>(__ffs(static_cast<int>(rest)) - 1);
      const auto s = static_cast<SegmentSize>(block + number);
      const auto from = static_cast<std::uint64_t>(segments.begin(s));
      const auto to = static_cast<std::uint64_t>(segments.end(s));
      const uninitialized<T> fold =
          fold_row<Size>(tiles, from, to, f, op, init, shared.rows, [&](std::uint64_t k) {
            return fold_few_items<T>(static_cast<Size>(k), static_cast<int>(to - k), f, op);
          });
      if (threadIdx.x == 0) out[s] = fold.value;
      __syncthreads();
    }
  }
}

}  // namespace device

}  // namespace evenfold
