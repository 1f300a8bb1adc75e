#pragma once
// Sorts few arithmetic keys in natural order: each key counts the keys that come before it in its
// segment, which is its place there. That compares all pairs of keys of a segment, but all at the
// same time, on the whole device, where the rounds of a merge sort wait for each other: up to about
// 10^4 keys it takes less time.
//
// Each block counts for some consecutive keys. It holds all keys in shared memory, and its warps
// share the comparisons. Keys move once all blocks have read them, after a barrier of the grid.
//
// The numbers that stand for keys have a total order, and equal ones are told apart by their
// positions, so that the keys of a segment have different ranks, whatever they are.
//
// Source: Knuth, "The Art of Computer Programming", vol. 3, 5.2 (comparison counting).

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/device/single_barrier.cuh"
#include "evenfold/backend/cuda/device/sort_segments_together.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

inline constexpr int rank_threads = 1024;

/// The number that stands for a key, of at least 32 bits.
template <class Key>
using rank_number = std::conditional_t<sizeof(Key) <= 4, std::uint32_t, std::uint64_t>;

/// How many of others[from .. to) are less than `own`, or equal with `OrEqual`. They are counted in
/// a float, exactly up to 2^24: a multiprocessor adds twice as many floats as it compares integers,
/// but integers in the time of comparisons.
template <bool OrEqual, class Number>
__device__ int count_before(const Number* others, int from, int to, Number own) {
  constexpr int pack = 16 / sizeof(Number);
  constexpr int unrolled = 4 * pack;
  struct alignas(16) numbers {
    Number of[pack];
  };
  float before = 0;
  const auto compare = [&](Number other) {
    if (OrEqual ? other <= own : other < own) before += 1.0f;
  };
  for (; from < to && from % pack != 0; ++from) compare(others[from]);
  const auto* packs = reinterpret_cast<const numbers*>(others + from);
  int left = to - from;
#pragma unroll 1
  for (; left >= unrolled; left -= unrolled, packs += unrolled / pack) {
    numbers next[unrolled / pack];
#pragma unroll
    for (int p = 0; p < unrolled / pack; ++p) next[p] = packs[p];
#pragma unroll
    for (int i = 0; i < unrolled; ++i) compare(next[i / pack].of[i % pack]);
  }
#pragma unroll 1
  for (; left >= pack; left -= pack, ++packs) {
    const numbers next = *packs;
#pragma unroll
    for (int i = 0; i < pack; ++i) compare(next.of[i]);
  }
  const auto* rest = reinterpret_cast<const Number*>(packs);
#pragma unroll 1
  for (; left > 0; --left) compare(*rest++);
  return static_cast<int>(before);
}

/// The last set bit up to a slot; -1 if there is none.
__device__ inline int head_up_to(const std::uint32_t* heads, int slot) {
  int w = slot / 32;
  std::uint32_t bits = heads[w] & ((2u << slot % 32) - 1);
  while (bits == 0 && w > 0) bits = heads[--w];
  return bits == 0 ? -1 : 32 * w + highest_bit(bits);
}

/// The first set bit after a slot among `count`; -1 if there is none.
__device__ inline int head_after(const std::uint32_t* heads, int slot, int count) {
  int w = slot / 32;
  std::uint32_t bits = heads[w] & ~((2u << slot % 32) - 1);
  while (bits == 0 && 32 * (w + 1) < count) bits = heads[++w];
  return bits == 0 ? -1 : 32 * w + __ffs(static_cast<int>(bits)) - 1;
}

/// What a block holds besides the numbers of all keys, which follow in shared memory.
template <class Size>
struct alignas(16) rank_sort_shared {
  std::uint32_t heads[rank_threads / 32];
  int ranks[rank_threads];
  Size ends[2];                    ///< of the segments of the first and the last key of the block
  std::uint64_t next_segments[2];  ///< the first segments that begin after these keys
};

/// Sorts keys with their values. The block counts for `each` keys, a multiple of 32; one block
/// sorts up to rank_threads keys alone, without the barrier.
template <class Less, class Key, class Value, class Sources, class Size, class Offsets,
          class SegmentSize>
__global__ void __launch_bounds__(rank_threads)
    rank_sort_kernel(uninitialized<Key>* keys, uninitialized<Value>* values, Sources sources,
                     detail::segment_view<Size, Offsets, SegmentSize> segments, int each,
                     single_barrier barrier) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  using number = rank_number<Key>;
  auto& shared = shared_as<rank_sort_shared<Size>>();
  auto* const numbers = reinterpret_cast<number*>(&shared + 1);
  const int thread = static_cast<int>(threadIdx.x);
  const int total = static_cast<int>(segments.count);
  const int base = static_cast<int>(blockIdx.x) * each;
  const int count = min(each, total - base);

  // Thread t moves key t of the block.
  uninitialized<Key> key;
  uninitialized<Value> value;
  if (thread < count) {
    key = keys[base + thread];
    if constexpr (indexed) value = uninitialized<Value>(sources(static_cast<Size>(base + thread)));
  }
  shared.ranks[thread] = 0;
  if (thread < rank_threads / 32) shared.heads[thread] = 0;
  if (warp_id() < 2) {
    const bool is_last = warp_id() == 1;
    std::uint64_t next = is_last ? static_cast<std::uint64_t>(segments.num_segments) : 0;
    Size end = is_last ? segments.count : 0;
    if (is_last ? base + count < total : base > 0) {
      next =
          segments_before(segments, static_cast<std::uint64_t>(is_last ? base + count : base + 1));
      const auto s = static_cast<SegmentSize>(next - 1);
      end = is_last ? segments.end(s) : segments.begin(s);
    }
    if (lane_id() == 0) {
      shared.next_segments[warp_id()] = next;
      shared.ends[warp_id()] = end;
    }
  }
#pragma unroll 4
  for (int i = thread; i < total; i += rank_threads) {
    numbers[i] = detail::radix_key<Less>(keys[i].value);
  }
  __syncthreads();
  mark_tile_heads<rank_threads>(segments, shared.next_segments[0], shared.next_segments[1],
                                static_cast<Size>(base), static_cast<Size>(base + count),
                                shared.heads);
  __syncthreads();

  // Warp w counts for the 32 keys of group w % groups, in part w / groups of their segments.
  const int groups = detail::ceil_div(count, warp_threads);
  const int parts = rank_threads / warp_threads / groups;
  const int part = warp_id() / groups;
  const int slot = warp_id() % groups * warp_threads + lane_id();
  int begin = 0;
  if (part < parts && slot < count) {
    const int head = head_up_to(shared.heads, slot);
    const int next = head_after(shared.heads, slot, count);
    begin = head < 0 ? static_cast<int>(shared.ends[0]) : base + head;
    const int end = next < 0 ? static_cast<int>(shared.ends[1]) : base + next;
    const int from = begin + (end - begin) * part / parts;
    const int to = begin + (end - begin) * (part + 1) / parts;
    const int self = base + slot;
    const number own = numbers[self];
    const int before = count_before<true>(numbers, from, min(to, self), own) +
                       count_before<false>(numbers, max(from, self), to, own);
    if (before > 0) atomicAdd(shared.ranks + slot, before);
  }
  if (gridDim.x > 1) {
    barrier();
  } else {
    __syncthreads();
  }
  if (thread < count) {  // in part 0, where slot == thread
    const int to = begin + shared.ranks[thread];
    keys[to] = key;
    if constexpr (indexed) values[to] = value;
  }
}

}  // namespace evenfold::device
