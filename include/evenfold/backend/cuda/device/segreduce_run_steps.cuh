#pragma once
// How a warp folds one tile of segments in the canonical order (segreduce_runs.cuh).
//
// A tile is 512 items and begins at a multiple of 512, so that each lane has one run of 16 items.
//
// 1. Each lane folds its run from left to right, and begins again at each item with which a segment
//    begins. The slot of an item gets the fold of its segment in the run up to this item. If no
//    segment begins inside the run, the run is a whole block.
// 2. A Sklansky scan over the lanes, which stops at the lanes in which segments begin, folds the
//    runs of each segment as the binary tree restricted to them.
// 3. A lane in which a segment ends joins what comes before its run.
//
// A tile in which no segment begins after the first item is only folded up the tree, and is one
// block of the segment that is open (device/open_segment.cuh).

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/cut_segments.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/open_segment.cuh"
#include "evenfold/backend/cuda/device/run_slots.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::device {

/// Bit k: a segment begins with item k of this lane's run, where `opens` says whether one begins
/// with the first item of the tile.
template <class Tiles>
__device__ unsigned heads_of_run(const Tiles& tiles, bool opens) {
  unsigned heads = tiles.closed() > 0 ? tiles.ends_of_lane() & 0xffffu : 0;
  const auto first = static_cast<unsigned>(tiles.now().first());
  if (opens && first / detail::fold_run == threadIdx.x % warp_threads) {
    heads |= 1u << first % detail::fold_run;
  }
  return heads;
}

/// Step 1. Returns the fold of the whole run, or of its items from the last head on.
template <class T, class Op>
__device__ T fold_run_of_lane(unsigned heads, const run_packs<T>& packs, const Op& op) {
  uninitialized<T> fold = packs.load(0).value[0];
  uninitialized<T> whole = fold;
  // Short segments begin in every run.
  if (is_commutative<Op, T> && __any_sync(whole_warp, heads <= 1)) {
    whole = uninitialized<T>(fold_whole_run(packs, op));
  }
#pragma unroll
  for (int q = 0; q < packs.count; ++q) {
    auto values = packs.load(q);
#pragma unroll
    for (int k = 0; k < packs.width; ++k) {
      const int item = q * packs.width + k;
      if (item > 0 && (heads >> item & 1) == 0) {
        values.value[k] = uninitialized<T>(op(fold.value, values.value[k].value));
      }
      fold = values.value[k];
    }
    packs.store(q, values);
  }
  return is_commutative<Op, T> && heads <= 1 ? whole.value : fold.value;
}

/// The lanes of a warp in which segments begin, as seen by one lane.
struct lane_heads {
  unsigned before;  ///< bit l: a segment begins in lane l, which is before this lane
  unsigned levels;  ///< bit k: the block of 2^k lanes before that of this lane is of its segment

  __device__ explicit lane_heads(unsigned heads) {
    const unsigned begins = __ballot_sync(whole_warp, heads != 0);
    const int lane = lane_id();
    before = begins & ((1u << lane) - 1);
    const unsigned to_here = before | (heads != 0 ? 1u << lane : 0);
    const int head = to_here != 0 ? 31 - __clz(static_cast<int>(to_here)) : 0;
    // Blocks up to the highest bit in which the lane and the head differ follow the head.
    const unsigned differ = static_cast<unsigned>(lane ^ head);
    levels = lane & (whole_warp >> __clz(static_cast<int>(differ)) & (differ != 0 ? ~0u : 0u));
  }
};

/// Step 2: the fold of the runs of the segment that is open after this lane's run, from the lane in
/// which the segment begins on.
template <class T, class Op>
__device__ T fold_lanes_from_head(T fold, unsigned levels, const Op& op) {
#pragma unroll
  for (int k = 0; k < warp_levels; ++k) {
    const T left = shuffle_from(fold, (lane_id() >> k << k) - 1);
    if (levels >> k & 1) fold = op(left, fold);
  }
  return fold;
}

/// The number of a tile among all tiles of the items.
template <class Number, class Tiles>
__device__ Number number_of_tile(const Tiles& tiles) {
  return static_cast<Number>(tiles.now().base) / run_tile;
}

/// The state of a warp about the segment that is open before a tile.
template <class T, class Number>
struct run_state {
  open_segment<T, Number> open;
  bool has_open;
  bool is_cut;  ///< whether it began before the share, so that its fold is not known yet
};

/// Stores what follows the last whole unit of a segment that began before the share and ends before
/// slot `end` of tile `tile`: the blocks before the tile, the whole runs in the tile, whose fold is
/// `fold` in the last of these lanes, and the items in the last run. Synchronises the warp.
template <class T, class Number>
__device__ void leave_trailing(const open_segment<T, Number>& open, Number tile, const T& fold,
                               int end, const run_slots<T>& slots, int unit_level,
                               uninitialized<T>* trailing) {
  int count = open.store_falling(unit_level, tile, trailing);
  const int runs = end / detail::fold_run;
  if (runs > 0) {
    if (lane_id() == runs - 1) trailing[count] = uninitialized<T>(fold);
    ++count;
  }
  if (end % detail::fold_run != 0 && lane_id() == 0) trailing[count] = slots[end - 1];
  __syncwarp();
}

/// Folds the values of a tile that has items. The slot of the last item of each segment that ends
/// in the tile gets the result of the segment, unless it began before the share; without the
/// initial value where the segment lies in one run and does not reach its end.
template <class T, class Tiles, class Number, class Op>
__device__ void fold_tile(const Tiles& tiles, bool ends_closed, const run_slots<T>& slots,
                          const Op& op, const T& init, run_state<T, Number>& state,
                          const cut_segments<T>& cuts, const share_cut<T>& share) {
  open_segment<T, Number>& open = state.open;
  const auto number = number_of_tile<Number>(tiles);
  const unsigned heads = heads_of_run(tiles, !state.has_open);
  const bool closes_cut = state.is_cut && tiles.closed() > 0;
  const int lane = lane_id();
  const run_packs<T> packs(slots);

  if (!__any_sync(whole_warp, heads > (lane == 0 ? 1u : 0u))) {
    const T block = fold_lanes(fold_whole_run(packs, op), op).all.value;
    const bool begins = __shfl_sync(whole_warp, heads, 0) != 0;
    if (begins) {
      if (closes_cut) leave_trailing(open, number, init, 0, slots, cuts.unit_level, share.trailing);
      open.start(number, init);
    }
    const int top = open.append(number, block, op);
    if (lane <= top) cuts.store_block(lane, number, open.completed());
    if (ends_closed) {
      if (closes_cut && !begins) {
        leave_trailing(open, number + 1, init, 0, slots, cuts.unit_level, share.trailing);
      } else {
        const T result = open.fold(number + 1, op);
        if (lane == 0) slots[run_tile - 1] = uninitialized<T>(result);
      }
    }
  } else {
    const lane_heads begins(heads);
    const T fold = fold_lanes_from_head(fold_run_of_lane(heads, packs, op), begins.levels, op);
    __syncwarp();
    if (closes_cut)
      leave_trailing(open, number, fold, tiles.end_of(0), slots, cuts.unit_level, share.trailing);
    // Step 3.
    uninitialized<T> before(init);
    if (state.has_open && !state.is_cut) {
      const T from_open = open.fold(number, op);
      if (begins.before == 0) before = uninitialized<T>(from_open);
    }
    const T earlier = shuffle_up(fold, 1);
    if (lane > 0) before = uninitialized<T>(op(before.value, earlier));
    if (heads & 1) {
      if (lane > 0) slots[lane * detail::fold_run - 1] = before;
    } else if (heads != 0) {
      T& end = packs.run[__ffs(static_cast<int>(heads)) - 2];
      end = op(before.value, end);
    }
    const T after = op(init, shuffle_from(fold, warp_threads - 1));
    if (lane == 0 && tiles.last() == run_tile) slots[run_tile - 1] = uninitialized<T>(after);
    open.start(number + 1, after);
  }
  __syncwarp();
}

/// Writes the results of the segments that end in the tile and began in the share, in the order of
/// segments, so that the writes are coalesced. `first` is the first slot of the tile, or that
/// of a run before the tile if a segment is open before it.
template <class T, class Tiles, class Output, class Op>
__device__ void write_folds(const Tiles& tiles, const run_slots<T>& slots, Output out, const Op& op,
                            const T& init, int first, bool first_is_cut) {
  for (int s = lane_id() + first_is_cut; s < tiles.closed(); s += warp_threads) {
    const int end = tiles.end_of(s);
    const int begin = s > 0 ? tiles.end_of(s - 1) : first;
    uninitialized<T> result(init);
    if (end > begin) {
      result = slots[static_cast<unsigned>(end - 1)];
      const bool in_one_run = ((begin ^ end) & -detail::fold_run) == 0;
      if (in_one_run) result = uninitialized<T>(op(init, result.value));
    }
    out[tiles.segment_at(s)] = result.value;
  }
}

}  // namespace evenfold::device
