#pragma once
// Launches the kernels of backend/cuda/device/transform_lbs.cuh.

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/transform_lbs.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::backend {

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached>
void transform_lbs(cuda_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments,
                   F f, Cached cached) {
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
      Tuning,
      std::conditional_t<device::writes_results<F>, transform_lbs_tuning<512, 32, writer_rows, 1>,
                         transform_lbs_tuning<128, 32, bytes <= 8 ? 20 : rows, 16>>>;
  using tiles_type = device::segment_tiles<tuning, Size, Offsets, SegmentSize, Cached>;
  constexpr std::size_t shared_bytes = sizeof(typename tiles_type::shared_type);
  const auto kernel = device::transform_lbs_kernel<tuning, Size, F, Offsets, SegmentSize, Cached>;
  const std::size_t grid =
      std::min<std::size_t>({tiles_type::full_blocks(segments),
                             ctx.resident_blocks(kernel, tuning::threads, shared_bytes),
                             static_cast<std::size_t>(ctx.multiprocessors()) * tuning::blocks});
  ctx.launch("transform_lbs", kernel, grid, tuning::threads, shared_bytes, segments, f, cached,
             device::warp_shares(segments, grid * tiles_type::warps, tiles_type::tile));
}

}  // namespace evenfold::backend
