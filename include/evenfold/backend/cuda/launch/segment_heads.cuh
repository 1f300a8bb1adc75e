#pragma once
// Launches the kernel of backend/cuda/device/segment_heads.cuh.

#include <cstddef>
#include <cstdint>

#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::device {

/// Where the segments of each tile of `Items` items are. With few tiles it is empty: then blocks
/// search themselves, since that takes less time than a launch.
template <int Items, class Size, class Offsets, class SegmentSize>
array<SegmentSize> tile_starts(cuda_context& ctx,
                               detail::segment_view<Size, Offsets, SegmentSize> segments,
                               std::size_t tiles) {
  constexpr unsigned threads = 128;
  const bool many = tiles > 4 * static_cast<std::size_t>(ctx.multiprocessors());
  array<SegmentSize> starts(ctx, many ? tiles + 1 : 0);
  if (many) {
    ctx.launch("tile_starts", tile_starts_kernel<Items, Size, Offsets, SegmentSize>,
               detail::ceil_div(tiles + 1, std::size_t{threads / warp_threads}), threads, 0,
               segments, std::uint64_t{tiles}, starts.data());
  }
  return starts;
}

/// Where heads are found from keys, nothing is needed.
template <int Items, class Heads>
array<int> tile_starts(cuda_context& ctx, const Heads&, std::size_t) {
  return array<int>(ctx, 0);
}

}  // namespace evenfold::device
