#pragma once
// The look-back of single-pass kernels that fold in the canonical order: each block publishes the
// fold of its tile and finds the fold of all tiles before it, and the one up to its own end.
//
// Tiles are blocks of the canonical order (balance/fold_order.hpp), so that the prefix before tile
// t is the fold, from left to right, of one block of tiles for each binary digit of t that is one.
// A warp holds them like a binary counter, the block of 2^j tiles in lane j. Tiles form groups of
// 16, and the last tile of group g also publishes the block of groups that ends there, which has as
// many groups as the lowest bit of g + 1 says. From these, and from the tiles of its own and of the
// previous group, a tile makes all blocks before it:
//
//     tile 77 = 64 + 8 + 4 + 1 of group 4     groups 0-1 and 2 from two last tiles,
//                                             tiles 48-63 complete the block of tiles 0-63,
//                                             tiles 64-71, 72-75 and 76 are folded by the warp
//
// All values that a tile waits for are loaded at once, at most two per lane. Those of groups have
// been published long before, since the previous group is not among them.

#include <cstddef>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/balance/shares.hpp"

namespace evenfold::device {

inline constexpr int group_levels = 4;
inline constexpr int group_tiles = 1 << group_levels;

/// The number of slots of a row for `tiles` tiles: one per tile, and one per group.
inline std::size_t fold_look_back_slots(std::size_t tiles) {
  return tiles + detail::ceil_div(tiles, group_tiles);
}

/// A fold that grows at its end. Without an initial value it is empty at first.
template <class T>
struct growing_fold {
  bool has;
  uninitialized<T> value;

  template <class Op>
  __device__ void append(const uninitialized<T>& next, const Op& op) {
    value = has ? uninitialized<T>(op(value.value, next.value)) : next;
    has = true;
  }
};

/// The fold of everything before a tile, and of everything up to its end.
template <class T>
struct tile_prefixes {
  growing_fold<T> before;
  growing_fold<T> after;
};

/// `fold` (+) the blocks of the lanes whose bits of `digits` are set, the highest lane first.
template <class T, class Op>
__device__ growing_fold<T> append_lanes(growing_fold<T> fold, const uninitialized<T>& block,
                                        unsigned digits, const Op& op) {
  while (digits != 0) {
    const int lane = 31 - __clz(static_cast<int>(digits));
    digits ^= 1u << lane;
    fold.append(shuffle_from(block, lane), op);
  }
  return fold;
}

/// The block that `fold` completes: the blocks of lanes `level`, `level` + 1, ... are put in front
/// of it one after the other, as long as their bits of `digits` are set.
template <class T, class Op>
__device__ uninitialized<T> carry_over(const uninitialized<T>& block, unsigned digits, int level,
                                       uninitialized<T> fold, const Op& op) {
  for (; (digits >> level & 1) != 0; ++level) {
    fold = uninitialized<T>(op(shuffle_from(block, level).value, fold.value));
  }
  return fold;
}

/// Publishes `own`, the fold of a tile, and returns its prefixes. One warp calls it, with the same
/// arguments in all lanes, and gets the same result in all lanes. `init` is empty where there is no
/// initial value. Slot t of `row` belongs to tile t, slot gridDim.x + g to group g. The last tile
/// may have fewer items than the others: what it publishes is not read.
template <class T, class Op>
__device__ tile_prefixes<T> fold_look_back(const published<T>& row, unsigned tile,
                                           const uninitialized<T>& own, const Op& op,
                                           const growing_fold<T>& init) {
  const int lane = lane_id();
  const std::size_t tiles = gridDim.x;
  if (lane == 0) row.publish(tile, own.value);

  // Lanes 0-15 load the tiles of the previous group, lanes 16-31 those of this group. Lane j also
  // loads the block of 2^j tiles that the groups before the previous one have, if they have it.
  const unsigned group = tile / group_tiles;
  const int in_group = static_cast<int>(tile % group_tiles);
  const bool takes_tile = lane < group_tiles ? group > 0 : lane - group_tiles < in_group;
  const std::size_t tile_slot = std::size_t{group} * group_tiles + lane - group_tiles;
  const unsigned earlier = group > 0 ? (group - 1) * group_tiles : 0;
  const bool takes_block = (earlier >> lane & 1) != 0;
  const std::size_t block_slot = tiles + (earlier >> lane << lane) / group_tiles - 1;
  uninitialized<T> found[2];
  row.wait(
      takes_tile + takes_block,
      [=](int k) { return k == 0 && takes_tile ? tile_slot : block_slot; }, found);
  __syncwarp();

  const warp_blocks<T> loaded =
      fold_lanes(takes_tile ? found[0].value : own.value, op);  // any value where there is none
  uninitialized<T> block = found[0];
  if (takes_tile) block = found[1];
  // The blocks of this group and the previous group are those before this tile.
  const int here = group_tiles + in_group;
#pragma unroll
  for (int level = 0; level < group_levels; ++level) {
    const uninitialized<T> left = shuffle_from(loaded.beside[level], here);
    if (lane == level) block = left;
  }
  if (group > 0) {
    const uninitialized<T> previous = shuffle_from(loaded.beside[group_levels], here);
    const uninitialized<T> completed = carry_over(block, earlier, group_levels, previous, op);
    if (lane == __ffs(static_cast<int>(group * group_tiles)) - 1) block = completed;
  }

  // Lane j holds the block of 2^j tiles before this one, where bit j of `tile` is one.
  const uninitialized<T> completed = carry_over(block, tile, 0, own, op);
  if (in_group == group_tiles - 1 && lane == 0) row.publish(tiles + group, completed.value);
  const unsigned taken = tile & ~(tile + 1);  // the blocks that `completed` contains
  const growing_fold<T> others = append_lanes(init, block, tile & ~taken, op);
  tile_prefixes<T> result{append_lanes(others, block, taken, op), others};
  result.after.append(completed, op);
  return result;
}

}  // namespace evenfold::device
