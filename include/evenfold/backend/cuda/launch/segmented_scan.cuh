#pragma once
// Launches the kernel of backend/cuda/device/segmented_scan.cuh.

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "evenfold/backend/cuda/device/fold_look_back.cuh"
#include "evenfold/backend/cuda/device/segmented_scan.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/backend/cuda/launch/scan.cuh"
#include "evenfold/backend/cuda/launch/segment_heads.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/segment_fold.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

/// `heads`: the segments, or a function that tells whether a segment begins at an item.
template <scan_kind Kind, class Tuning, class T, class Input, std::integral Size, class Heads,
          class Output, class Op, class Init>
void segmented_scan(cuda_context& ctx, Input input, Size count, Heads heads, Output out, Op op,
                    Init init) {
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  using tuning = detail::tuning_or<Tuning, scan_tuning_in_order<T>>;
  using shared_type = device::segmented_scan_shared<tuning, T>;
  device::uninitialized<T> start;
  if constexpr (has_init) start.value = init;
  if (count == 0) return;
  const std::size_t tiles =
      detail::ceil_div(static_cast<std::size_t>(count), tuning::threads * tuning::items);
  constexpr int tile = tuning::threads * tuning::items;
  auto starts = device::tile_starts<tile>(ctx, heads, tiles);
  device::published_row<detail::segment_fold<T>> row(ctx, device::fold_look_back_slots(tiles));
  ctx.launch(
      "segmented_scan",
      device::segmented_scan_kernel<tuning, Kind, has_init, T, Size, Input, Heads,
                                    std::remove_cvref_t<decltype(starts.data()[0])>, Output, Op>,
      tiles, tuning::threads, sizeof(shared_type), count, input, heads, starts.data(), out, op,
      start, row.view());
}

}  // namespace evenfold::backend
