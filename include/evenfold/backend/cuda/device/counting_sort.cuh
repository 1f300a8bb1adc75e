#pragma once
// Counting sort of keys of 1 or 2 bytes on a GPU: a histogram of their numbers, its prefix sums,
// and the keys written anew, in order. No key is moved: this reads and writes each once, where a
// pass of a radix sort also ranks it.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/partition_point.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// Whether keys are of so few different numbers that each has a counter.
template <class Less, class Key>
concept counted_key = detail::radix_order<Less, Key> && sizeof(Key) <= 2;

/// The number of different keys.
template <class Key>
inline constexpr int key_numbers = 1 << 8 * sizeof(Key);

/// key -> the number of the key in the order of `Less`.
template <class Less>
struct number_of_key {
  template <class Key>
  EF_HD constexpr auto operator()(Key key) const {
    return detail::radix_key<Less>(key);
  }
};

inline constexpr int counted_threads = 256;

/// Writes the keys of positions [0, count) in order: those with number k are at the positions from
/// offsets[k] on. A thread writes `packs` packs of 16 bytes.
template <class Less, class Key, class Count>
__global__ void __launch_bounds__(counted_threads)
    write_counted_keys_kernel(const Count* __restrict__ offsets, std::uint64_t count, int packs,
                              Key* keys) {
  constexpr int width = widest_pack<Key>;
  __shared__ unsigned found[2];
  // Packs are aligned: the first one may begin before the keys, by so many.
  const std::uint64_t missing =
      reinterpret_cast<std::uintptr_t>(keys) % widest_access / sizeof(Key);
  const std::uint64_t base = std::uint64_t{blockIdx.x} * counted_threads * width * packs;
  const std::uint64_t end = min(base + counted_threads * width * packs, missing + count);
  // The last of the numbers [from, to) whose keys begin at a position or before it.
  const auto number_at = [=](std::uint64_t position, unsigned from, unsigned to) {
    return detail::partition_point(from, to, [=](unsigned k) { return offsets[k] <= position; }) -
           1;
  };
  if (warp_id() < 2) {
    const std::uint64_t position = (warp_id() == 0 ? max(base, missing) : end - 1) - missing;
    const unsigned after = group_partition_point<warp_threads, 1>(
        0u, unsigned{key_numbers<Key>}, [=](unsigned k) { return offsets[k] <= position; });
    if (lane_id() == 0) found[warp_id()] = after;
  }
  __syncthreads();
  const unsigned last = found[1];

  for (int p = 0; p < packs; ++p) {
    const std::uint64_t slot =
        base + (static_cast<unsigned>(p) * counted_threads + threadIdx.x) * width;
    if (slot >= end) break;
    const int first = slot < missing ? static_cast<int>(missing) : 0;
    const std::uint64_t position = slot - missing;
    unsigned number = number_at(position + first, found[0], last);
    // Where the keys of the next number begin, counted from the pack.
    const auto next_begin = [&] {
      const std::uint64_t left = number + 1 < last ? offsets[number + 1] - position : width;
      return left < width ? static_cast<int>(left) : width;
    };
    int next = next_begin();
    pack<Key, width> results;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      if (k == next) {
        number = number_at(position + k, number + 1, last);
        next = next_begin();
      }
      results.value[k] = uninitialized<Key>(
          detail::key_of_radix<Less, Key>(static_cast<detail::radix_bits_t<Key>>(number)));
    }
    if (first == 0 && slot + width <= end) {
      store_pack(keys + position, results);
    } else {
#pragma unroll
      for (int k = 0; k < width; ++k) {
        if (k >= first && slot + k < end) keys[position + k] = results.value[k].value;
      }
    }
  }
}

}  // namespace evenfold::device
