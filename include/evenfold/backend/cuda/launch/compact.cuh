#pragma once
// Launches the kernels of backend/cuda/device/compact.cuh.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/compact.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/backend/cuda/launch/scratch.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

/// The items per thread: 128 bytes, so that many tiles are resident while they look back; 96 where
/// the predicate of a value of 4 bytes carries values as well, for which 32 items leave too few
/// registers. An empty predicate has a size of 1.
template <class T, class Keep>
inline constexpr int default_compact_items = [] {
  constexpr bool looks_at_items = looks_at_value<Keep> || looks_at_previous<Keep>;
  if constexpr (sizeof(T) == 4 && looks_at_value<Keep> && sizeof(Keep) > 1) return 24;
  constexpr int most = looks_at_items ? 32 : 16;
  if constexpr (sizeof(T) * most <= 128) return most;
  return static_cast<int>(sizeof(T) <= 32 ? 128 / sizeof(T) : 4);
}();

/// Registers for the items and for the previous value as well are there for 384 threads.
template <class T, class Keep>
using default_compact_tuning = compact_tuning<(sizeof(T) > 16                              ? 128
                                               : sizeof(T) >= 4 && looks_at_previous<Keep> ? 384
                                                                                           : 512),
                                              default_compact_items<T, Keep>>;

/// Smaller tiles for few items, which take less time from one end of a block to the other, and the
/// most of them for which they do.
template <class T, class Keep>
using compact_tuning_of_few =
    std::conditional_t<sizeof(T) <= 8, compact_tuning<512, 8>,
                       std::conditional_t<looks_at_previous<Keep>, compact_tuning<256, 4, 16, 6>,
                                          compact_tuning<512, 4, 16, 2>>>;
template <class T, class Keep>
inline constexpr std::size_t most_few_tiles =
    sizeof(T) <= 8 ? (looks_at_previous<Keep> ? 64 : 112) : (looks_at_previous<Keep> ? 600 : 400);
inline constexpr std::size_t most_few_partition_tiles = 40;

/// The most tiles of a partition that wait for each other: each adds up what all have counted.
inline constexpr std::size_t most_tiles_together = 192;

template <class Tuning>
std::size_t compact_tiles(std::size_t count) {
  return detail::ceil_div(count, Tuning::threads * Tuning::items);
}

template <class Tuning, std::integral Size, class Item, class Keep, class Emit, class Others,
          class Row>
void launch_compact(cuda_context& ctx, Size count, Item item, Keep keep, Emit emit, Others others,
                    Size* num_kept, Row row) {
  using T = std::remove_cvref_t<std::invoke_result_t<Item, Size>>;
  ctx.launch("compact", compact_kernel<Tuning, T, Size, Item, Keep, Emit, Others, Row>,
             compact_tiles<Tuning>(static_cast<std::size_t>(count)), Tuning::threads,
             sizeof(compact_shared<Tuning, T, Size, Keep>), count, item, keep, emit, others,
             num_kept, row);
}

}  // namespace device

namespace backend {

template <class Tuning, std::integral Size, class Item, class Keep, class Emit>
void compact(cuda_context& ctx, Size count, Item item, Keep keep, Emit emit, Size* num_kept) {
  using T = std::remove_cvref_t<std::invoke_result_t<Item, Size>>;
  using tuning = detail::tuning_or<Tuning, device::default_compact_tuning<T, Keep>>;
  if (count == 0) {
    if (num_kept != nullptr) ctx.fill_bytes(num_kept, 0, sizeof(Size));
    return;
  }
  const auto launch = [&]<class Chosen>(std::type_identity<Chosen>) {
    const std::size_t tiles = device::compact_tiles<Chosen>(static_cast<std::size_t>(count));
    device::published_row<Size> row(ctx, device::look_back_slots<Chosen>(tiles));
    device::launch_compact<Chosen>(ctx, count, item, keep, emit, device::no_others{}, num_kept,
                                   row.view());
  };
  if constexpr (std::is_same_v<Tuning, default_tuning> && sizeof(T) <= 16) {
    using few = device::compact_tuning_of_few<T, Keep>;
    if (device::compact_tiles<few>(static_cast<std::size_t>(count)) <=
        device::most_few_tiles<T, Keep>) {
      return launch(std::type_identity<few>{});
    }
  }
  launch(std::type_identity<tuning>{});
}

/// Where there are few tiles, each waits until all have counted. Otherwise a first pass counts the
/// kept items of each tile, so that no tile waits for another, and the second one knows where the
/// others begin.
template <class Tuning, std::integral Size, class T, class Input, class Keep, class Output>
void partition(cuda_context& ctx, Size count, element_of<T, Input> item, Keep keep, Output out,
               Size* num_kept) {
  using keep_type = detail::keep_value<Keep>;
  // A little less shared memory than for compact, and enough registers, which gave more speed than
  // other shapes.
  using default_type = std::conditional_t<
      sizeof(T) <= 4, compact_tuning<512, 24>,
      std::conditional_t<sizeof(T) <= 8, compact_tuning<384, 20>,
                         std::conditional_t<sizeof(T) <= 16, compact_tuning<512, 4, 16, 2>,
                                            device::default_compact_tuning<T, keep_type>>>>;
  using tuning = detail::tuning_or<Tuning, default_type>;
  using emit_type = detail::write_to<Output>;
  if (count == 0) return ctx.fill_bytes(num_kept, 0, sizeof(Size));
  const auto size = static_cast<std::size_t>(count);

  // Returns whether so many blocks can wait for each other.
  const auto all_at_once = [&]<class Chosen>(std::type_identity<Chosen>, std::size_t most) {
    using together = device::counted_together<Size>;
    const auto kernel = device::compact_kernel<Chosen, T, Size, element_of<T, Input>, keep_type,
                                               emit_type, emit_type, together>;
    constexpr std::size_t shared_bytes = sizeof(device::compact_shared<Chosen, T, Size, keep_type>);
    const std::size_t tiles = device::compact_tiles<Chosen>(size);
    if (tiles > most || tiles > ctx.resident_blocks(kernel, Chosen::threads, shared_bytes)) {
      return false;
    }
    device::published_row<Size> row(ctx, tiles);
    ctx.launch_together("partition", kernel, tiles, Chosen::threads, shared_bytes, count, item,
                        keep_type{keep}, emit_type{out}, emit_type{out}, num_kept,
                        together{row.view()});
    return true;
  };
  if constexpr (std::is_same_v<Tuning, default_tuning> && sizeof(T) <= 8) {
    if (all_at_once(std::type_identity<device::compact_tuning_of_few<T, keep_type>>{},
                    device::most_few_partition_tiles)) {
      return;
    }
  }
  if (all_at_once(std::type_identity<tuning>{}, device::most_tiles_together)) return;

  const std::size_t tiles = device::compact_tiles<tuning>(size);
  using shared_type = device::count_kept_shared<tuning>;
  device::kernel_scratch<Size> before(ctx, tiles);
  const elementwise kept(detail::count_kept<int, Keep>{keep}, item.input);
  const auto kernel = device::count_kept_kernel<tuning, Size, std::remove_cv_t<decltype(kept)>>;
  const std::size_t grid =
      std::min(tiles, ctx.resident_blocks(kernel, tuning::threads, sizeof(shared_type)));
  ctx.launch("partition", kernel, grid, tuning::threads, sizeof(shared_type), count, kept,
             std::uint64_t{tiles}, before.data(), num_kept, ctx.counters());
  device::launch_compact<tuning>(ctx, count, item, keep_type{keep}, emit_type{out}, emit_type{out},
                                 static_cast<Size*>(nullptr),
                                 device::counted_before<Size>{before.data(), num_kept});
}

}  // namespace backend

}  // namespace evenfold
