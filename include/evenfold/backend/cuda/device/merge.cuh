#pragma once
// merge on a GPU: each block merges one tile of the merge path (merge_tiles.cuh).
//
// Source: Green, McColl, Bader, "GPU Merge Path", ICS 2012.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/merge_cuts.cuh"
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

/// Few tiles, in one launch: each block searches for both ends of its tile with a warp each, so
/// that a cut between two tiles is found twice. If `less` is not a strict weak order, these two may
/// differ, or the ends may not fit each other. found[k] is where the blocks of both sides of cut k
/// compare what they have found. The block that ends last then writes both sequences one after the
/// other instead. `found` and `arrived` are zero between kernels. The grid has less than 2^16
/// blocks.
template <class Sizes, class Key, class Inputs, class Output, class Values, class Less>
__global__ void __launch_bounds__(Sizes::threads,
                                  min_blocks<Sizes, Key, typename Values::value>(1024))
    merge_few_kernel(Inputs in, unsigned long long* found, unsigned* arrived, Output out,
                     Values values, Less less) {
  constexpr unsigned misfit = 1u << 16;
  auto& shared = shared_as<merge_tile_shared<Sizes, Key, Values::present>>();
  __shared__ std::uint64_t ends[2];
  __shared__ unsigned before;
  static_assert(Sizes::threads >= 2 * warp_threads, "two warps search");
  const std::uint64_t count = in.count();
  const std::uint64_t border = std::uint64_t{blockIdx.x} + warp_id();
  unsigned long long own = 0;
  unsigned long long other = 0;
  if (warp_id() < 2) {
    const std::uint64_t cut =
        group_merge_path<warp_threads>(in, min(border * Sizes::tile, count), less);
    own = cut + 1;
    if (lane_id() == 0) {
      ends[warp_id()] = cut;
      if (border > 0 && border < gridDim.x) other = atomicExch(found + border, own);
    }
  }
  __syncthreads();
  const std::uint64_t from = std::uint64_t{blockIdx.x} * Sizes::tile;
  const int steps = static_cast<int>(min(count - from, std::uint64_t{Sizes::tile}));
  const std::uint64_t a_count = ends[1] - ends[0];  // wraps around if the ends are not in order
  bool fits = a_count <= static_cast<std::uint64_t>(steps);
  if (fits) {
    const merge_tile tile{ends[0], from - ends[0], static_cast<int>(a_count), steps};
    merge_one_tile<Sizes>(in, tile, shared, out, values, less);
  }
  if (gridDim.x == 1) return;
  if (other != 0) {  // the other block was first
    found[border] = 0;
    fits = fits && other == own;
  }
  fits = __syncthreads_and(fits);
  if (threadIdx.x == 0) {
    const unsigned one = fits ? 1 : 1 + misfit;
    before = __nv_atomic_fetch_add(arrived, one, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE) +
             (one - 1);
  }
  __syncthreads();
  if (before % misfit != gridDim.x - 1) return;
  if (threadIdx.x == 0) *arrived = 0;
  if (before < misfit) return;
  for (std::uint64_t i = threadIdx.x; i < count; i += Sizes::threads) {
    const bool in_a = i < in.a_count;
    const std::uint64_t at = in_a ? i : i - in.a_count;
    out[i] = in_a ? in.a[at] : in.b[at];
    if constexpr (Values::present) values.out[i] = in_a ? values.a[at] : values.b[at];
  }
}

}  // namespace evenfold::device
