#pragma once
// The look-back of one-pass kernels: every block publishes the fold of its tile and finds the fold
// of everything before it.
//
// It differs from the well-known decoupled one in that its tree is fixed. Tiles stand in groups;
// the last tile of a group publishes the prefix up to its end. A tile folds what the tiles of its
// own and of the previous group published, each taken from the tile itself, never from whatever
// happened to be ready, and puts the prefix before the previous group in front. So the bits do not
// depend on timing, and a tile waits for its neighbours only: that prefix, a whole group away, is
// there long before.

#include <cstddef>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/balance/shares.hpp"

namespace evenfold::device {

/// The places that a row needs for `tiles` tiles: one a tile, then one a group of Tuning::group
/// tiles, a multiple of 16.
template <class Tuning>
std::size_t look_back_slots(std::size_t tiles) {
  return tiles + detail::ceil_div(tiles, Tuning::group);
}

/// The fold of everything before tile `tile`, found by one warp and valid in lane 0; `own` is the
/// fold of the tile itself. There is an earlier tile or an initial value. Place t of `row` is for
/// the fold of tile t, place gridDim.x + g for the fold of everything up to the end of group g.
template <class Tuning, class T, class Op>
__device__ uninitialized<T> look_back(const published<T>& row, std::size_t tile, const T& own,
                                      Op op, bool has_init, const uninitialized<T>& init) {
  // Up to two groups of folds, an equal run of them a lane; then lane 0 puts the prefix in front.
  constexpr int each = 2 * Tuning::group / warp_threads;
  const std::size_t group = tile / Tuning::group;
  const std::size_t start = group > 0 ? (group - 1) * Tuning::group : 0;
  const int before = static_cast<int>(tile - start);
  const int first = lane_id() * each;
  const int have = min(max(before - first, 0), each);
  const bool takes_prefix = lane_id() == 0 && group > 1;

  // All that is waited for is asked for at once; the prefix stands behind the folds.
  uninitialized<T> found[each + 1];
  const std::size_t prefix_place = gridDim.x + group - 2;
  row.wait(
      takes_prefix ? each + 1 : have,
      [=](int k) { return k < have ? start + first + k : prefix_place; }, found);
  uninitialized<T> fold = found[0];
#pragma unroll
  for (int k = 1; k < each; ++k) {
    if (k < have) fold.value = op(fold.value, found[k].value);
  }
  __syncwarp();
  fold.value = warp_fold(fold.value, (before + each - 1) / each, op);
  if (takes_prefix || (has_init && lane_id() == 0)) {
    const uninitialized<T> earlier = takes_prefix ? found[each] : init;
    fold = before > 0 ? uninitialized<T>(op(earlier.value, fold.value)) : earlier;
  }
  if (lane_id() == 0 && tile % Tuning::group == Tuning::group - 1) {
    row.publish(gridDim.x + group, op(fold.value, own));
  }
  return fold;
}

}  // namespace evenfold::device
