#pragma once
// The first k of the sorted keys of short segments on a GPU: one kernel that reads each key once.
//
// A few lanes of a warp take a segment and hold its radix keys in shared memory. The rank of a key
// is the number of keys before it, which a lane counts for one key after the other. All lanes of a
// segment compare with the same key at the same time, so that they read the same word.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_candidates.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// The threads per block, the lanes and the most items of a segment, and how many loads of a lane
/// are issued together.
struct rank_segments_sizes {
  static constexpr int threads = 128;
  static constexpr int lanes = 8;
  static constexpr int batch = 4;
  static constexpr int segments = threads / lanes;
  static constexpr int most_items = 256;
};

/// Calls emit(result, index, key) for the first k keys of every segment, whose results begin at
/// begins[s]. No segment has more than most_items items.
template <class Less, class Keys, class Size, class Offsets, class Index, class Emit>
__global__ void __launch_bounds__(rank_segments_sizes::threads)
    rank_segments_kernel(Keys keys, detail::segment_view<Size, Offsets, Index> segments,
                         const Size* begins, Size k, Emit emit) {
  using Key = element_t<Keys>;
  using Held = held_key<Key>;
  using sizes = rank_segments_sizes;
  constexpr int width = widest_pack<Held>;
  static_assert(sizes::lanes % width == 0 && warp_threads % sizes::lanes == 0);
  // The lanes of several segments read packs at the same index, which are in different banks.
  __shared__ alignas(widest_access) Held shared[sizes::segments][sizes::most_items + width];
  Held* const held = shared[threadIdx.x / sizes::lanes];
  const int lane = static_cast<int>(threadIdx.x % sizes::lanes);
  const std::uint64_t segment =
      std::uint64_t{blockIdx.x} * sizes::segments + threadIdx.x / sizes::lanes;
  const bool exists = segment < static_cast<std::uint64_t>(segments.num_segments);
  const auto s = static_cast<Index>(exists ? segment : 0);
  const Size begin = segments.begin(s);
  const int items = exists ? static_cast<int>(segments.end(s) - begin) : 0;
  const int padded = (items + width - 1) / width * width;
  for (int first = lane; first < padded; first += sizes::batch * sizes::lanes) {
    // Loads that do not depend on a condition are issued together.
    Key raw[sizes::batch];
#pragma unroll
    for (int j = 0; j < sizes::batch; ++j) {
      const int slot = first + j * sizes::lanes;
      raw[j] = static_cast<Key>(keys[static_cast<Size>(begin + (slot < items ? slot : items - 1))]);
    }
#pragma unroll
    for (int j = 0; j < sizes::batch; ++j) {
      const int slot = first + j * sizes::lanes;
      if (slot < padded)
        held[slot] = slot < items ? Held{detail::radix_key<Less>(raw[j])} : Held(-1);
    }
  }
  __syncwarp();
  const Size to = begins[s];
  for (int first = 0; first < items; first += sizes::lanes) {
    const int slot = first + lane;
    const Held mine = held[slot < items ? slot : first];
    int rank = 0;
    const auto count = [&](int from, int end, auto before) {
      for (int i = from; i < end; i += width) {
        const auto some = load_pack<width>(held + i);
#pragma unroll
        for (int j = 0; j < width; ++j) rank += before(some.value[j].value, i + j);
      }
    };
    const int own_end = first + sizes::lanes < padded ? first + sizes::lanes : padded;
    count(0, first, [=](Held other, int) { return other <= mine; });
    count(first, own_end,
          [=](Held other, int i) { return other < mine || (other == mine && i < slot); });
    count(own_end, padded, [=](Held other, int) { return other < mine; });
    if (slot < items && static_cast<Size>(rank) < k) {
      const auto index = static_cast<Size>(begin + slot);
      emit(static_cast<Size>(to + rank), index, static_cast<Key>(keys[index]));
    }
  }
}

}  // namespace evenfold::device
