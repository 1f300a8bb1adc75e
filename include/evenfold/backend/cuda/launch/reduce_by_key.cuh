#pragma once
// Launches the kernels of backend/cuda/device/reduce_by_key.cuh.

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_look_back.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/device/reduce_by_key.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, class Keys, std::integral Size, class F, class Equal, class KeysOut,
          class Output, class Op, class T>
void reduce_by_key(cuda_context& ctx, Keys keys, Size count, F f, Equal equal, KeysOut keys_out,
                   Output out, Op op, T init, Size* num_runs) {
  using Key = element_t<Keys>;
  constexpr bool in_order = !detail::is_exact_fold<Op, T>;
  using fold_type = device::key_run_fold<Op, T, Size>;
  // About 100 bytes of values per thread, so that many tiles are resident while they look back.
  constexpr std::size_t bytes = sizeof(T) > sizeof(Key) ? sizeof(T) : sizeof(Key);
  using exact_tuning = reduce_by_key_tuning<(bytes <= 16 ? 384 : 128),
                                            (bytes <= 4   ? 24
                                             : bytes <= 8 ? 16
                                                          : 4),
                                            (bytes > 4 && bytes <= 8 ? 64 : 16)>;
  using canonical_tuning = reduce_by_key_tuning<(bytes <= 16   ? 256
                                                 : bytes <= 32 ? 128
                                                 : bytes <= 64 ? 64
                                                               : 32),
                                                (bytes <= 4 ? 32 : 16), 16,
                                                (bytes <= 4   ? 4
                                                 : bytes <= 8 ? 3
                                                              : 2)>;
  using tuning =
      detail::tuning_or<Tuning, std::conditional_t<in_order, canonical_tuning, exact_tuning>>;
  using shared_type = device::reduce_by_key_shared<tuning, T, fold_type>;
  if (count == 0) {
    if (num_runs != nullptr) ctx.fill_bytes(num_runs, 0, sizeof(Size));
    return;
  }
  const std::size_t tiles =
      detail::ceil_div(static_cast<std::size_t>(count), tuning::threads * tuning::items);
  device::published_row<fold_type> row(
      ctx, in_order ? device::fold_look_back_slots(tiles) : device::look_back_slots<tuning>(tiles));
  ctx.launch(
      "reduce_by_key",
      device::reduce_by_key_kernel<tuning, Key, T, Keys, Size, F, Equal, KeysOut, Output, Op>,
      tiles, tuning::threads, sizeof(shared_type), keys, count, f, equal, keys_out, out, op,
      device::uninitialized<T>(init), num_runs, row.view());
}

}  // namespace evenfold::backend
