#pragma once
// A segment of keys of 1 byte as the runs of equal keys that it has in order: they are listed from
// the counts of the 256 numbers, and the keys are written from them.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/partition_point.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

inline constexpr int byte_numbers = 256;

/// The counts of 256 numbers and, in their place, the runs of equal keys, in order: where a run
/// begins, and its number in the last 8 bits. No run begins at `no_run`, which follows the last
/// one.
struct alignas(widest_access) byte_runs {
  static constexpr std::uint32_t no_run = ~0u;

  std::uint32_t run[byte_numbers + 1];
};

/// Replaces the counts of a part by its runs. Returns how many there are. By a warp, which has to
/// be synchronised before and after.
__device__ inline int list_runs(byte_runs& of_part) {
  constexpr int each = byte_numbers / warp_threads;
  static_assert(each == 8);
  const int first = lane_id() * each;
  std::uint32_t count[each];
#pragma unroll
  for (int k = 0; k < each; ++k) count[k] = of_part.run[first + k];
  // Keys in the lower half of a word, and runs in the upper one: a tile has fewer than 2^16 keys.
  std::uint32_t sums = 0;
#pragma unroll
  for (int k = 0; k < each; ++k) sums += count[k] + (count[k] > 0 ? 1u << 16 : 0u);
  const std::uint32_t to_here =
      warp_inclusive_scan(sums, [](std::uint32_t a, std::uint32_t b) { return a + b; });
  std::uint32_t slot = (to_here - sums) % (1u << 16);
  std::uint32_t run = (to_here - sums) >> 16;
  __syncwarp();
#pragma unroll
  for (int k = 0; k < each; ++k) {
    if (count[k] > 0) of_part.run[run++] = slot << 8 | static_cast<unsigned>(first + k);
    slot += count[k];
  }
  const auto runs = static_cast<int>(__shfl_sync(whole_warp, to_here, warp_threads - 1) >> 16);
  of_part.run[runs] = byte_runs::no_run;
  return runs;
}

/// Counts the keys at positions [from, from + length) of a sorted segment, of which the counts of
/// all keys are known. By a warp.
template <class Count>
__device__ void count_sorted_keys(const Count* counts, Count from, std::uint32_t length,
                                  byte_runs& of_part) {
  constexpr int each = byte_numbers / warp_threads;
  const int first = lane_id() * each;
  Count count[each];
  Count sum = 0;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    count[k] = counts[first + k];
    sum += count[k];
  }
  Count end = warp_inclusive_scan(sum, [](Count a, Count b) { return a + b; }) - sum;
  const auto slot_of = [=](Count position) {
    return static_cast<std::uint32_t>(min(max(position, from) - from, Count{length}));
  };
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const std::uint32_t begin_slot = slot_of(end);
    end += count[k];
    of_part.run[first + k] = slot_of(end) - begin_slot;
  }
}

/// Writes the keys of a part from its runs; thread `thread` of `threads` writes neighbouring words.
/// Returns how many threads had some to write.
template <class Less, class Key>
__device__ int write_runs(const byte_runs& from, int runs, slot_range part, std::uint8_t* keys,
                          int thread, int threads) {
  const int first_word = part.begin / 4;
  const int words = (part.end + 3) / 4 - first_word;
  const int each = (words + threads - 1) / threads | 1;  // odd: no bank conflicts
  const int first = first_word + thread * each;
  const int last = min(first + each, first_word + words);
  if (first < last) {
    // Runs that begin at or before a slot are at most this.
    const auto limit_at = [&](int slot) {
      return static_cast<std::uint32_t>(max(slot - part.begin, 0)) << 8 | 255;
    };
    const std::uint32_t limit = limit_at(first * 4);
    int run = detail::partition_point(1, runs, [&](int r) { return from.run[r] <= limit; });
    std::uint32_t number = from.run[run - 1] % 256;
    std::uint32_t next = from.run[run];
    for (int word = first; word < last; ++word) {
      std::uint32_t bytes = 0;
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (next <= limit_at(word * 4 + k)) {
          number = next % 256;
          next = from.run[++run];
        }
        const Key key = detail::key_of_radix<Less, Key>(static_cast<std::uint8_t>(number));
        bytes |= std::uint32_t{detail::bit_cast<std::uint8_t>(key)} << 8 * k;
      }
      if (word * 4 >= part.begin && word * 4 + 4 <= part.end) {
        *reinterpret_cast<std::uint32_t*>(keys + word * 4) = bytes;
      } else {  // other warps write the other keys of the word
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          const int slot = word * 4 + k;
          if (slot >= part.begin && slot < part.end) {
            keys[slot] = static_cast<std::uint8_t>(bytes >> 8 * k);
          }
        }
      }
    }
  }
  return (words + each - 1) / each;
}

/// Counts the keys of a part; thread `thread` of `threads`.
template <class Less, class Key>
__device__ void count_part(slot_range part, const std::uint8_t* keys, std::uint32_t* counts,
                           int thread, int threads) {
#pragma unroll 4
  for (int slot = part.begin + thread; slot < part.end; slot += threads) {
    const Key key = detail::bit_cast<Key>(keys[slot]);
    atomicAdd(counts + detail::radix_key<Less>(key), 1u);
  }
}

}  // namespace evenfold::device
