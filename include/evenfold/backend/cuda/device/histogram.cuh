#pragma once
// Counts of a histogram on a GPU, in one pass.
//
// Each block has a table of counters in shared memory. Where a table cannot hold all bins, the bins
// are cut into ranges; block b owns range b % ranges, and the blocks of all ranges read the same
// slice of the items at about the same time, all but the first from the cache. Many ranges would
// read too much from the cache: histogram_slots.cuh.
//
// The counters are incremented by the constant 1 by atomics, which the hardware combines for all
// lanes of a warp that increment the same counter, so that skewed data costs nothing. A block adds
// its counters to the result with atomics, since the order of integer additions does not matter.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/bin_number.hpp"

namespace evenfold {

/// Launch tuning of histogram: the largest number of threads per multiprocessor, and for how many
/// items a lane computes the bins before it counts them.
template <int Threads = 1024, int Items = 16>
struct histogram_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

/// The bins and the items of a block. `slices` blocks share the items of each range.
struct histogram_share {
  std::uint32_t first, width;
  std::uint64_t slice, slices;

  __device__ histogram_share(std::uint32_t bins, std::uint32_t ranges)
      : slice(blockIdx.x / ranges), slices(gridDim.x / ranges) {
    const detail::equal_shares<std::uint32_t> cut(bins, ranges);
    first = cut.begin(blockIdx.x % ranges);
    width = cut.begin(blockIdx.x % ranges + 1) - first;
  }

  /// The slot of a bin in the block's table; `width` or more where the table does not have it.
  template <class Number>
  __device__ std::uint32_t slot(Number number, std::uint32_t bins) const {
    return detail::bin_or_none(number, bins) - first;
  }
};

template <int Threads, int Items, class Size, class F, class Count>
__global__ void __launch_bounds__(Threads)
    histogram_count_kernel(Size count, std::uint32_t bins, std::uint32_t ranges, F f, Count* out) {
  std::uint32_t* const table = &shared_as<std::uint32_t>();
  const histogram_share share(bins, ranges);
  for (std::uint32_t k = threadIdx.x; k < share.width; k += Threads) table[k] = 0;
  __syncthreads();

  const auto increment = [&](auto number) {
    const std::uint32_t slot = share.slot(number, bins);
    if (slot < share.width) atomicAdd(table + slot, 1u);
  };
  const auto total = static_cast<std::uint64_t>(count);
  constexpr std::uint64_t tile = Threads * Items;
  std::uint64_t base = share.slice * tile;
  for (; base + tile <= total; base += share.slices * tile) {
    using number_type = std::remove_cvref_t<std::invoke_result_t<const F&, Size>>;
    uninitialized<number_type> number[Items];
    load_tile<Threads, Items, number_type, Size>(base, f, threadIdx.x, number);
#pragma unroll
    for (int j = 0; j < Items; ++j) increment(number[j].value);
  }
  for (std::uint64_t i = base + threadIdx.x; i < total && i < base + tile; i += Threads) {
    increment(f(static_cast<Size>(i)));
  }
  __syncthreads();

  using word = std::conditional_t<sizeof(Count) == 4, unsigned, unsigned long long>;
  word* const to = reinterpret_cast<word*>(out) + share.first;
  for (std::uint32_t k = threadIdx.x; k < share.width; k += Threads) {
    if (table[k] > 0) atomicAdd(to + k, static_cast<word>(table[k]));
  }
}

/// The lanes of the warp that have the same value of `bits` bits. One ballot per bit: the
/// instruction that matches all lanes at once takes five times as long where they differ.
__device__ inline unsigned lanes_with(std::uint32_t value, int bits) {
  unsigned peers = whole_warp;
  for (int bit = 0; bit < bits; ++bit) {
    const bool set = value >> bit & 1;
    const unsigned others = __ballot_sync(whole_warp, set);
    peers &= set ? others : ~others;
  }
  return peers;
}

/// In the first of the lanes `peers`: the fold of the values of all of them, pairwise in the order
/// of lanes. All lanes of the warp call it.
template <class T>
__device__ T fold_peers(T value, unsigned peers) {
  unsigned rank = static_cast<unsigned>(__popc(peers & ((1u << lane_id()) - 1)));
  unsigned later = peers & 0xfffffffeu << lane_id();
  while (__any_sync(whole_warp, later != 0)) {
    const int next = __ffs(static_cast<int>(later)) - 1;
    const T other = shuffle_from(value, next < 0 ? lane_id() : next);
    if (next >= 0) value = value + other;
    later &= __ballot_sync(whole_warp, rank % 2 == 0);
    rank /= 2;
  }
  return value;
}

}  // namespace device

}  // namespace evenfold
