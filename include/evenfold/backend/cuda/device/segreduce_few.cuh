#pragma once
// Segmented reduction of few items in the canonical order of folds (balance/fold_order.hpp): what
// takes the time is how often threads wait for memory, so that nothing is searched, and no segment
// is cut.
//
// Each block takes a few segments. A lane folds a segment of fewer than 16 items. The lanes of a
// warp fold each longer one, a run each, and the warps of the block together those that have more
// than one whole group, so that no warp works much longer than others. A block with a single
// segment does so if that has more runs than a warp has lanes.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/block_segments.cuh"
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

/// Values of more than 8 bytes take the registers of more blocks, so that a block is alone, and
/// takes longer for a segment that has most of the items.
template <class T>
using segreduce_few_tuning_for = std::conditional_t<sizeof(T) <= 8, segreduce_few_tuning<>,
                                                    segreduce_few_tuning<256, 1, 1u << 15>>;

/// A block has the parts of all items in the groups, and two more of each segment.
template <class Tuning, class T>
using segreduce_few_shared =
    block_segments_shared<Tuning, T, Tuning::most / detail::fold_group + 2 * most_block_segments>;

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
    some_items<Op, T> items(from, to);
    items.load([&](int k) {
      return f(static_cast<Size>(static_cast<Size>(base) + static_cast<Size>(k)));
    });
    const uninitialized<T> fold = items.fold(op);
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
    segreduce_few_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments,
                         int neighbour_bits, F f, Output out, Op op, uninitialized<T> init) {
  constexpr unsigned warps = Tuning::threads / warp_threads;
  constexpr unsigned group = detail::fold_group;
  constexpr unsigned run = detail::fold_run;
  auto& shared = shared_as<segreduce_few_shared<Tuning, T>>();
  const auto lane = static_cast<unsigned>(lane_id());
  const auto warp = static_cast<unsigned>(uniform_warp_id());
  // Up to four neighbours, whose items lie beside each other in memory, share a block; others,
  // which may be long together, have different ones.
  const std::uint64_t turn = lane >> neighbour_bits;
  const unsigned place = lane & ((1u << neighbour_bits) - 1);
  const std::uint64_t number = ((turn * gridDim.x + blockIdx.x) << neighbour_bits) + place;
  const bool several = neighbour_bits > 0;
  const bool exists = number < static_cast<std::uint64_t>(segments.num_segments);
  lane_segment mine;
  if (exists) {
    mine.begin = static_cast<unsigned>(segments.begin(static_cast<SegmentSize>(number)));
    mine.end = static_cast<unsigned>(segments.end(static_cast<SegmentSize>(number)));
  }
  const auto write = [&](const uninitialized<T>& fold) {
    out[static_cast<SegmentSize>(number)] = fold.value;
  };
  // A block that has one segment folds its groups at the same time, unless one warp reads it all at
  // once.
  const bool is_long =
      several
          ? mine.items() >= 2 * group && mine.end / group >= (mine.begin + group - 1) / group + 2
          : mine.items() >= group / 2 && (mine.end - 1) / run - mine.begin / run >= warp_threads;
  // The other segments have a warp each.
  const bool is_of_warp = exists && !is_long && lane % warps == warp;
  if (is_of_warp && mine.items() < run) {
    write(fold_short_segment(static_cast<Size>(mine.begin), static_cast<int>(mine.items()), f, op,
                             init));
  }
  unsigned longer = __ballot_sync(whole_warp, is_of_warp && mine.items() >= run);
  for (; longer != 0; longer &= longer - 1) {
    const int s = __ffs(static_cast<int>(longer)) - 1;
    const lane_segment of = mine.from_lane(s);
    const uninitialized<T> fold = fold_segment_by_warp<Size>(of.begin, of.end, f, op, init);
    if (lane_id() == s) write(fold);
  }
  if (!__any_sync(whole_warp, is_long)) return;
  fold_block_segments<Size>(
      shared, mine, is_long, several, f, op, init, [] {}, write);
}

}  // namespace device

}  // namespace evenfold
