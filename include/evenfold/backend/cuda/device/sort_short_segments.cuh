#pragma once
// A block sorts a tile of short segments: each key counts the keys before it in its segment. This
// takes one barrier, where merges of the runs of threads (block_sort.cuh) take two in each round,
// in all rounds even if segments are short.
//
// Only for arithmetic keys in natural order, whose ranks are different whatever the keys are, and
// only for keys of up to 4 bytes without values: others gain nothing.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// The longest segment whose keys are compared with each other.
inline constexpr int longest_ranked_segment = 16;

/// The same in one of few blocks.
inline constexpr int longest_of_few = 64;

/// The segment of a slot among `count`, from the bits of the slots but the first that begin one; or
/// a longer part of it than any that is ranked.
__device__ inline slot_range segment_around(const std::uint32_t* heads, int slot, int count) {
  constexpr int words = (longest_of_few + 31) / 32;
  const int home = slot / 32;
  const std::uint32_t up_to_slot = (2u << slot % 32) - 1;
  int w = home;
  std::uint32_t bits = heads[w] & up_to_slot;
#pragma unroll
  for (int step = 0; step < words; ++step) {
    if (bits == 0 && w > 0) bits = heads[--w];
  }
  const int begin = 32 * w + max(highest_bit(bits), 0);
  w = home;
  bits = heads[w] & ~up_to_slot;
#pragma unroll
  for (int step = 0; step < words; ++step) {
    if (bits == 0 && 32 * (w + 1) < count) bits = heads[++w];
  }
  const int end = bits != 0 ? 32 * w + __ffs(static_cast<int>(bits)) - 1 : 32 * (w + 1);
  return {begin, min(end, count)};
}

/// Sorts a tile of `count` items, whose keys and heads are in shared memory, to `out`, or returns
/// false, in all threads, if a segment is longer than `longest`. Synchronises the block.
template <class Sizes, class Shared, class Key, class Less>
__device__ bool sort_short_segments(const Shared& shared, uninitialized<Key>* out, int count,
                                    int longest, Less) {
  constexpr int items = Sizes::items;
  const auto slot_of = [](int j) { return j * Sizes::threads + static_cast<int>(threadIdx.x); };
  slot_range segment[items];
  bool is_long = false;
#pragma unroll
  for (int j = 0; j < items; ++j) {
    if (slot_of(j) >= count) break;
    segment[j] = segment_around(shared.heads, slot_of(j), count);
    if (segment[j].end - segment[j].begin > longest) is_long = true;
  }
  if (__syncthreads_or(is_long)) return false;

#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int slot = slot_of(j);
    if (slot >= count) break;
    const auto bits = detail::radix_key<Less>(shared.keys[slot].value);
    int rank = segment[j].begin;
#pragma unroll 4
    for (int other = segment[j].begin; other < segment[j].end; ++other) {
      const auto bits_of_other = detail::radix_key<Less>(shared.keys[other].value);
      rank += bits_of_other < bits || (bits_of_other == bits && other < slot);
    }
    out[rank] = shared.keys[slot];
  }
  return true;
}

}  // namespace evenfold::device
