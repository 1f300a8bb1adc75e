#pragma once
// Launches the kernel of backend/cuda/device/segmented_scan.cuh.

#include <concepts>
#include <cstddef>
#include <cstdint>
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

namespace evenfold {

namespace device {

/// The tiles of scan_tuning_of_few, in more blocks per multiprocessor.
using few_scan_tuning =
    scan_tuning<backend::scan_tuning_of_few::threads, backend::scan_tuning_of_few::items, 16, 4>;

/// The same tile by twice as many threads: while some compare keys, others load.
using scan_by_key_tuning_of_8_bytes = scan_tuning<512, 16, 16, 2>;

/// Whether so many segments are so short that a kernel of its own marks their heads.
template <class T>
bool marks_heads_first(std::size_t items, std::size_t segments) {
  constexpr std::size_t least_bytes = 1 << 26;
  return items > least_bytes / sizeof(T) && segments > items / 4;
}

template <class Tuning, scan_kind Kind, bool HasInit, class T, class Input, class Size, class Heads,
          class Output, class Op>
void scan_tiles_of_segments(cuda_context& ctx, Input input, Size count, Heads heads, Output out,
                            Op op, uninitialized<T>& init) {
  constexpr int tile = Tuning::threads * Tuning::items;
  const std::size_t tiles = detail::ceil_div(static_cast<std::size_t>(count), tile);
  auto starts = tile_starts<tile>(ctx, heads, tiles);
  published_row<detail::segment_fold<T>> row(ctx, fold_look_back_slots(tiles));
  ctx.launch("segmented_scan",
             segmented_scan_kernel<Tuning, Kind, HasInit, T, Size, Input, Heads,
                                   std::remove_cvref_t<decltype(starts.data()[0])>, Output, Op>,
             tiles, Tuning::threads, sizeof(segmented_scan_shared<Tuning, T>), count, input, heads,
             starts.data(), out, op, init, row.view());
}

}  // namespace device

namespace backend {

/// `heads`: the segments, or a function that tells whether a segment begins at an item.
template <scan_kind Kind, class Tuning, class T, class Input, std::integral Size, class Heads,
          class Output, class Op, class Init>
void segmented_scan(cuda_context& ctx, Input input, Size count, Heads heads, Output out, Op op,
                    Init init) {
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  device::uninitialized<T> start;
  if constexpr (has_init) start.value = init;
  if (count == 0) return;
  const auto scan = [&]<class Chosen>(std::type_identity<Chosen>, auto segments) {
    device::scan_tiles_of_segments<Chosen, Kind, has_init>(ctx, input, count, segments, out, op,
                                                           start);
  };
  if constexpr (std::is_same_v<Tuning, default_tuning>) {
    const bool are_few = scan_few<T, device::few_scan_tuning>(
        static_cast<std::uint64_t>(count), [&](auto chosen) { scan(chosen, heads); });
    if (are_few) return;
  }
  constexpr bool by_keys = requires { heads.keys; };
  using many = std::conditional_t<by_keys && sizeof(T) == 8, device::scan_by_key_tuning_of_8_bytes,
                                  scan_tuning_in_order<T>>;
  const std::type_identity<detail::tuning_or<Tuning, many>> tuning;
  if constexpr (requires { heads.num_segments; }) {
    if (device::marks_heads_first<T>(static_cast<std::size_t>(count),
                                     static_cast<std::size_t>(heads.num_segments))) {
      const auto words = device::mark_all_heads(ctx, heads);
      return scan(tuning, device::head_bits{words.data()});
    }
  }
  scan(tuning, heads);
}

}  // namespace backend

}  // namespace evenfold
