#pragma once
// What a warp reads later is brought into the L2 cache, which takes no registers.
//
// The blocks of a scan read their tiles, and then wait for the tiles before theirs, while the
// memory has little to do. Where there are many tiles, each block therefore also asks for what a
// later block reads. A few megabytes ahead is far enough; more of them would evict others before
// they are read.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/core/access.hpp"

namespace evenfold::device {

/// Brings a line of memory into the L2 cache.
__device__ inline void prefetch(const void* at) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/// Brings `Count` elements from `begin` on into the L2 cache, where they are known to lie in
/// memory. All lanes of a warp call it.
template <int Count, class Input>
__device__ void prefetch_by_warp(const Input& input, std::uint64_t begin) {
  if constexpr (std::is_pointer_v<Input>) {
    constexpr int line = sizeof(*input) < 128 ? 128 / sizeof(*input) : 1;
    constexpr int row = warp_threads * line;
    const int first = lane_id() * line;
#pragma unroll
    for (int row_begin = 0; row_begin < Count; row_begin += row) {
      if (Count - row_begin >= row || first < Count - row_begin) {
        prefetch(input + begin + (row_begin + first));
      }
    }
  }
}
template <int Count, class T, class Input>
__device__ void prefetch_by_warp(const element_of<T, Input>& f, std::uint64_t begin) {
  prefetch_by_warp<Count>(f.input, begin);
}

/// Brings what this warp of a later block reads into the L2 cache, if there are many blocks. Each
/// warp reads `Items` elements, those of this block from `base` on, and each block `Tile` of them,
/// of `Bytes` bytes each.
template <int Tile, int Items, int Bytes, class Input>
__device__ void prefetch_ahead(const Input& input, std::uint64_t base) {
  constexpr unsigned least_tiles = 1536;
  constexpr unsigned tiles = (4 << 20) / (Tile * Bytes);
  if (gridDim.x < least_tiles || blockIdx.x + tiles + 1 >= gridDim.x) return;
  prefetch_by_warp<Items>(input, base + std::uint64_t{tiles} * Tile);
}

}  // namespace evenfold::device
