#pragma once
// The canonical order of folds (balance/fold_order.hpp) within a warp.
//
// Each lane has the fold of one block, the blocks of a warp are consecutive, and the first one
// begins at a multiple of their length, so that 2, 4, ..., 32 lanes are larger blocks. Five
// exchanges tell each lane the fold of the block beside each block that contains the lane. The
// blocks on the left are those that a prefix is cut into: they fall from left to right.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// The exponent of a power of two.
EF_HD constexpr int exponent_of(int power) { return power == 1 ? 0 : 1 + exponent_of(power / 2); }

/// Blocks of 1, 2, 4, 8 and 16 lanes have a block beside them in a warp.
inline constexpr int warp_levels = 5;

/// The folds of blocks of its warp that a lane has.
template <class T>
struct warp_blocks {
  /// beside[k] is the fold of the block of 2^k lanes next to the one that contains this lane. It is
  /// on the left where bit k of the lane is one.
  uninitialized<T> beside[warp_levels];
  /// The fold of all 32 lanes, or of the largest block that was asked for.
  uninitialized<T> all;
};

/// op(left, right), where `other` is on the left if `other_first`.
template <class T, class Op>
__device__ T fold_pair(const T& mine, const T& other, bool other_first, const Op& op) {
  if constexpr (is_commutative<Op, T> && std::is_arithmetic_v<T>) {
    return op(mine, other);
  } else {
    uninitialized<T> left(mine);
    uninitialized<T> right(other);
    if (other_first) {
      left = uninitialized<T>(other);
      right = uninitialized<T>(mine);
    }
    return op(left.value, right.value);
  }
}

/// Folds the values of all lanes upwards, to blocks of 2^Levels lanes. The lanes on the right may
/// have any value of T if the blocks that contain them are not used. Blocks of 2^First lanes have
/// the same value in all their lanes.
template <int Levels = warp_levels, int First = 0, class T, class Op>
__device__ warp_blocks<T> fold_lanes(const T& value, const Op& op) {
  warp_blocks<T> blocks;
  blocks.all = uninitialized<T>(value);
#pragma unroll
  for (int k = First; k < Levels; ++k) {
    blocks.beside[k] = uninitialized<T>(shuffle_xor(blocks.all.value, 1 << k));
    const bool other_first = (lane_id() >> k & 1) != 0;
    blocks.all =
        uninitialized<T>(fold_pair(blocks.all.value, blocks.beside[k].value, other_first, op));
  }
  return blocks;
}

/// The fold of the values of the lanes that have one, at least one of them, in all lanes: a node of
/// the tree is that of both halves, or only of the half that has a value.
template <class T, class Op>
__device__ uninitialized<T> fold_some_lanes(uninitialized<T> fold, bool has, const Op& op) {
#pragma unroll
  for (int k = 0; k < warp_levels; ++k) {
    const uninitialized<T> other(shuffle_xor(fold.value, 1 << k));
    const bool has_other = __shfl_xor_sync(whole_warp, has, 1 << k) != 0;
    if (has && has_other) {
      fold = uninitialized<T>(fold_pair(fold.value, other.value, (lane_id() >> k & 1) != 0, op));
    } else if (has_other) {
      fold = other;
    }
    has = has || has_other;
  }
  return fold;
}

/// before (+) the blocks of 2^First lanes and more before that of this lane, from left to right.
/// Without `has_before`, the first operand is the first block; in the first block of lanes the
/// result is then `before`.
template <int First = 0, class T, class Op>
__device__ uninitialized<T> fold_lanes_before(const warp_blocks<T>& blocks, uninitialized<T> before,
                                              bool has_before, const Op& op) {
#pragma unroll
  for (int k = warp_levels - 1; k >= First; --k) {
    if ((lane_id() >> k & 1) == 0) continue;
    before =
        has_before ? uninitialized<T>(op(before.value, blocks.beside[k].value)) : blocks.beside[k];
    has_before = true;
  }
  return before;
}

/// The fold of `Count` consecutive blocks of one length, a power of two, as a binary tree.
template <int Count, class T, class Op>
__device__ T fold_blocks(const uninitialized<T>* blocks, const Op& op) {
  if constexpr (Count == 1) {
    return blocks->value;
  } else {
    const T left = fold_blocks<Count / 2>(blocks, op);
    return op(left, fold_blocks<Count / 2>(blocks + Count / 2, op));
  }
}

/// init (+) the items [0, end), where `folds` are those of the largest blocks they are cut into.
/// Called by all threads of a block, whose thread 0 gets the result; synchronises the block before.
template <int Threads, class T, class Op>
__device__ uninitialized<T> fold_falling(uninitialized<T> init, std::uint64_t end,
                                         const uninitialized<T>* folds, const Op& op,
                                         uninitialized<T> (&parts)[2]) {
  // Three threads take the groups, the tree of the runs after the last group, and the items after
  // the last run.
  const int groups = __popcll(end / detail::fold_group);
  const int blocks = __popcll(end % detail::fold_group / detail::fold_run);
  const int items = static_cast<int>(end % detail::fold_run);
  __syncthreads();
  if (threadIdx.x == warp_threads % Threads && blocks > 0) {
    const uninitialized<T>* const runs = folds + groups;
    uninitialized<T> fold = runs[blocks - 1];
#pragma unroll 1
    for (int k = blocks - 2; k >= 0; --k) fold = uninitialized<T>(op(runs[k].value, fold.value));
    parts[0] = fold;
  }
  if (threadIdx.x == 2 * warp_threads % Threads && items > 0) {
    const uninitialized<T>* const rest = folds + groups + blocks;
    uninitialized<T> fold = rest[0];
#pragma unroll 1
    for (int k = 1; k < items; ++k) fold = uninitialized<T>(op(fold.value, rest[k].value));
    parts[1] = fold;
  }
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = 0; k < groups; ++k) init = uninitialized<T>(op(init.value, folds[k].value));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    if (blocks > 0) init = uninitialized<T>(op(init.value, parts[0].value));
    if (items > 0) init = uninitialized<T>(op(init.value, parts[1].value));
  }
  return init;
}

/// Called by one lane: writes the folds of the blocks that the lanes before it are cut into, from
/// left to right.
template <int Levels = warp_levels, class T>
__device__ void write_blocks_before(const warp_blocks<T>& blocks, uninitialized<T>* to) {
#pragma unroll
  for (int k = Levels - 1; k >= 0; --k) {
    if ((lane_id() >> k & 1) != 0) *to++ = blocks.beside[k];
  }
}

/// A binary counter of folds: blocks of one length are appended by a warp, and lane k has the fold
/// of the block of 2^k of them that waits for the one on its right. The counter begins at a
/// multiple of the length of all blocks that it completes.
template <class T>
struct fold_counter {
  std::uint64_t blocks = 0;
  uninitialized<T> waiting;

  /// Appends 2^Level blocks, whose number so far is a multiple of that, by their fold. Called by
  /// all lanes with the same value.
  template <int Level = 0, class Op>
  __device__ void append(T value, const Op& op) {
    int level = Level;
    for (; (blocks >> level & 1) != 0; ++level) {
      value = op(shuffle_from(waiting.value, level), value);
    }
    if (lane_id() == level) waiting = uninitialized<T>(value);
    blocks += 1 << Level;
  }

  /// Writes the folds of the blocks that those appended so far are cut into, from left to right.
  __device__ void write(uninitialized<T>* to) const {
    const std::uint64_t larger = blocks >> lane_id();
    if ((larger & 1) != 0) to[__popcll(larger >> 1)] = waiting;
  }
};

}  // namespace evenfold::device
