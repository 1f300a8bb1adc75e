#pragma once
// Launches the kernels of backend/cuda/device/transform_lbs.cuh.

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/device/narrow_index.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/segment_values.cuh"
#include "evenfold/backend/cuda/device/transform_lbs.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/segment_heads.cuh"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

namespace device {

/// The number of items per thread that fit if a block stores `bytes` per item; 0 if too few.
constexpr int items_with_values(std::size_t bytes) {
  return bytes <= 8 ? 32 : bytes <= 16 ? 16 : 0;
}

/// Calls a function that needs one value per segment.
template <class Size, class F, class Offsets, class SegmentSize, class Cached>
void launch_segment_values(cuda_context& ctx,
                           detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                           Cached cached) {
  using value = typename segment_value<F, Cached>::type;
  constexpr int items = items_with_values(sizeof(value));
  // Registers for the values that are read before the first result is written.
  constexpr int blocks = sizeof(value) > 4 ? 3 : writes_results<F> ? 5 : 4;
  using tuning = segment_values_tuning<256, items, blocks>;
  using shared_type = segment_values_shared<tuning, value>;
  const std::size_t tiles =
      detail::ceil_div(static_cast<std::size_t>(segments.count), std::size_t{shared_type::tile});
  const array<SegmentSize> starts = tile_starts<shared_type::tile>(ctx, segments, tiles);
  ctx.launch("transform_lbs", segment_values_kernel<tuning, Size, F, Offsets, SegmentSize, Cached>,
             tiles, tuning::threads, sizeof(shared_type), segments, starts.data(), f, cached);
}

/// Calls any function, while each warp walks its share.
template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached>
void launch_walk(cuda_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                 Cached cached) {
  // The window has fewer entries where cached values are wide, so that it fits a block. A function
  // that only writes consecutive results is fastest with one block per multiprocessor, since memory
  // handles few streams of writes better than many. Any other is fastest in small blocks, which
  // share a multiprocessor more evenly, with a window for short segments.
  constexpr std::size_t bytes = sizeof(detail::load_at(std::declval<Cached>(), 0));
  constexpr int rows = bytes <= 16 ? 8 : bytes <= 32 ? 4 : bytes <= 64 ? 2 : 1;
  // With one block, each lane has registers for a window of 32 words: a tile of short or empty
  // segments then closes as many as possible.
  constexpr std::size_t cached_words = std::is_same_v<Cached, tuple<>> ? 0 : (bytes + 3) / 4;
  constexpr int long_rows = static_cast<int>(32 / ((sizeof(Size) + 3) / 4 + cached_words));
  constexpr int writer_rows = long_rows > rows ? long_rows : rows;
  using tuning = detail::tuning_or<
      Tuning, std::conditional_t<writes_results<F>, transform_lbs_tuning<512, 32, writer_rows, 1>,
                                 transform_lbs_tuning<128, 32, bytes <= 8 ? 20 : rows, 16>>>;
  using tiles_type = segment_tiles<tuning, Size, Offsets, SegmentSize, Cached>;
  constexpr std::size_t shared_bytes = sizeof(typename tiles_type::shared_type);
  const auto kernel = transform_lbs_kernel<tuning, Size, F, Offsets, SegmentSize, Cached>;
  const std::size_t grid =
      std::min<std::size_t>({tiles_type::full_blocks(segments),
                             ctx.resident_blocks(kernel, tuning::threads, shared_bytes),
                             static_cast<std::size_t>(ctx.multiprocessors()) * tuning::blocks});
  ctx.launch("transform_lbs", kernel, grid, tuning::threads, shared_bytes, segments, f, cached,
             warp_shares(segments, grid * tiles_type::warps, tiles_type::tile));
}

/// Whether a block has shared memory for the values of the segments in its tile.
template <class F, class Cached>
inline constexpr bool stores_segment_values = [] {
  if constexpr (has_segment_value<F>) {
    return items_with_values(sizeof(typename segment_value<F, Cached>::type)) > 0;
  }
  return false;
}();

}  // namespace device

namespace backend {

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached>
void transform_lbs(cuda_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments,
                   F f, Cached cached) {
  if constexpr (device::can_narrow_items<Size, F, Offsets, Cached>) {
    if (device::fits_narrow_index(segments.steps())) {
      return transform_lbs<Tuning>(ctx, device::with_narrow_index(segments),
                                   device::of_narrow_items<Size, SegmentSize>(f),
                                   device::of_narrow_cached(cached));
    }
  }
  if constexpr (device::stores_segment_values<F, Cached> &&
                std::is_same_v<Tuning, default_tuning>) {
    // A walk is faster where segments are long: also shorter ones, if there are few items and
    // results are written in order. Many empty segments are walked by all blocks.
    const auto count = static_cast<std::uint64_t>(segments.count);
    const auto num_segments = static_cast<std::uint64_t>(segments.num_segments);
    const bool in_order = device::writes_results<F> && count < std::uint64_t{1} << 25;
    if (num_segments < count / (in_order ? 4 : 64) || num_segments / 4 > count) {
      device::launch_walk<Tuning>(ctx, segments, f, cached);
    } else {
      device::launch_segment_values(ctx, segments, f, cached);
    }
  } else {
    device::launch_walk<Tuning>(ctx, segments, f, cached);
  }
}

}  // namespace backend

}  // namespace evenfold
