#pragma once
// Launches the kernels of backend/cuda/device/reduce_by_key.cuh.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_look_back.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/device/narrow_index.cuh"
#include "evenfold/backend/cuda/device/reduce_by_key.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

template <class Tuning, class Keys, std::integral Size, class F, class Equal, class KeysOut,
          class Output, class Op, class T, std::integral Count>
void launch_reduce_by_key(cuda_context& ctx, Keys keys, Size count, F f, Equal equal,
                          KeysOut keys_out, Output out, Op op, T init, Count* num_runs) {
  using Key = element_t<Keys>;
  using fold_type = key_run_fold<Op, T, Size>;
  using shared_type = reduce_by_key_shared<Tuning, T, fold_type>;
  const std::size_t tiles =
      detail::ceil_div(static_cast<std::size_t>(count), Tuning::threads * Tuning::items);
  published_row<fold_type> row(ctx, detail::is_exact_fold<Op, T> ? look_back_slots<Tuning>(tiles)
                                                                 : fold_look_back_slots(tiles));
  ctx.launch("reduce_by_key",
             reduce_by_key_kernel<Tuning, Key, T, Keys, Size, F, Equal, KeysOut, Output, Op, Count>,
             tiles, Tuning::threads, sizeof(shared_type), keys, count, f, equal, keys_out, out, op,
             uninitialized<T>(init), num_runs, row.view());
}

}  // namespace device

namespace backend {

template <class Tuning, class Keys, std::integral Size, class F, class Equal, class KeysOut,
          class Output, class Op, class T, std::integral Count>
void reduce_by_key(cuda_context& ctx, Keys keys, Size count, F f, Equal equal, KeysOut keys_out,
                   Output out, Op op, T init, Count* num_runs) {
  constexpr bool has_narrow = device::can_narrow<Size, F, Keys, KeysOut, Output>;
  if constexpr (has_narrow) {
    if (device::fits_narrow_index(static_cast<std::uint64_t>(count))) {
      return reduce_by_key<Tuning>(ctx, keys, static_cast<std::int32_t>(count),
                                   device::of_narrow_index<Size>(f), equal, keys_out, out, op, init,
                                   num_runs);
    }
  }
  using Key = element_t<Keys>;
  constexpr bool in_order = !detail::is_exact_fold<Op, T>;
  // About 100 bytes of values per thread, or 190 where values have 8 bytes, so that many tiles are
  // resident while they look back. In the canonical order each of them waits longer, and there are
  // fewer and larger ones; but of keys of 8 bytes, more than some 30 MB at once do not stay in the
  // L2 cache until they are read again.
  constexpr std::size_t bytes = sizeof(T) > sizeof(Key) ? sizeof(T) : sizeof(Key);
  constexpr bool values_of_8_bytes = sizeof(T) == 8 && bytes == 8;
  using exact_tuning =
      reduce_by_key_tuning<(bytes <= 16 ? 384 : 128),
                           (bytes <= 4 || values_of_8_bytes ? 24
                            : bytes <= 8                    ? 16
                                                            : 4),
                           (bytes > 4 && bytes <= 8 ? 32 : 16), (values_of_8_bytes ? 2 : 3)>;
  constexpr bool values_of_a_word = sizeof(T) <= 4 && bytes <= 8;
  using canonical_tuning =
      std::conditional_t<values_of_a_word || values_of_8_bytes,
                         reduce_by_key_tuning<(bytes <= 4 ? 512 : 256), 32, 16,
                                              (bytes <= 4 || values_of_8_bytes ? 2 : 3)>,
                         reduce_by_key_tuning<(bytes <= 16   ? 256
                                               : bytes <= 32 ? 128
                                               : bytes <= 64 ? 64
                                                             : 32),
                                              16, 16, (bytes <= 8 ? 3 : 2)>>;
  using tuning =
      detail::tuning_or<Tuning, std::conditional_t<in_order, canonical_tuning, exact_tuning>>;
  if (count == 0) {
    if (num_runs != nullptr) ctx.fill_bytes(num_runs, 0, sizeof(Count));
    return;
  }
  const auto launch = [&]<class Chosen>(std::type_identity<Chosen>) {
    device::launch_reduce_by_key<Chosen>(ctx, keys, count, f, equal, keys_out, out, op, init,
                                         num_runs);
  };
  if constexpr (!has_narrow && in_order && (values_of_a_word || values_of_8_bytes) &&
                std::is_same_v<tuning, canonical_tuning>) {
    // Smaller tiles where each multiprocessor has at most one of them.
    using small = reduce_by_key_tuning<256, 16, 16, 4>;
    using medium = reduce_by_key_tuning<256, 32, 16, 3>;
    const auto multiprocessors = static_cast<std::size_t>(ctx.multiprocessors());
    const auto at_most = [&](std::size_t tile) {
      return static_cast<std::size_t>(count) <= multiprocessors * tile;
    };
    if (at_most(small::threads * small::items)) return launch(std::type_identity<small>{});
    if constexpr (values_of_a_word) {
      if (at_most(canonical_tuning::threads * canonical_tuning::items)) {
        return launch(std::type_identity<medium>{});
      }
    }
  }
  launch(std::type_identity<tuning>{});
}

}  // namespace backend

}  // namespace evenfold
