#pragma once
// Launches the kernels of backend/cuda/device/merge_cuts.cuh.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/merge_cuts.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::device {

/// Below this number half a warp searches for each cut: 32 cuts of a warp wait for memory about
/// three times as long.
inline constexpr std::uint64_t few_cuts = 4096;

/// Launches the search for the cuts between tiles of `tile` steps; returns cuts[0 .. tiles].
template <class A, class B, class Less>
array<std::uint64_t> cut_merge(cuda_context& ctx, const char* name, const merge_inputs<A, B>& in,
                               int tile, Less less) {
  constexpr int threads = 128;
  const std::uint64_t tiles = detail::ceil_div(in.count(), tile);
  array<std::uint64_t> cuts(ctx, tiles + 1);
  if (tiles < few_cuts) {
    ctx.launch(name, cut_merge_few_kernel<threads, A, B, Less>,
               detail::ceil_div(tiles + 1, threads / (warp_threads / 2)), threads, 0, in, tile,
               tiles, cuts.data(), ctx.counters(), less);
    return cuts;
  }
  ctx.launch(name, cut_merge_kernel<threads, A, B, Less>, detail::ceil_div(tiles + 1, threads),
             threads, 0, in, tile, tiles, cuts.data(), ctx.counters(), less);
  return cuts;
}

}  // namespace evenfold::device
