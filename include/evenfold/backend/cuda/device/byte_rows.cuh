#pragma once
// A warp sorts a row of short segments of keys of 1 byte, all of them at once, in one register of
// each lane.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// The heads among the items from `begin`, which is one, up to `limit`, where a segment ends: bit k
/// for item begin + k, up to 63 items later.
template <int Items>
__device__ std::uint64_t heads_of_row(const tile_heads<Items>& heads, int begin, int limit) {
  const auto word = [&](int w) { return w < heads.words ? heads.bits[w] : 0u; };
  const int w = begin / 32;
  const std::uint32_t middle = word(w + 1);
  const std::uint64_t row = __funnelshift_r(word(w), middle, begin % 32) |
                            std::uint64_t{__funnelshift_r(middle, word(w + 2), begin % 32)} << 32;
  const int left = limit - begin;
  if (left > 63) return row;
  const std::uint64_t end = std::uint64_t{1} << left;
  return (row & (end - 1)) | end;
}

/// Sorts `count` keys of whole segments, at most 63, by a bitonic network whose items are the
/// halves of a word in each lane: item k is a half of lane k % 32. Bit k of `heads` is set where a
/// segment begins with key k. By a warp.
template <class Less, class Key>
__device__ void sort_row(std::uint8_t* keys, int count, std::uint64_t heads) {
  const int lane = lane_id();
  // The number of its segment, and the number of the key in the last 8 bits.
  const auto item = [&](int k, int segments_before, std::uint32_t half) {
    const int segment = segments_before + __popc(half & ((2u << lane) - 1)) - 1;
    const Key key = detail::bit_cast<Key>(keys[min(k, count - 1)]);
    return k < count ? static_cast<unsigned>(segment) << 8 | detail::radix_key<Less>(key) : 0xffffu;
  };
  const auto low_heads = static_cast<std::uint32_t>(heads);
  const auto high_heads = static_cast<std::uint32_t>(heads >> 32);
  constexpr std::uint32_t high = 0xffff0000;
  std::uint32_t both =
      item(lane, 0, low_heads) | item(lane + warp_threads, __popc(low_heads), high_heads) << 16;
  const auto exchange = [&](int distance, bool takes_less) {
    const std::uint32_t other = __shfl_xor_sync(whole_warp, both, distance);
    both = takes_less ? __vminu2(both, other) : __vmaxu2(both, other);
  };
  const auto merge_halves = [&] {
#pragma unroll
    for (int d = warp_threads / 2; d > 0; d /= 2) exchange(d, (lane & d) == 0);
  };
#pragma unroll
  for (int length = 2; length < warp_threads; length *= 2) {
#pragma unroll
    for (int d = length / 2; d > 0; d /= 2)
      exchange(d, ((lane & d) == 0) == ((lane & length) == 0));
  }
  if (count > warp_threads) {
    // The upper half is sorted in descending order, and then both are merged.
    both ^= high;
    merge_halves();
    both ^= high;
    const std::uint32_t turned = __byte_perm(both, both, 0x1032);
    both = (__vminu2(both, turned) & ~high) | (__vmaxu2(both, turned) & high);
  }
  merge_halves();
  const auto write = [&](int k, std::uint32_t number) {
    if (k < count) {
      const Key key = detail::key_of_radix<Less, Key>(static_cast<std::uint8_t>(number));
      keys[k] = detail::bit_cast<std::uint8_t>(key);
    }
  };
  write(lane, both);
  write(lane + warp_threads, both >> 16);
}

}  // namespace evenfold::device
