#pragma once
// The tiles of keys of 1 byte that segmented_counting_sort.cuh sorts in shared memory, whatever the
// alignment of the keys.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"

namespace evenfold::device {

/// The sizes of a tile. Each thread has a word of the heads.
struct counting_sizes {
  static constexpr int threads = 256;
  static constexpr int warps = threads / warp_threads;
  static constexpr int tile = threads * 32;
  static constexpr int blocks = 1536 / threads;
};

/// The keys of a tile.
struct alignas(widest_access) tile_bytes {
  std::uint8_t key[counting_sizes::tile + widest_access];  // and what is read with the last of them
};

/// How many of `count` items the tile of this block has.
__device__ inline int items_of_tile(std::uint64_t count) {
  const std::uint64_t left = count - std::uint64_t{blockIdx.x} * counting_sizes::tile;
  return static_cast<int>(min(left, std::uint64_t{counting_sizes::tile}));
}

/// Reads the first `items` keys of a tile.
__device__ inline void load_bytes(const std::uint8_t* keys, int items, tile_bytes& tile) {
  constexpr int width = widest_access;
  // A pack that is not aligned is read with some bytes after it.
  const bool aligned = lies_at_multiple(keys, width);
  const int packs = max((aligned ? items : items - width) / width, 0);
#pragma unroll
  for (int j = 0; j < counting_sizes::tile / width / counting_sizes::threads; ++j) {
    const int p = j * counting_sizes::threads + static_cast<int>(threadIdx.x);
    if (p < packs) {
      const auto bytes = load_shifted_pack<width>(keys + p * width);
      *reinterpret_cast<pack<std::uint8_t, width>*>(tile.key + p * width) = bytes;
    }
  }
  const int slot = packs * width + static_cast<int>(threadIdx.x);
  if (slot < items) tile.key[slot] = keys[slot];
}

/// Writes the keys of a part of a tile to memory.
__device__ inline void store_bytes(const tile_bytes& tile, slot_range part, std::uint8_t* keys) {
  constexpr int width = widest_access;
  const int thread = static_cast<int>(threadIdx.x);
  const int place = static_cast<int>(bytes_after_multiple(keys + part.begin, width));
  const int first = min(part.begin + (place == 0 ? 0 : width - place), part.end);
  const int packs = (part.end - first) / width;
  for (int p = thread; p < packs; p += counting_sizes::threads) {
    const int slot = first + p * width;
    store_pack(keys + slot, load_shifted_pack<width>(tile.key + slot));
  }
  const int last = first + packs * width;
  if (part.begin + thread < first) keys[part.begin + thread] = tile.key[part.begin + thread];
  if (last + thread < part.end) keys[last + thread] = tile.key[last + thread];
}

}  // namespace evenfold::device
