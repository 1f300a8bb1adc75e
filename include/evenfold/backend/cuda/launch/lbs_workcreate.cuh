#pragma once
// Launches the kernels of backend/cuda/device/lbs_workcreate.cuh.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/lbs_workcreate.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/balance/segments.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached,
          class T>
void lbs_workcreate(cuda_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments,
                    F f, Cached cached, T* out, Size* num_created) {
  // The window has fewer entries where cached values are wide, so that it fits a block.
  constexpr std::size_t bytes = sizeof(detail::load_at(std::declval<Cached>(), 0));
  constexpr int rows = bytes <= 16 ? 8 : bytes <= 32 ? 4 : bytes <= 64 ? 2 : 1;
  using tuning = detail::tuning_or<Tuning, lbs_workcreate_tuning<256, 32, rows>>;
  using tiles_type = device::segment_tiles<tuning, Size, Offsets, SegmentSize, Cached>;
  using shared_type = device::workcreate_shared<tiles_type, Size>;
  if (segments.count == 0) {
    if (num_created != nullptr) ctx.fill_bytes(num_created, 0, sizeof(Size));
    return;
  }
  const auto kernel =
      device::lbs_workcreate_kernel<tuning, Size, F, Offsets, SegmentSize, Cached, T>;
  const std::size_t grid =
      std::min<std::size_t>(tiles_type::full_blocks(segments),
                            ctx.resident_blocks(kernel, tuning::threads, sizeof(shared_type)));
  array<T> scratch(ctx, segments.count);
  device::published_row<Size> row(ctx, grid);
  ctx.launch("lbs_workcreate", kernel, grid, tuning::threads, sizeof(shared_type), segments, f,
             cached, device::warp_shares(segments, grid * tiles_type::warps, tiles_type::tile),
             scratch.data(), out, num_created, row.view());
}

}  // namespace evenfold::backend
