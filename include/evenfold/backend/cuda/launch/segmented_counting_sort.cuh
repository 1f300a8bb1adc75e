#pragma once
// Launches the kernels of backend/cuda/device/segmented_counting_sort.cuh.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/byte_runs.cuh"
#include "evenfold/backend/cuda/device/byte_tiles.cuh"
#include "evenfold/backend/cuda/device/counting_sort.cuh"
#include "evenfold/backend/cuda/device/segmented_counting_sort.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::device {

/// Whether keys are sorted by counting where segments are long enough.
template <class Less, class Key, class Value>
inline constexpr bool may_count_keys =
    counted_key<Less, Key> && sizeof(Key) == 1 && std::is_same_v<Value, detail::no_value>;

/// Whether counting takes less time than merging. Few tiles do not fill the device, and are sorted
/// sooner by merges where segments are short. Many short segments of equal lengths take up to 1.5
/// times as long by counting, but a long one among them many times as long by merges.
template <class Size, class Offsets, class SegmentSize>
bool counts_sooner(const detail::segment_view<Size, Offsets, SegmentSize>& segments) {
  constexpr std::uint64_t many = std::uint64_t{1} << 22;
  constexpr std::uint64_t least_work = std::uint64_t{1} << 28;
  const auto count = static_cast<std::uint64_t>(segments.count);
  const std::uint64_t mean = count / static_cast<std::uint64_t>(segments.num_segments);
  return count >= many || count * mean >= least_work;
}

/// Sorts keys of 1 byte in their segments, in place. Scratch: 256 counters and a split_parts per
/// tile, if there are several.
template <class Less, class Key, class Size, class Offsets, class SegmentSize>
void segmented_counting_sort(cuda_context& ctx, Key* keys,
                             const detail::segment_view<Size, Offsets, SegmentSize>& segments) {
  using counter = std::conditional_t<sizeof(Size) <= 4, std::uint32_t, unsigned long long>;
  const auto count = static_cast<std::uint64_t>(segments.count);
  const std::uint64_t tiles = detail::ceil_div(count, std::uint64_t{counting_sizes::tile});
  const bool may_split = tiles > 1;
  array<counter> counts(ctx, may_split ? tiles * byte_numbers : 0);
  array<split_parts<Size>> splits(ctx, may_split ? tiles : 0);
  if (may_split) ctx.fill_bytes(counts.data(), 0, counts.size() * sizeof(counter));
  ctx.launch("segmented_sort",
             count_segments_kernel<Less, Key, counter, Size, Offsets, SegmentSize>, tiles,
             counting_sizes::threads, sizeof(counting_shared), segments, keys, counts.data(),
             splits.data());
  if (may_split) {
    ctx.launch("segmented_sort", write_split_segments_kernel<Less, Key, counter, Size>, tiles,
               counting_sizes::threads, 0, count, keys, counts.data(), splits.data());
  }
}

}  // namespace evenfold::device
