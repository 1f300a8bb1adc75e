#pragma once
// Launches the kernels of backend/cuda/device/compact.cuh.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/compact.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/backend/cuda/launch/reduce.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

template <class Tuning, std::integral Size, class Item, class Keep, class Emit, class Others>
void launch_compact(cuda_context& ctx, Size count, Item item, Keep keep, Emit emit, Others others,
                    Size* num_kept) {
  using T = std::remove_cvref_t<std::invoke_result_t<Item, Size>>;
  // 128 bytes per thread, so that many tiles are resident while they look back.
  constexpr int most = looks_at_value<Keep> || looks_at_previous<Keep> ? 32 : 16;
  constexpr int items = sizeof(T) * most <= 128 ? most : sizeof(T) <= 32 ? 128 / sizeof(T) : 4;
  constexpr int threads = sizeof(T) <= 16 ? 512 : 128;
  using tuning = detail::tuning_or<Tuning, compact_tuning<threads, items>>;
  using shared_type = compact_shared<tuning, T, Size, Keep>;
  if (count == 0) {
    if (num_kept != nullptr) ctx.fill_bytes(num_kept, 0, sizeof(Size));
    return;
  }
  const std::size_t tiles =
      detail::ceil_div(static_cast<std::size_t>(count), tuning::threads * tuning::items);
  published_row<Size> row(ctx, look_back_slots<tuning>(tiles));
  ctx.launch("compact", compact_kernel<tuning, T, Size, Item, Keep, Emit, Others>, tiles,
             tuning::threads, sizeof(shared_type), count, item, keep, emit, others, num_kept,
             row.view());
}

}  // namespace device

namespace backend {

template <class Tuning, std::integral Size, class Item, class Keep, class Emit>
void compact(cuda_context& ctx, Size count, Item item, Keep keep, Emit emit, Size* num_kept) {
  device::launch_compact<Tuning>(ctx, count, item, keep, emit, device::no_others{}, num_kept);
}

/// The first pass counts the kept items, so that the second one knows where the others begin.
template <class Tuning, std::integral Size, class T, class Input, class Keep, class Output>
void partition(cuda_context& ctx, Size count, element_of<T, Input> item, Keep keep, Output out,
               Size* num_kept) {
  backend::transform_reduce<default_tuning>(
      ctx, count, elementwise(detail::count_kept<Size, Keep>{keep}, item.input), plus{}, Size{0},
      num_kept);
  device::launch_compact<Tuning>(
      ctx, count, item, detail::keep_value<Keep>{keep}, detail::write_to<Output>{out},
      detail::write_after<Output, Size>{out, num_kept}, static_cast<Size*>(nullptr));
}

}  // namespace backend

}  // namespace evenfold
