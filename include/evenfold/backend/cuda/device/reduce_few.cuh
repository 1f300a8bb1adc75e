#pragma once
// transform_reduce of few items on a GPU, in the canonical order of folds
// (balance/fold_order.hpp), by one block: a warp folds each group of 512 items, and one warp then
// the groups. Nothing is written to memory but the result.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/delivery.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/group_parts.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::device {

/// How the block folds groups: as many as it has warps.
struct reduce_few_tuning {
  static constexpr int threads = 256;
  static constexpr int items = detail::fold_run;
  static constexpr int warps = threads / warp_threads;
  static constexpr std::uint64_t most = warps * detail::fold_group;
};

template <class T>
struct reduce_few_shared {
  typename fold_tiles<reduce_few_tuning, T>::shared_type tiles;
  uninitialized<T> groups[reduce_few_tuning::warps];
  uninitialized<T> rest;  ///< the fold of the items after the last run
};

template <class T, class Size, class F, class Op>
__global__ void __launch_bounds__(reduce_few_tuning::threads)
    reduce_few_kernel(Size count, F f, Op op, uninitialized<T> init,
                      delivery<uninitialized<T>> out) {
  using tiles_type = fold_tiles<reduce_few_tuning, T>;
  constexpr int warps = reduce_few_tuning::warps;
  auto& shared = shared_as<reduce_few_shared<T>>();
  const auto total = static_cast<unsigned>(count);
  const int warp = uniform_warp_id();
  const unsigned base = static_cast<unsigned>(warp) * detail::fold_group;
  if (base < total) {
    const tiles_type tiles(shared.tiles);
    const group_part part(base, 0, total);
    typename tiles_type::tile_values values;
    load_part<Size, Op>(tiles, part, f, values);
    const part_folds<T> folds = fold_part<F>(tiles, part, values, op, [] {});
    if (lane_id() == 0) {
      shared.groups[warp] = folds.runs;
      if (part.has_rest()) shared.rest = folds.rest;
    }
  }
  __syncthreads();
  if (warp > 0) return;
  const int whole = static_cast<int>(total / detail::fold_group);
  uninitialized<T> fold = init;
  if (whole > 0) {
    // The groups before lane `whole`; twice, so that it has all of them beside it where they are 8.
    const int group = lane_id() % warps < whole ? lane_id() % warps : 0;
    const auto groups = fold_lanes<exponent_of(2 * warps)>(shared.groups[group].value, op);
    if (lane_id() == whole) fold = fold_lanes_before(groups, init, true, op);
  }
  if (lane_id() != whole) return;
  const group_part tail(static_cast<unsigned>(whole) * detail::fold_group, 0, total);
  if (tail.has_runs()) fold = uninitialized<T>(op(fold.value, shared.groups[whole].value));
  if (tail.has_rest()) fold = uninitialized<T>(op(fold.value, shared.rest.value));
  out(fold);
}

}  // namespace evenfold::device
