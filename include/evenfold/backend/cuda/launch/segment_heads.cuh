#pragma once
// Launches the kernel of backend/cuda/device/segment_heads.cuh.

#include <cstddef>
#include <cstdint>

#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/transform.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"

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

/// Where heads are found from keys, or are marked, nothing is needed.
template <int Items, class Heads>
array<int> tile_starts(cuda_context& ctx, const Heads&, std::size_t) {
  return array<int>(ctx, 0);
}

/// The words of head_bits for all items, zeros up to a multiple of 2^14, and two words of any
/// value, so that what follows the items may be read with them.
template <class Size, class Offsets, class SegmentSize>
array<std::uint32_t> mark_all_heads(cuda_context& ctx,
                                    detail::segment_view<Size, Offsets, SegmentSize> segments) {
  constexpr int threads = 256;
  constexpr int items = 1 << 14;
  const auto count = static_cast<std::size_t>(segments.count);
  const std::size_t tiles = detail::ceil_div(count, items);
  array<std::uint32_t> words(ctx, tiles * (items / 32) + 2);
  if (static_cast<std::size_t>(segments.num_segments) < count / 8) {
    // Atomic operations on so few words take less time than tiles.
    ctx.fill_bytes(words.data(), 0, words.size() * sizeof(std::uint32_t));
    backend::transform<default_tuning>(
        ctx, segments.num_segments, mark_head<Size, Offsets, SegmentSize>{segments, words.data()});
    return words;
  }
  const auto starts = tile_starts<items>(ctx, segments, tiles);
  ctx.launch("mark_heads", mark_heads_kernel<threads, items, Size, Offsets, SegmentSize>, tiles,
             threads, 0, segments, starts.data(), words.data());
  return words;
}

}  // namespace evenfold::device
