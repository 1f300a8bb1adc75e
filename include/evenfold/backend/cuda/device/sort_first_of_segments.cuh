#pragma once
// The first k of the sorted keys of segments of which none is long on a GPU: the tiles of
// segmented_sort.cuh, which then hold whole segments, and of which each block writes the first keys
// of its segments alone.
//
// The results of the segments of a tile follow each other, so that a block needs to know only where
// those of its first segment begin. It moves them together in shared memory, to write them in
// order.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/block_sort.cuh"
#include "evenfold/backend/cuda/device/segmented_sort.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// Where a tile and its results begin.
template <class Size>
struct first_results_cut {
  Size at;
  Size result;
};

/// Finds cut k, at the beginning of a segment.
template <class Size, class Offsets, class SegmentSize>
struct find_first_results_cut {
  detail::segment_view<Size, Offsets, SegmentSize> segments;
  const Size* begins;
  std::uint64_t span;
  first_results_cut<Size>* cuts;

  __device__ void operator()(std::uint64_t k) const {
    const std::uint64_t wanted = k * span;
    first_results_cut<Size> cut{segments.count, 0};
    if (wanted < static_cast<std::uint64_t>(segments.count)) {
      const SegmentSize s = segments.segment_of(static_cast<Size>(wanted));
      cut = {segments.begin(s), begins[s]};
    }
    cuts[k] = cut;
  }
};

/// What is sorted with the keys.
template <bool Indexed>
using sorted_slot = std::conditional_t<Indexed, std::uint32_t, detail::no_value>;

template <bool Indexed, class Key>
using sort_first_sizes = sort_sizes<default_segmented_sort_tuning<Key, sorted_slot<Indexed>>>;

template <bool Indexed, class Key>
struct sort_first_shared : sort_shared<sort_first_sizes<Indexed, Key>, Key, Indexed> {
  uninitialized<int> warp_results[sort_first_sizes<Indexed, Key>::threads / warp_threads];
};

/// Moves the first k items of each sorted segment of a tile to its beginning, and returns their
/// number. Bit j of `heads` is set where a segment begins at the j-th item of this thread.
/// Synchronises the block before and after.
template <bool Indexed, class Key>
__device__ int keep_first(sort_first_shared<Indexed, Key>& shared, int count, unsigned heads,
                          int k) {
  using sizes = sort_first_sizes<Indexed, Key>;
  constexpr int items = sizes::items;
  const int thread = static_cast<int>(threadIdx.x);
  const int first = thread * items;
  uninitialized<Key> key[items];
  std::uint16_t source[Indexed ? items : 1];
  unsigned kept = 0;
  int begin = shared.segment_begin[thread];
#pragma unroll
  for (int j = 0; j < items; ++j) {
    if ((heads >> j & 1) != 0) begin = first + j;
    if (first + j < count && first + j - begin < k) {
      kept |= 1u << j;
      key[j] = shared.keys[first + j];
      if constexpr (Indexed) source[j] = shared.source[first + j];
    }
  }
  const auto results = block_scan<sizes::threads>(__popc(kept), shared.warp_results,
                                                  [](int a, int b) { return a + b; });
  int to = thread == 0 ? 0 : results.before.value;
#pragma unroll
  for (int j = 0; j < items; ++j) {
    if ((kept >> j & 1) != 0) {
      shared.keys[to] = key[j];
      if constexpr (Indexed) shared.source[to] = source[j];
      ++to;
    }
  }
  __syncthreads();
  return results.total;
}

/// Block b calls emit(result, index, key) for the first k keys of the segments between cuts b and
/// b + 1; without Indexed, the index is 0.
template <bool Indexed, class Order, class Keys, class Size, class Emit>
__global__ void __launch_bounds__(sort_first_sizes<Indexed, element_t<Keys>>::threads,
                                  min_blocks<sort_first_sizes<Indexed, element_t<Keys>>,
                                             element_t<Keys>, sorted_slot<Indexed>>(1536))
    sort_first_of_segments_kernel(Keys keys, const std::uint32_t* heads,
                                  const first_results_cut<Size>* cuts, int k, Emit emit) {
  using Key = element_t<Keys>;
  using sizes = sort_first_sizes<Indexed, Key>;
  auto& shared = shared_as<sort_first_shared<Indexed, Key>>();
  const int thread = static_cast<int>(threadIdx.x);

  const Size base = cuts[blockIdx.x].at;
  const int count = static_cast<int>(cuts[blockIdx.x + 1].at - base);
  if (count == 0) return;
  bool has_nan = false;
#pragma unroll
  for (int j = 0; j < sizes::items; ++j) {
    const int slot = j * sizes::threads + thread;
    if (slot < count) {
      const auto key = static_cast<Key>(keys[static_cast<Size>(base + static_cast<Size>(slot))]);
      shared.keys[slot] = uninitialized<Key>(key);
      if constexpr (std::floating_point<Key>) has_nan |= key != key;
    }
  }
  const unsigned mine = heads_of_run<sizes>(shared.heads, heads, base, count);
  // The comparison of numbers has no branch.
  if (std::floating_point<Key> && __syncthreads_or(has_nan)) {
    sort_tile<sizes, Indexed, true>(shared, count, mine, detail::total_order<Order>{});
  } else {
    sort_tile<sizes, Indexed, true>(shared, count, mine, Order{});
  }
  const int results = keep_first<Indexed, Key>(shared, count, mine, k);
  const Size to = cuts[blockIdx.x].result;
#pragma unroll
  for (int j = 0; j < sizes::items; ++j) {
    const int slot = j * sizes::threads + thread;
    if (slot < results) {
      const Size index =
          Indexed ? static_cast<Size>(base + static_cast<Size>(shared.source[slot])) : Size{};
      emit(static_cast<Size>(to + static_cast<Size>(slot)), index, shared.keys[slot].value);
    }
  }
}

}  // namespace evenfold::device
