#pragma once
// Launches the kernels of backend/cuda/device/compact.cuh.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/compact.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, std::integral Size, class Item, class Keep, class Emit>
void compact(cuda_context& ctx, Size count, Item item, Keep keep, Emit emit, Size* num_kept) {
  using T = std::remove_cvref_t<std::invoke_result_t<Item, Size>>;
  // 128 bytes per thread, so that many tiles are resident while they look back.
  constexpr int most = device::looks_at_value<Keep> ? 32 : 16;
  constexpr int items = sizeof(T) * most <= 128 ? most : sizeof(T) <= 32 ? 128 / sizeof(T) : 4;
  constexpr int threads = sizeof(T) <= 16 ? 512 : 128;
  using tuning = detail::tuning_or<Tuning, compact_tuning<threads, items>>;
  using shared_type = device::compact_shared<tuning, T, Size>;
  if (count == 0) {
    if (num_kept != nullptr) ctx.fill_bytes(num_kept, 0, sizeof(Size));
    return;
  }
  const std::size_t tiles =
      detail::ceil_div(static_cast<std::size_t>(count), tuning::threads * tuning::items);
  device::published_row<Size> row(ctx, device::look_back_slots<tuning>(tiles));
  ctx.launch("compact", device::compact_kernel<tuning, T, Size, Item, Keep, Emit>, tiles,
             tuning::threads, sizeof(shared_type), count, item, keep, emit, num_kept, row.view());
}

}  // namespace evenfold::backend
