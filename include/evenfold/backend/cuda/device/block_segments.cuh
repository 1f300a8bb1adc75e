#pragma once
// The segments of a thread block in the canonical order of folds (balance/fold_order.hpp), at most
// one for each lane of a warp. The lanes of every warp hold all of them, so that no thread has to
// wait for another to learn where they lie.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/group_parts.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// The most segments of a block: one for each lane of a warp.
inline constexpr unsigned most_block_segments = warp_threads;

/// What the threads of a block share while they fold segments that have parts in at most `Parts`
/// groups.
template <class Tuning, class T, unsigned Parts>
struct block_segments_shared {
  typename fold_tiles<Tuning, T>::shared_type tiles;
  /// The folds of the parts of all segments, and of the items after the last run of each.
  uninitialized<T> folds[Parts];
  uninitialized<T> rests[most_block_segments];
};

/// The segment [begin, end) of a lane; without items where the lane has none.
struct lane_segment {
  unsigned begin = 0;
  unsigned end = 0;

  __device__ unsigned items() const { return end - begin; }
  __device__ lane_segment from_lane(int lane) const {
    return {shuffle_from(begin, lane), shuffle_from(end, lane)};
  }
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

/// Folds the segments of those lanes where `takes`, at least 16 items each: the warps of the block
/// take the parts of all of them in turn. Each warp calls this with the same segments; only lane 0
/// has one unless `several`. Calls write(fold) in the lane of each segment in one of the warps.
/// Synchronises the block, which does so again before it folds others.
template <class Size, class Tuning, class T, unsigned Parts, class F, class Op, class Look,
          class Write>
__device__ void fold_block_segments(block_segments_shared<Tuning, T, Parts>& shared,
                                    const lane_segment& segment, bool takes, bool several,
                                    const F& f, const Op& op, const uninitialized<T>& init,
                                    const Look& look, const Write& write) {
  constexpr unsigned group = detail::fold_group;
  constexpr unsigned warps = Tuning::threads / warp_threads;
  const auto warp = static_cast<unsigned>(uniform_warp_id());
  const auto lane = static_cast<unsigned>(lane_id());
  const unsigned parts = takes ? (segment.end - 1) / group - segment.begin / group + 1 : 0;
  const unsigned after = several ? warp_inclusive_scan(parts, plus{}) : shuffle_from(parts, 0);
  const unsigned first = after - parts;
  // The lane of the segment that part k belongs to.
  const auto lane_of = [&](unsigned k) {
    return __popc(__ballot_sync(whole_warp, first <= k)) - 1;
  };
  // The segment of the part that the warp reads, and the numbers of its parts.
  lane_segment of = segment.from_lane(0);
  unsigned of_first = 0;
  unsigned of_after = shuffle_from(after, 0);
  fold_parts<Size>(
      fold_tiles<Tuning, T>(shared.tiles), warp, shuffle_from(after, warp_threads - 1), warps, f,
      op,
      [&](unsigned k) {
        if (k >= of_after) {
          const int s = lane_of(k);
          of = segment.from_lane(s);
          of_first = shuffle_from(first, s);
          of_after = shuffle_from(after, s);
        }
        return group_part((of.begin / group + k - of_first) * group, of.begin, of.end);
      },
      [&](unsigned k, const group_part& part, const part_folds<T>& folds) {
        if (lane == 0) shared.folds[k] = folds.runs;
        if (part.has_rest()) {
          const int s = several ? lane_of(k) : 0;
          if (lane == 0) shared.rests[s] = folds.rest;
        }
      });
  look();
  __syncthreads();
  unsigned left = __ballot_sync(whole_warp, takes && lane % warps == warp);
  for (; left != 0; left &= left - 1) {
    const int s = __ffs(static_cast<int>(left)) - 1;
    of = segment.from_lane(s);
    const uninitialized<T> fold = join_groups(
        init, of.begin, of.end, shared.folds + shuffle_from(first, s), shared.rests[s], op);
    if (lane_id() == s) write(fold);
  }
}

}  // namespace evenfold::device
