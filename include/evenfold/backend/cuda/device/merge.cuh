#pragma once
// merge on a GPU: each block merges one tile of the merge path (merge_tiles.cuh).
//
// Source: Green, McColl, Bader, "GPU Merge Path", ICS 2012.

#include "evenfold/backend/cuda/device/merge_tiles.cuh"

namespace evenfold::device {

template <class Sizes, class Key, class Inputs, class Output, class Values, class Less>
__global__ void __launch_bounds__(Sizes::threads,
                                  min_blocks<Sizes, Key, typename Values::value>(1024))
    merge_kernel(Inputs in, const std::uint64_t* cuts, Output out, Values values, Less less) {
  auto& shared = shared_as<merge_tile_shared<Sizes, Key, Values::present>>();
  const merge_tile tile = tile_of_block<Sizes>(cuts, in.count());
  merge_one_tile<Sizes>(in, tile, shared, out, values, less);
}

}  // namespace evenfold::device
