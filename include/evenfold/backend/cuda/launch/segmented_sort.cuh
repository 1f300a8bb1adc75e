#pragma once
// Launches the kernels of backend/cuda/device/segmented_sort.cuh.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/keys_with_nan.cuh"
#include "evenfold/backend/cuda/device/merge_spans.cuh"
#include "evenfold/backend/cuda/device/narrow_index.cuh"
#include "evenfold/backend/cuda/device/segmented_sort.cuh"
#include "evenfold/backend/cuda/device/sort_segments_together.cuh"
#include "evenfold/backend/cuda/device/sort_tiles.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/merge_own_span.cuh"
#include "evenfold/backend/cuda/launch/rank_sort.cuh"
#include "evenfold/backend/cuda/launch/segment_heads.cuh"
#include "evenfold/backend/cuda/launch/segmented_counting_sort.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

/// The same segments with a count of at least 32 bits, which can also hold the size of a tile.
template <class Size, class Offsets, class SegmentSize>
auto with_wide_count(detail::segment_view<Size, Offsets, SegmentSize> segments) {
  using wide = decltype(+segments.count);
  return detail::segment_view<wide, Offsets, SegmentSize>{segments.count, segments.offsets,
                                                          segments.num_segments};
}

/// Whether each segment gets a block of its own if all of them fit a tile: there are so few that
/// each block has a multiprocessor to itself, as tiles then have, too. (Of more blocks in a
/// cooperative launch, the first sixteen share eight multiprocessors on an H200.)
template <class Sizes, class Size, class Offsets, class SegmentSize>
bool may_own_blocks(const cuda_context& ctx,
                    const detail::segment_view<Size, Offsets, SegmentSize>& segments) {
  constexpr std::uint64_t shortest_mean = 64;
  const auto count = static_cast<std::uint64_t>(segments.count);
  const auto num_segments = static_cast<std::uint64_t>(segments.num_segments);
  return count / shortest_mean >= num_segments &&
         std::max(num_segments, count_tiles<Sizes>(count)) <=
             static_cast<std::uint64_t>(ctx.multiprocessors());
}

/// Sorts tiles, each by a block that finds its cuts and heads, and merges them in the same launch.
/// Returns false, without any work, where there are more tiles than blocks on the device at once.
template <class Sizes, class Key, class Value, class Sources, class Size, class Offsets,
          class SegmentSize, class Less>
bool sort_segments_together(cuda_context& ctx, Key* keys, Value* values, Sources sources,
                            detail::segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  const auto count = static_cast<std::size_t>(segments.count);
  const std::size_t tiles = count_tiles<Sizes>(count);
  const auto num_segments = static_cast<std::size_t>(segments.num_segments);
  const auto kernel =
      sort_segments_together_kernel<Sizes, Size, Key, Value, Sources, Offsets, SegmentSize, Less>;
  constexpr std::size_t shared_bytes = sizeof(tile_and_span_shared<Sizes, Key, Size, indexed>);
  auto* const user_keys = reinterpret_cast<uninitialized<Key>*>(keys);
  auto* const user_values = reinterpret_cast<uninitialized<Value>*>(values);
  const std::size_t blocks =
      may_own_blocks<Sizes>(ctx, segments) ? std::max(tiles, num_segments) : tiles;
  if (tiles == 1) {
    ctx.launch("segmented_sort", kernel, blocks, Sizes::threads, shared_bytes,
               sort_buffers<Key, Value>{user_keys, nullptr, user_values, nullptr}, sources,
               segments, span_words{}, less);
    return true;
  }
  if (!fit_at_once(ctx, kernel, Sizes::threads, shared_bytes, blocks)) return false;
  array<uninitialized<Key>> more_keys(ctx, count);
  array<uninitialized<Value>> more_values(ctx, indexed ? count : 0);
  const span_row words(ctx, blocks);
  ctx.launch_together(
      "segmented_sort", kernel, blocks, Sizes::threads, shared_bytes,
      sort_buffers<Key, Value>{user_keys, more_keys.data(), user_values, more_values.data()},
      sources, segments, words.view(), less);
  return true;
}

template <class Tuning, class Key, class Value, class Sources, class Size, class Offsets,
          class SegmentSize, class Less>
void sort_segments(cuda_context& ctx, Key* keys, Value* values, Sources sources,
                   detail::segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  using sizes = sort_sizes<detail::tuning_or<Tuning, default_segmented_sort_tuning<Key, Value>>>;
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  constexpr std::size_t shared_bytes = sizeof(sort_shared<sizes, Key, indexed>);
  const auto count = static_cast<std::size_t>(segments.count);
  const std::size_t tiles = detail::ceil_div(count, sizes::span);
  const bool may_split = tiles > 1;

  // Zeros: the state of the merge passes, and one number per cut.
  array<unsigned long long> zeros(ctx, 2 + (tiles + 1));
  int* const most_passes = reinterpret_cast<int*>(zeros.data());
  const merge_state state{zeros.data() + 1, zeros.data() + 2};
  array<sort_cut<Size>> cuts(ctx, tiles + 1);
  array<uninitialized<Key>> more_keys(ctx, may_split ? count : 0);
  array<uninitialized<Value>> more_values(ctx, may_split && indexed ? count : 0);
  const sort_buffers<Key, Value> buffers{
      reinterpret_cast<uninitialized<Key>*>(keys), more_keys.data(),
      reinterpret_cast<uninitialized<Value>*>(values), more_values.data()};

  ctx.fill_bytes(zeros.data(), 0, zeros.size() * sizeof(unsigned long long));
  const array<std::uint32_t> heads = mark_all_heads(ctx, segments);
  constexpr unsigned cut_threads = 128;
  ctx.launch("segmented_sort", find_cuts_kernel<sizes, Size, Offsets, SegmentSize>,
             detail::ceil_div(tiles + 1, std::size_t{cut_threads / warp_threads}), cut_threads, 0,
             segments, tiles, cuts.data(), most_passes);
  ctx.launch("segmented_sort", sort_segment_tiles_kernel<sizes, Size, Key, Value, Sources, Less>,
             tiles, sizes::threads, shared_bytes, buffers, sources, heads.data(), cuts.data(),
             less);
  if (!may_split) return;
  const auto merge = [&](auto index) {
    using cuts_type = segment_cuts<decltype(index), Size>;
    const auto kernel = merge_spans_kernel<sizes, decltype(index), Key, Value, cuts_type, Less>;
    constexpr std::size_t merge_bytes = sizeof(merge_shared<sizes, Key, decltype(index), indexed>);
    const std::size_t grid =
        std::min(tiles, ctx.resident_blocks(kernel, sizes::threads, merge_bytes));
    ctx.launch_together("segmented_sort", kernel, grid, sizes::threads, merge_bytes, buffers,
                        cuts_type{cuts.data(), most_passes}, tiles, state, less);
  };
  // Positions of 64 bits take more registers than the merges have. The other kernels have enough.
  if constexpr (sizeof(Size) > sizeof(std::int32_t)) {
    if (fits_narrow_index(count + sizes::tile)) return merge(std::int32_t{});
  }
  merge(Size{});
}

/// Sorts segments in one launch while each tile has a block of its own on the device, else in four
/// to six. The fewest arithmetic keys are sorted by counting those before each, and many keys of
/// 1 byte by counting those of each number.
template <class Tuning, class Key, class Value, class Sources, class Size, class Offsets,
          class SegmentSize, class Less>
void sort_few_or_many_segments(cuda_context& ctx, Key* keys, Value* values, Sources sources,
                               detail::segment_view<Size, Offsets, SegmentSize> segments,
                               Less less) {
  if constexpr (std::is_same_v<Tuning, default_tuning>) {
    const auto count = static_cast<std::uint64_t>(segments.count);
    const auto num_segments = static_cast<std::uint64_t>(segments.num_segments);
    if constexpr (detail::radix_order<Less, Key>) {
      if (count <= most_ranked_keys<Key>(ctx, count / num_segments)) {
        rank_sort<Less>(ctx, "segmented_sort", keys, values, sources, segments);
        return;
      }
    }
    if constexpr (may_count_keys<Less, Key, Value>) {
      if (counts_sooner(segments)) return segmented_counting_sort<Less>(ctx, keys, segments);
    }
    using tuning = default_segmented_sort_tuning<Key, Value>;
    using small = small_segments_sizes<tuning>;
    using roomy = roomy_segments_sizes<tuning>;
    using whole = sort_sizes<tuning>;
    const auto together = [&]<class Sizes>(std::type_identity<Sizes>) {
      return sort_segments_together<Sizes>(ctx, keys, values, sources, segments, less);
    };
    const auto mean_is_above = [&](std::uint64_t length) { return count / length > num_segments; };
    const auto mean_is_in = [&](std::uint64_t low, std::uint64_t high) {
      return mean_is_above(low) && !mean_is_above(high);
    };
    if constexpr (has_roomy_tiles<Key>) {
      // On average, segments are too long for small tiles, but not for larger ones. Where each gets
      // a block of its own, some are twice as long as that.
      using wide = wide_segments_sizes;
      if (may_own_blocks<wide>(ctx, segments)) {
        if (mean_is_in(roomy::tile / 2, wide::tile) && together(std::type_identity<wide>{})) return;
        if (mean_is_in(small::tile / 2, roomy::tile / 2) && count > small::tile &&
            together(std::type_identity<roomy>{})) {
          return;
        }
      } else if (mean_is_in(small::short_segment / 2, roomy::short_segment / 3 * 2) &&
                 together(std::type_identity<roomy>{})) {
        return;
      }
    }
    if (together(std::type_identity<small>{})) return;
    if (together(std::type_identity<whole>{})) return;
    if constexpr (sizeof(Key) == 4 && std::is_same_v<Value, detail::no_value>) {
      if (!mean_is_above(short_segments_tuning::most_mean)) {
        sort_segments<short_segments_tuning>(ctx, keys, values, sources, segments, less);
        return;
      }
    }
  }
  sort_segments<Tuning>(ctx, keys, values, sources, segments, less);
}

}  // namespace device

namespace backend {

template <class Tuning, class Key, class Value, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort(cuda_context& ctx, Key* keys, Value* values,
                    detail::segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  device::sort_few_or_many_segments<Tuning>(ctx, keys, values, device::read_value<Value>{values},
                                            device::with_wide_count(segments),
                                            device::with_nan_last<Key>(less));
}

template <class Tuning, class Key, class Index, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort_indices(cuda_context& ctx, Key* keys, Index* indices,
                            detail::segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  device::sort_few_or_many_segments<Tuning>(ctx, keys, indices, device::position_value<Index>{},
                                            device::with_wide_count(segments),
                                            device::with_nan_last<Key>(less));
}

}  // namespace backend

}  // namespace evenfold
