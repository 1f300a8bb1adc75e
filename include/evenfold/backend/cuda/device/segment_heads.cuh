#pragma once
// Which items of a tile are the first of a segment, as bits in shared memory.
//
// Segments that are given by offsets: two warps search for the offsets that lie in the tile, and
// the threads of the block share these equally. Where the tile has many more offsets than items,
// most of them belong to empty segments: then each thread searches for the distinct ones among its
// items. Segments that are given by keys: a warp reads rows of them, and each lane compares its key
// with that of the lane before. The heads of all items may also be marked before, as bits in
// memory: many by a kernel of its own, whose many threads wait for offsets at the same time, few by
// an atomic operation each. Where a block also stores a value per segment, it marks its items in
// another way: segment_flags.cuh.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/iterator.hpp"
#include "evenfold/core/partition_point.hpp"

namespace evenfold::device {

/// Slots [begin, end) of a tile.
struct slot_range {
  int begin, end;
};

/// The heads among the `Items` items of a tile.
template <int Items>
struct tile_heads {
  static constexpr int words = Items / 32;

  std::uint64_t found[2];  // what segments_of_tile() has searched for
  std::uint32_t bits[words];

  /// The bits of `Count` items, a power of two up to 32, from a multiple of their number on.
  template <int Count>
  __device__ std::uint32_t of(int first) const {
    return bits[first / 32] >> first % 32;
  }
};

/// The heads among all items, in memory: a bit for each.
struct head_bits {
  const std::uint32_t* words;

  /// As tile_heads.
  template <int Count>
  __device__ std::uint32_t of(std::uint64_t first) const {
    return words[first / 32] >> first % 32;
  }
};

/// How many segments begin before an item. Called by all lanes of a warp, which wait for memory
/// three times for some hundred thousand segments, and two times where lengths are similar. Of more
/// than a million, what several warps probe at different places would take longer.
template <class Size, class Offsets, class SegmentSize>
__device__ std::uint64_t segments_before(
    const detail::segment_view<Size, Offsets, SegmentSize>& segments, std::uint64_t item) {
  constexpr int probes = 2;
  constexpr std::uint64_t step = probes * warp_threads;  // the next round searches so many at once
  const auto count = static_cast<std::uint64_t>(segments.num_segments);
  const auto begins_before = [&](std::uint64_t s) {
    return static_cast<std::uint64_t>(segments.begin(static_cast<SegmentSize>(s))) < item;
  };
  std::uint64_t from = 0;
  std::uint64_t to = count;
  if (count > step * step && count <= std::uint64_t{1} << 20) {
    // Probes among all segments, and around the one that would begin there if all had one length.
    const auto probe = [&](std::uint64_t first, std::uint64_t distance) {
      const std::uint64_t at = first + static_cast<unsigned>(lane_id() + 1) * distance - 1;
      return static_cast<unsigned>(
          __popc(__ballot_sync(whole_warp, at < count && begins_before(at))));
    };
    const float share = __fdividef(static_cast<float>(item), static_cast<float>(segments.count));
    const auto middle = min(static_cast<std::uint64_t>(share * static_cast<float>(count)), count);
    const std::uint64_t near = middle > step * step / 2 ? middle - step * step / 2 : 0;
    const std::uint64_t distance = detail::ceil_div(count, std::uint64_t{warp_threads});
    unsigned before_near = 0;
#pragma unroll
    for (int p = 0; p < probes; ++p) before_near += probe(near + p * warp_threads * step, step);
    from = probe(0, distance) * distance;
    to = min(to, from + distance - 1);
    if (before_near > 0) from = max(from, near + before_near * step);
    if (before_near < step) to = min(to, near + (before_near + 1) * step - 1);
  }
  return group_partition_point<warp_threads, probes>(from, to, begins_before);
}

/// starts[t] = the first segment that begins at or after item t * Items, or the count if that is
/// less, for t = 0, ..., tiles: where the segments of each tile are. One warp per tile.
template <int Items, class Size, class Offsets, class SegmentSize>
__global__ void __launch_bounds__(128)
    tile_starts_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments,
                       std::uint64_t tiles, SegmentSize* starts) {
  const std::uint64_t tile = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp_threads;
  if (tile > tiles) return;
  const auto count = static_cast<std::uint64_t>(segments.count);
  const std::uint64_t start = segments_before(segments, min(tile * Items, count));
  if (lane_id() == 0) starts[tile] = static_cast<SegmentSize>(start);
}

/// Segments [from, to).
template <class SegmentSize>
struct segment_range {
  SegmentSize from, to;
};

/// The segments that begin in the tile of a block, which begins at item `base`: those that
/// tile_starts_kernel has found or, where `starts` is nullptr, those that the block finds. Called
/// by all threads of the block.
template <int Items, class Size, class Offsets, class SegmentSize>
__device__ segment_range<SegmentSize> segments_of_tile(
    const detail::segment_view<Size, Offsets, SegmentSize>& segments, std::uint64_t base,
    const SegmentSize* starts, tile_heads<Items>& heads) {
  if (starts != nullptr) return {starts[blockIdx.x], starts[blockIdx.x + 1]};
  if (const int warp = uniform_warp_id(); warp < 2) {
    const auto count = static_cast<std::uint64_t>(segments.count);
    const std::uint64_t end = count - base < Items ? count : base + Items;
    const std::uint64_t found = segments_before(segments, warp == 0 ? base : end);
    if (lane_id() == 0) heads.found[warp] = found;
  }
  __syncthreads();
  return {static_cast<SegmentSize>(heads.found[0]), static_cast<SegmentSize>(heads.found[1])};
}

/// Where `Count` segments from `first` on, and the one after them, begin in the tile from item
/// `base` on. `first` is a multiple of `Count`.
template <int Count, class Size, class Offsets, class SegmentSize>
__device__ void load_slots(const detail::segment_view<Size, Offsets, SegmentSize>& segments,
                           std::uint64_t first, std::uint64_t base, std::uint32_t (&slot)[Count]) {
  constexpr int each = Count - 1;
  const auto slot_of = [&](auto offset) {
    return static_cast<std::uint32_t>(offset) - static_cast<std::uint32_t>(base);
  };
  const auto begin = [&](std::uint64_t s) { return segments.begin(static_cast<SegmentSize>(s)); };
  slot[each] = slot_of(begin(first + each));
  if constexpr (std::is_pointer_v<Offsets> && sizeof(segments.offsets[0]) == 4) {
    if (lies_at_multiple(segments.offsets, widest_access)) {
      const auto offsets = load_pack<each>(segments.offsets + first);
#pragma unroll
      for (int k = 0; k < each; ++k) slot[k] = slot_of(offsets.value[k].value);
      return;
    }
  }
#pragma unroll
  for (int k = 0; k < each; ++k) slot[k] = slot_of(begin(first + k));
}

/// Whether a segment begins at slot[k] and is not empty, which is the last of those that begin
/// there.
template <int Items, int Count>
__device__ bool is_head(const std::uint32_t (&slot)[Count], int k) {
  return slot[k] < Items && slot[k] != slot[k + 1];
}

/// Sets the bits of the heads among ascending slots, but for the last one.
template <int Items, int Count>
__device__ void mark_slots(tile_heads<Items>& heads, const std::uint32_t (&slot)[Count]) {
  constexpr int each = Count - 1;
  const std::uint32_t first = slot[0] / 32 * 32;
  if (slot[0] < Items && slot[each - 1] - first < 64) {
    // The bits of two words.
    std::uint64_t bits = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      if (is_head<Items>(slot, k)) bits |= std::uint64_t{1} << (slot[k] - first);
    }
    const auto low = static_cast<std::uint32_t>(bits);
    const auto high = static_cast<std::uint32_t>(bits >> 32);
    if (low != 0) atomicOr(&heads.bits[first / 32], low);
    if (high != 0) atomicOr(&heads.bits[first / 32 + 1], high);
  } else {
#pragma unroll
    for (int k = 0; k < each; ++k) {
      if (is_head<Items>(slot, k)) atomicOr(&heads.bits[slot[k] / 32], 1u << slot[k] % 32);
    }
  }
}

/// Whether a tile has so few offsets per item that all of them are read.
template <int Items, class SegmentSize>
__device__ bool reads_all_offsets(segment_range<SegmentSize> range) {
  constexpr std::uint64_t most = 32;  // per item
  return static_cast<std::uint64_t>(range.to) - static_cast<std::uint64_t>(range.from) <=
         most * Items;
}

/// Writes the bits of all items of a tile from item `base` on, in which the segments `range` begin,
/// and calls store(k, s) for each such segment s that is not empty and begins at item k of the
/// tile. Each thread searches for the distinct offsets among its items. All threads of the block
/// call it.
template <int Threads, int Items, class Size, class Offsets, class SegmentSize, class Store>
__device__ void mark_distinct_heads(
    const detail::segment_view<Size, Offsets, SegmentSize>& segments,
    segment_range<SegmentSize> range, std::uint64_t base, tile_heads<Items>& heads,
    const Store& store) {
  const auto begin = [&](std::uint64_t s) {
    return static_cast<std::uint64_t>(segments.begin(static_cast<SegmentSize>(s)));
  };
  const auto from = static_cast<std::uint64_t>(range.from);
  const auto to = static_cast<std::uint64_t>(range.to);
  for (int w = static_cast<int>(threadIdx.x); w < heads.words; w += Threads) {
    const std::uint64_t first = base + std::uint64_t{32} * w;
    std::uint64_t s =
        detail::partition_point(from, to, [&](std::uint64_t at) { return begin(at) < first; });
    std::uint32_t bits = 0;
    while (s < to) {
      const std::uint64_t head = begin(s);
      if (head - first >= 32) break;
      std::uint64_t step = 1;
      for (; to - s > step && begin(s + step) == head; step *= 2) s += step;
      s = detail::partition_point(s + 1, to - s < step ? to : s + step,
                                  [&](std::uint64_t at) { return begin(at) == head; });
      bits |= 1u << (head - first);
      store(static_cast<std::uint32_t>(head - base), s - 1);
    }
    heads.bits[w] = bits;
  }
}

/// Marks the first items of the segments `range`, which begin in a tile of `Items` items from item
/// `base` on. Each thread reads `Rounds` packs of four offsets at a time. All threads of the block
/// call it. Synchronises the block before, but not after.
template <int Threads, int Rounds, int Items, class Size, class Offsets, class SegmentSize>
__device__ void mark_heads(const detail::segment_view<Size, Offsets, SegmentSize>& segments,
                           segment_range<SegmentSize> range, std::uint64_t base,
                           tile_heads<Items>& heads) {
  constexpr int each = 4;
#pragma unroll
  for (int w = 0; w < heads.words; w += Threads) {
    if (w + threadIdx.x < heads.words) heads.bits[w + threadIdx.x] = 0;
  }
  __syncthreads();
  if (!reads_all_offsets<Items>(range)) {
    mark_distinct_heads<Threads>(segments, range, base, heads, [](std::uint32_t, std::uint64_t) {});
    return;
  }
  // Packs of offsets begin at a multiple of their number. Positions count from the first pack on.
  const std::uint64_t start = static_cast<std::uint64_t>(range.from) / each * each;
  const auto begin_at = static_cast<std::uint32_t>(static_cast<std::uint64_t>(range.from) - start);
  const auto end_at = static_cast<std::uint32_t>(static_cast<std::uint64_t>(range.to) - start);
  for (std::uint32_t first = threadIdx.x * each; first < end_at; first += Rounds * Threads * each) {
    std::uint32_t slot[Rounds][each + 1];
#pragma unroll
    for (int r = 0; r < Rounds; ++r) {
      const std::uint32_t at = first + r * Threads * each;
      if (at >= begin_at && at + each < end_at) {
        load_slots(segments, start + at, base, slot[r]);
      } else {
#pragma unroll
        for (std::uint32_t k = 0; k <= each; ++k) {
          slot[r][k] = Items;
          if (at + k >= begin_at && at + k < end_at) {
            const auto s = static_cast<SegmentSize>(start + at + k);
            slot[r][k] =
                static_cast<std::uint32_t>(segments.begin(s)) - static_cast<std::uint32_t>(base);
          }
        }
      }
    }
#pragma unroll
    for (int r = 0; r < Rounds; ++r) mark_slots(heads, slot[r]);
  }
}

/// The bits of the heads among the items of this lane, of `Items` for each lane of a warp, from
/// item `base` on, of which `filled` exist: those whose key differs from the one before. Bits from
/// `Items` on have no meaning. All lanes call it.
template <int Items, class Size, class Keys, class Equal>
__device__ std::uint32_t heads_by_key(const detail::begins_run<Keys, Equal>& runs,
                                      std::uint64_t base, int filled) {
  using key = uninitialized<element_t<Keys>>;
  constexpr int batch = sizeof(key) <= 8 ? 8 : sizeof(key) <= 64 ? 64 / sizeof(key) : 1;
  const auto key_at = [&](std::uint64_t i) {
    return key(detail::values_of(runs.keys)[static_cast<Size>(i)]);
  };
  const int lane = lane_id();
  const int left = (lane + warp_threads - 1) % warp_threads;
  std::uint32_t of_row = 0;  // the heads of row l of 32 items in lane l
  const auto compare = [&](auto existing) {
    key before;  // in lane 0: the key before this row
    if (lane == 0 && base > 0) before = key_at(base - 1);
#pragma unroll
    for (int begin = 0; begin < Items; begin += batch) {
      if (begin > 0) __syncwarp();  // keeps the compiler from reading all of them at once
      key own[batch];
#pragma unroll
      for (int j = 0; j < batch && begin + j < Items; ++j) {
        own[j] = key_at(base + existing((begin + j) * warp_threads + lane));
      }
#pragma unroll
      for (int j = 0; j < batch && begin + j < Items; ++j) {
        const int at = (begin + j) * warp_threads + lane;
        const key beside = shuffle_from(own[j], left);
        if (lane > 0) before = beside;
        const bool is_first = base + static_cast<unsigned>(at) == 0;
        const bool is_head =
            existing(at) == at && (is_first || !runs.equal(before.value, own[j].value));
        const std::uint32_t heads = __ballot_sync(whole_warp, is_head);
        if (lane == begin + j) of_row = heads;
        before = beside;
      }
    }
  };
  if (filled == Items * warp_threads) {
    compare([](int at) { return at; });
  } else if (filled > 0) {
    compare([=](int at) { return min(at, filled - 1); });
  }
  const int bit = lane * Items;
  return __shfl_sync(whole_warp, of_row, bit / 32) >> bit % 32;
}

/// Sets the bit of the first item of a segment, among words of zeros.
template <class Size, class Offsets, class SegmentSize>
struct mark_head {
  detail::segment_view<Size, Offsets, SegmentSize> segments;
  std::uint32_t* words;

  __device__ void operator()(SegmentSize s) const {
    const Size begin = segments.begin(s);
    if (begin < segments.end(s)) {
      atomicOr(words + static_cast<std::uint64_t>(begin) / 32,
               1u << static_cast<std::uint64_t>(begin) % 32);
    }
  }
};

/// Writes the head_bits of all items, and zeros up to a multiple of `Items`; a block for each tile.
/// `starts` as for segments_of_tile.
template <int Threads, int Items, class Size, class Offsets, class SegmentSize>
__global__ void __launch_bounds__(Threads)
    mark_heads_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments,
                      const SegmentSize* starts, std::uint32_t* words) {
  __shared__ tile_heads<Items> heads;
  const std::uint64_t base = std::uint64_t{blockIdx.x} * Items;
  mark_heads<Threads, 2>(segments, segments_of_tile(segments, base, starts, heads), base, heads);
  __syncthreads();
  for (int w = static_cast<int>(threadIdx.x); w < heads.words; w += Threads) {
    words[base / 32 + static_cast<unsigned>(w)] = heads.bits[w];
  }
}

}  // namespace evenfold::device
