#pragma once
// Sorts few arithmetic keys in natural order: each key counts the keys that come before it in its
// segment, which is its place there. That compares all pairs of keys of a segment, but all at the
// same time, on the whole device, where the rounds of a merge sort wait for each other: up to about
// 10^4 keys it takes less time.
//
// Each block counts for some consecutive keys, and for the rest of a short segment that ends after
// them. Its warps share the comparisons of these keys with those of their segments, which it holds
// in shared memory. Where it has a part of a longer segment, keys move once all blocks have read
// them, after a barrier of the grid.
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

inline constexpr int rank_threads = 512;

/// The longest segment whose keys one block moves although it crosses the end of its share.
inline constexpr int longest_moved_segment = 128;

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

/// What a block holds besides the numbers of keys, which follow in shared memory.
template <class Size>
struct alignas(16) rank_sort_shared {
  std::uint32_t heads[rank_threads / 32];
  int ranks[rank_threads];
  /// For both ends of the share of the block: where the block begins or ends, where the segment
  /// there does, which is farther away if blocks share it, and the first segment that begins later.
  int cuts[2];
  Size ends[2];
  std::uint64_t next_segments[2];
};

/// Sorts keys with their values. Each block has a share of `each` keys, a multiple of 32, and at
/// least longest_moved_segment threads more; one block sorts up to rank_threads keys alone, without
/// the barrier.
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

  // Thread t moves key t of the share and what may be the rest of its last segment. Keys that other
  // blocks move, and may have written, are dropped.
  uninitialized<Key> key;
  uninitialized<Value> value;
  const int most = min(each + longest_moved_segment, total - base);
  if (thread < most) {
    key = keys[base + thread];
    if constexpr (indexed) value = uninitialized<Value>(sources(static_cast<Size>(base + thread)));
  }
  shared.ranks[thread] = 0;
  if (thread < rank_threads / 32) shared.heads[thread] = 0;
  if (const int warp = uniform_warp_id(); warp < 2) {
    const bool is_last = warp == 1;
    const int at = is_last ? min(base + each, total) : base;
    std::uint64_t next = is_last ? static_cast<std::uint64_t>(segments.num_segments) : 0;
    int cut = at;
    auto end = static_cast<Size>(at);
    if (0 < at && at < total) {
      next = segments_before(segments, static_cast<std::uint64_t>(at + 1));
      const auto s = static_cast<SegmentSize>(next - 1);
      const Size s_begin = segments.begin(s);
      const Size s_end = segments.end(s);
      if (s_begin < static_cast<Size>(at)) {
        const bool is_short = s_end - s_begin <= Size{longest_moved_segment};
        if (is_short) cut = static_cast<int>(s_end);
        end = is_short || is_last ? s_end : s_begin;
      }
    }
    if (lane_id() == 0) {
      shared.next_segments[warp] = next;
      shared.cuts[warp] = cut;
      shared.ends[warp] = end;
    }
  }
  if (thread < most) numbers[thread] = detail::radix_key<Less>(key.value);
  __syncthreads();
  const int from = shared.cuts[0];
  const int to = shared.cuts[1];
  const int first = static_cast<int>(shared.ends[0]);
  const int last = static_cast<int>(shared.ends[1]);
  const bool is_shared = first < from || last > to;
  const int origin = is_shared ? first : base;  // the key of numbers[0]
  if (is_shared) {
#pragma unroll 4
    for (int i = first + thread; i < last; i += rank_threads) {
      numbers[i - first] = detail::radix_key<Less>(keys[i].value);
    }
  }
  mark_tile_heads<rank_threads>(segments, shared.next_segments[0], shared.next_segments[1],
                                static_cast<Size>(base), static_cast<Size>(to), shared.heads);
  __syncthreads();
  if (thread == 0 && gridDim.x > 1) barrier.arrive();

  // Warp w counts for the 32 keys of group w % groups, in part w / groups of their segments.
  const int groups = max(detail::ceil_div(to - base, warp_threads), 1);
  const int parts = rank_threads / warp_threads / groups;
  const int part = warp_id() / groups;
  const int slot = warp_id() % groups * warp_threads + lane_id();
  const int self = base + slot;
  const bool is_own = self >= from && self < to;
  int begin = 0;
  if (part < parts && is_own) {
    const int head = head_up_to(shared.heads, slot);
    const int next = head_after(shared.heads, slot, to - base);
    begin = base + head < from ? first : base + head;
    const int end = next < 0 ? last : base + next;
    const int low = begin + (end - begin) * part / parts;
    const int high = begin + (end - begin) * (part + 1) / parts;
    const number own = numbers[self - origin];
    const int before = count_before<true>(numbers, low - origin, min(high, self) - origin, own) +
                       count_before<false>(numbers, max(low, self) - origin, high - origin, own);
    if (before > 0) atomicAdd(shared.ranks + slot, before);
  }
  if (is_shared && thread == 0) barrier.wait();
  __syncthreads();
  if (part == 0 && is_own) {  // where slot == thread
    const int at = begin + shared.ranks[thread];
    keys[at] = key;
    if constexpr (indexed) values[at] = value;
  }
}

}  // namespace evenfold::device
