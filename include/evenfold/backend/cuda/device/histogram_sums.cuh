#pragma once
// Sums of weights by bin on a GPU where the order of additions makes no difference: integers of 4
// or 8 bytes, added by atomics.
//
// Ranges of bins that fit the shared memory of a block are added there first. For bins of many
// ranges the lanes of a warp that have the same one add their weights first, so that a bin with
// most of the weights is added to less often.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/histogram.cuh"

namespace evenfold::device {

/// Unsigned integers wrap around, and have the bits of sums of signed ones.
template <class T>
using sum_word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

inline __device__ void add_shared(unsigned* to, unsigned weight) { atomicAdd(to, weight); }
/// In two halves, since shared memory adds only 32 bits at once.
inline __device__ void add_shared(unsigned long long* to, unsigned long long weight) {
  auto* const half = reinterpret_cast<unsigned*>(to);
  const auto low = static_cast<unsigned>(weight);
  const unsigned before = atomicAdd(half, low);
  const unsigned carry = before + low < before ? 1 : 0;
  const unsigned high = static_cast<unsigned>(weight >> 32) + carry;
  if (high != 0) atomicAdd(half + 1, high);
}

/// Calls add(slot, weight) for the items whose bins the block has, and add(width, 0) for others:
/// all lanes of a warp call it at the same time.
template <int Threads, int Items, class T, class Size, class F, class Weight, class Add>
__device__ void for_each_weight(const histogram_share& share, Size count, std::uint32_t bins,
                                const F& f, const Weight& weight, const Add& add) {
  const auto total = static_cast<std::uint64_t>(count);
  constexpr std::uint64_t tile = Threads * Items;
  for (std::uint64_t base = share.slice * tile; base < total; base += share.slices * tile) {
    std::uint32_t slot[Items];
    sum_word<T> value[Items];
#pragma unroll
    for (int j = 0; j < Items; ++j) {
      const std::uint64_t i = base + j * Threads + threadIdx.x;
      slot[j] = share.width;
      if (i < total) slot[j] = min(share.slot(f(static_cast<Size>(i)), bins), share.width);
    }
#pragma unroll
    for (int j = 0; j < Items; ++j) {
      const std::uint64_t i = base + j * Threads + threadIdx.x;
      value[j] = slot[j] < share.width
                     ? static_cast<sum_word<T>>(static_cast<T>(weight(static_cast<Size>(i))))
                     : 0;
    }
#pragma unroll
    for (int j = 0; j < Items; ++j) add(slot[j], value[j]);
  }
}

/// Adds to sums that are 0 at first. Block b adds the weights of range b % ranges of the bins.
template <int Threads, int Items, class T, class Size, class F, class Weight>
__global__ void __launch_bounds__(Threads)
    sum_weights_of_ranges_kernel(Size count, std::uint32_t bins, std::uint32_t ranges, F f,
                                 Weight weight, sum_word<T>* sums) {
  sum_word<T>* const table = &shared_as<sum_word<T>>();
  const histogram_share share(bins, ranges);
  for (std::uint32_t k = threadIdx.x; k < share.width; k += Threads) table[k] = 0;
  __syncthreads();
  for_each_weight<Threads, Items, T>(share, count, bins, f, weight,
                                     [&](std::uint32_t slot, sum_word<T> value) {
                                       if (slot < share.width) add_shared(table + slot, value);
                                     });
  __syncthreads();
  for (std::uint32_t k = threadIdx.x; k < share.width; k += Threads) {
    if (table[k] != 0) atomicAdd(sums + share.first + k, table[k]);
  }
}

/// The same for any number of bins.
template <int Threads, int Items, class T, class Size, class F, class Weight>
__global__ void __launch_bounds__(Threads)
    sum_weights_kernel(Size count, std::uint32_t bins, F f, Weight weight, sum_word<T>* sums) {
  for_each_weight<Threads, Items, T>(
      histogram_share(bins, 1), count, bins, f, weight, [&](std::uint32_t bin, sum_word<T> value) {
        const unsigned peers = __match_any_sync(whole_warp, bin);
        const sum_word<T> sum = fold_peers(value, peers);
        if (bin < bins && __ffs(static_cast<int>(peers)) - 1 == lane_id()) {
          atomicAdd(sums + bin, sum);
        }
      });
}

}  // namespace evenfold::device
