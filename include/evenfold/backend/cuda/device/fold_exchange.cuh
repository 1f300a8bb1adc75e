#pragma once
// The fold of the tile of a warp without shared memory, where the operator is commutative.
//
// A run of 16 items is folded by halves: items k and k + 8, then k and k + 4, ...
// (balance/fold_order.hpp). As load_tile reads a tile in packs, a run lies in as many neighbouring
// lanes as each lane has packs, one of each row. Of two lanes that have the two halves of each run,
// one folds the first half of the rows and one the second half, so that both have half as many
// values left. At the end each lane has the fold of one run.

#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// Whether a tile of which each lane has `Items` values, in packs of `Width`, is folded by
/// exchanges. Doubles, and single values that are computed, take less time through shared memory.
template <class Op, class T, int Items, int Width>
inline constexpr bool folds_by_exchange = is_commutative<Op, T> && std::is_arithmetic_v<T> &&
                                          sizeof(T) == 4 && Width > 1 && Items == detail::fold_run;

/// mine[0], ..., mine[Left - 1] = the 2 * `Left` values of each lane, value(0), ..., once halved.
template <int Left, int Width, class T, class Value, class Op>
__device__ void exchange_halves(T* mine, const Value& value, const Op& op) {
  // How far away the other half of a run is; 0 if it is in this lane, too.
  constexpr int lanes = Left / Width;
  const bool second = (lane_id() & lanes) != 0;
#pragma unroll
  for (int k = 0; k < Left; ++k) {
    const T a = value(k);
    const T b = value(k + Left);
    if constexpr (lanes > 0) {
      mine[k] = op(second ? b : a, shuffle_xor(second ? a : b, lanes));
    } else {
      mine[k] = op(a, b);
    }
  }
}

/// The fold of a tile whose values the lanes of a warp have read in packs of `Width`, in all lanes.
/// Calls next() as soon as the values are not needed any more.
template <int Width, class T, int Items, class Op, class Next>
__device__ T fold_by_exchange(const uninitialized<T> (&loaded)[Items], const Op& op,
                              const Next& next) {
  static_assert(folds_by_exchange<Op, T, Items, Width>);
  T mine[8];
  exchange_halves<8, Width>(
      mine, [&](int k) { return loaded[k].value; }, op);
  next();
  const auto left = [&](int k) { return mine[k]; };
  exchange_halves<4, Width>(mine, left, op);
  exchange_halves<2, Width>(mine, left, op);
  exchange_halves<1, Width>(mine, left, op);
  // Neighbouring runs of a row are as far apart as a run is long; the rows are in its lanes.
  constexpr int run_level = exponent_of(Items / Width);
  T fold = mine[0];
#pragma unroll
  for (int level = 0; level < warp_levels; ++level) {
    fold = op(fold, shuffle_xor(fold, 1 << (run_level + level) % warp_levels));
  }
  return fold;
}

}  // namespace evenfold::device
