#pragma once
// The look-back of single-pass kernels: each block publishes the fold of its tile and finds the
// fold of all tiles before it.
//
// Unlike decoupled look-back, it has a fixed tree. Tiles form groups, and the last tile of a group
// publishes the prefix up to its end. A tile folds the values that the tiles of its own and of the
// previous group have published, and the prefix before the previous group in front of them; it
// never uses whichever prefix is ready first. The result therefore does not depend on timing. A
// tile waits for its neighbours only, since the prefix, a whole group away, has been published long
// before.

#include <cstddef>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/balance/shares.hpp"

namespace evenfold::device {

/// The number of slots of a row for `tiles` tiles: one per tile, and one per group of Tuning::group
/// tiles, a multiple of 16.
template <class Tuning>
std::size_t look_back_slots(std::size_t tiles) {
  return tiles + detail::ceil_div(tiles, Tuning::group);
}

/// The fold of all tiles before tile `tile`, computed by one warp and valid in lane 0; `own` is the
/// fold of the tile itself. There must be an earlier tile or an initial value. Slot t of `row`
/// holds the fold of tile t, slot gridDim.x + g the fold of all tiles up to the end of group g.
template <class Tuning, class T, class Op>
__device__ uninitialized<T> look_back(const published<T>& row, std::size_t tile, const T& own,
                                      Op op, bool has_init, const uninitialized<T>& init) {
  // Each lane folds an equal run of up to two groups of folds; lane 0 adds the prefix in front.
  constexpr int each = 2 * Tuning::group / warp_threads;
  const std::size_t group = tile / Tuning::group;
  const std::size_t start = group > 0 ? (group - 1) * Tuning::group : 0;
  const int before = static_cast<int>(tile - start);
  const int first = lane_id() * each;
  const int have = min(max(before - first, 0), each);
  const bool takes_prefix = lane_id() == 0 && group > 1;

  // All loads are issued at once; the prefix is read last.
  uninitialized<T> found[each + 1];
  const std::size_t prefix_slot = gridDim.x + group - 2;
  row.wait(
      takes_prefix ? each + 1 : have,
      [=](int k) { return k < have ? start + first + k : prefix_slot; }, found);
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
