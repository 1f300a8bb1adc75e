#pragma once
// The heads of a tile, as in segment_heads.cuh, where a block also stores a value per segment.
//
// A warp reads 32 neighbouring offsets at a time, and each lane gets the offset after its own from
// the next lane. The lanes whose segments are not empty store a value and a byte, most of them in
// different banks: bits would have to be added to the same words by atomics, one lane after the
// other. At the end the bytes become bits.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold::device {

/// A byte per item of a tile: whether it is a head.
template <int Items>
struct alignas(16) head_flags {
  static_assert(Items % 32 == 0);
  uint4 of_items[Items / 16];

  __device__ std::uint8_t& operator[](std::uint32_t item) {
    return reinterpret_cast<std::uint8_t*>(of_items)[item];
  }

  template <int Threads>
  __device__ void clear() {
    for (int at = static_cast<int>(threadIdx.x); at < Items / 16; at += Threads) {
      of_items[at] = uint4{};
    }
  }

  /// The bits of 32 items.
  __device__ std::uint32_t word(int w) const {
    // Of bytes that are 0 or 1: bit k is byte k.
    const auto four = [](std::uint32_t bytes) { return bytes * 0x10204080u >> 28; };
    const auto sixteen = [=](uint4 bytes) {
      return four(bytes.x) | four(bytes.y) << 4 | four(bytes.z) << 8 | four(bytes.w) << 12;
    };
    return sixteen(of_items[2 * w]) | sixteen(of_items[2 * w + 1]) << 16;
  }
};

/// Marks the heads of the segments `range`, which begin in a tile of `Items` items from item `base`
/// on, and calls store(k, fetch(s)) for each such segment s that is not empty and begins at item k
/// of the tile; several fetch before one stores. All threads of the block call it. It does not
/// synchronise the block at its end, after which the bits can be read.
template <int Threads, int Items, class Size, class Offsets, class SegmentSize, class Fetch,
          class Store>
__device__ void mark_heads(const detail::segment_view<Size, Offsets, SegmentSize>& segments,
                           segment_range<SegmentSize> range, std::uint64_t base,
                           tile_heads<Items>& heads, head_flags<Items>& flags, const Fetch& fetch,
                           const Store& store) {
  constexpr int rows = 8;
  constexpr std::uint32_t chunk = warp_threads * rows;
  if (!reads_all_offsets<Items>(range)) {
    mark_distinct_heads<Threads>(
        segments, range, base, heads,
        [&](std::uint32_t item, std::uint64_t s) { store(item, fetch(s)); });
    return;
  }
  flags.template clear<Threads>();
  __syncthreads();
  const auto from = static_cast<std::uint64_t>(range.from);
  const auto count = static_cast<std::uint32_t>(static_cast<std::uint64_t>(range.to) - from);
  const auto lane = static_cast<std::uint32_t>(lane_id());
  for (std::uint32_t first = warp_id() * chunk; first < count; first += Threads * rows) {
    std::uint32_t slot[rows + 1];
    decltype(fetch(from)) fetched[rows];
    const auto read = [&](auto exists) {
#pragma unroll
      for (std::uint32_t r = 0; r <= rows; ++r) {
        const std::uint32_t at = first + r * warp_threads + lane;
        slot[r] = Items;
        if (exists(at) && (r < rows || lane == 0)) {
          const auto s = static_cast<SegmentSize>(from + at);
          slot[r] =
              static_cast<std::uint32_t>(segments.begin(s)) - static_cast<std::uint32_t>(base);
        }
      }
#pragma unroll
      for (std::uint32_t r = 0; r < rows; ++r) {
        const std::uint32_t at = first + r * warp_threads + lane;
        if (exists(at)) fetched[r] = fetch(from + at);
      }
    };
    if (first + chunk < count) {
      read([](std::uint32_t) { return true; });
    } else {
      read([&](std::uint32_t at) { return at < count; });
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      std::uint32_t next = slot[r];
      if (lane == 0) next = slot[r + 1];
      next = __shfl_sync(whole_warp, next, static_cast<int>(lane + 1));
      // Of the segments that begin at an item, the last one is not empty.
      if (slot[r] != next) {
        store(slot[r], fetched[r]);
        flags[slot[r]] = 1;
      }
    }
  }
  __syncthreads();
  for (int w = static_cast<int>(threadIdx.x); w < heads.words; w += Threads) {
    heads.bits[w] = flags.word(w);
  }
}

}  // namespace evenfold::device
