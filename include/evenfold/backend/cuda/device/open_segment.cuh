#pragma once
// The fold of a segment that goes on over several tiles of a warp, in the canonical order
// (balance/fold_order.hpp).
//
// Whole tiles are appended one by one. They are combined to blocks of 2, 4, 8, ... tiles as soon as
// these are complete, and lane l of the warp has the blocks of 2^l tiles: one on the rising slope,
// whose parent begins before the segment, and one on the falling slope, which waits for its right
// half. Which of them are there follows from the numbers of the first and the next tile.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"

namespace evenfold::device {

/// The levels of the blocks of a range of tiles, bit l for 2^l tiles.
struct slopes {
  unsigned rising;   ///< from left to right: from low to high
  unsigned falling;  ///< then from high to low
};

/// The blocks of tiles [begin, end).
template <class Number>
__device__ slopes slopes_of(Number begin, Number end) {
  // Blocks up to the highest bit in which begin - 1 and end differ rise to it, and then fall.
  const Number below = (Number{1} << highest_bit((begin - 1) ^ end)) - 1;
  return {static_cast<unsigned>(~(begin - 1) & below), static_cast<unsigned>(end & below)};
}

/// `result` (+) the blocks of the lanes whose bits of `levels` are set, from low to high. All lanes
/// of a warp call it, and append_falling, with the same result and levels, each with its own block.
template <class T, class Op>
__device__ T append_rising(T result, unsigned levels, const uninitialized<T>& block, const Op& op) {
#pragma unroll 1
  for (; levels != 0; levels &= levels - 1) {
    result = op(result, shuffle_from(block.value, __ffs(static_cast<int>(levels)) - 1));
  }
  return result;
}

/// The same from high to low.
template <class T, class Op>
__device__ T append_falling(T result, unsigned levels, const uninitialized<T>& block,
                            const Op& op) {
#pragma unroll 1
  while (levels != 0) {
    const int level = highest_bit(levels);
    levels &= ~(1u << level);
    result = op(result, shuffle_from(block.value, level));
  }
  return result;
}

/// The segment that is open before a tile. All lanes of a warp call its functions with the same
/// arguments; `end` is the number of the tile after those appended so far. `Number` is that of
/// tiles; shares have fewer than 2^32 of them.
template <class T, class Number>
class open_segment {
 public:
  /// Begins with the fold of the items before tile `first`, with the initial value.
  __device__ void start(Number first, const T& before) {
    begin_ = first;
    before_ = uninitialized<T>(before);
  }

  /// Appends the fold of the next tile. Returns the level of the largest block that is complete
  /// with it; completed() is the fold of the block of 2^l tiles in lane l up to this level.
  template <class Op>
  __device__ int append(Number tile, T fold, const Op& op) {
    const Number next = tile + 1;
    const int top = highest_bit(min(next & (0 - next), next - begin_));
    const int lane = lane_id();
#pragma unroll 1
    for (int level = 0; level < top; ++level) {
      const T left = shuffle_from(falling_.value, level);
      if (lane == level) falling_ = uninitialized<T>(fold);
      fold = op(left, fold);
    }
    if (lane == top) {
      falling_ = uninitialized<T>(fold);
      // Its left half begins before the segment.
      if ((tile >> top & 1) != 0) rising_ = falling_;
    }
    return top;
  }
  __device__ const uninitialized<T>& completed() const { return falling_; }

  /// The fold of all items so far.
  template <class Op>
  __device__ T fold(Number end, const Op& op) const {
    if (begin_ == end) return before_.value;
    const slopes levels = slopes_of(begin_, end);
    const T risen = append_rising(before_.value, levels.rising, rising_, op);
    return append_falling(risen, levels.falling, falling_, op);
  }

  /// The fold of the items before the first multiple of 2^level tiles, which is not after `end`.
  template <class Op>
  __device__ T fold_to_multiple(int level, Number end, const Op& op) const {
    return append_rising(before_.value, slopes_of(begin_, end).rising & ((1u << level) - 1),
                         rising_, op);
  }

  /// Stores the blocks of fewer than 2^level tiles after the last multiple of 2^level tiles, which
  /// is not before the segment, from left to right. Returns their number.
  __device__ int store_falling(int level, Number end, uninitialized<T>* to) const {
    const unsigned levels = static_cast<unsigned>(end) & ((1u << level) - 1);
    if (levels >> lane_id() & 1) to[__popc(levels >> lane_id()) - 1] = falling_;
    return __popc(levels);
  }

 private:
  Number begin_ = 0;
  uninitialized<T> before_;
  uninitialized<T> rising_, falling_;
};

}  // namespace evenfold::device
