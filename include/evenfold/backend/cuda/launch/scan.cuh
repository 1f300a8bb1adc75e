#pragma once
// Launches the kernels of backend/cuda/device/scan.cuh.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_look_back.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/device/scan.cuh"
#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/backend/cuda/launch/transform.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

/// 128 bytes per thread, so that many tiles are resident while they look back.
template <class T>
using scan_tuning_of =
    scan_tuning<(sizeof(T) <= 16 ? 384 : 128), (sizeof(T) <= 4    ? 32
                                                : sizeof(T) <= 32 ? 128 / sizeof(T)
                                                                  : 4)>;

/// In the canonical order threads and items are powers of two. Few large tiles are faster here:
/// with 256 threads x 32 floats a scan took 1.3 times as long, with 256 x 16 three times.
template <class T>
using scan_tuning_in_order = scan_tuning<(sizeof(T) <= 4    ? 512
                                          : sizeof(T) <= 16 ? 256
                                          : sizeof(T) <= 32 ? 128
                                          : sizeof(T) <= 64 ? 64
                                                            : 32),
                                         (sizeof(T) <= 8 ? 32 : 16), 16, 3>;

/// With 4 blocks per multiprocessor, elements of 4 bytes in memory leave registers enough, and more
/// of them are in flight where there are more tiles than 3 blocks hold.
using many_blocks = scan_tuning<384, 32, 16, 4>;
template <class F>
inline constexpr bool takes_many_blocks = false;
template <class T, class Element>
  requires(sizeof(T) == 4 && std::is_same_v<std::remove_const_t<Element>, T>)
inline constexpr bool takes_many_blocks<element_of<T, Element*>> = true;

/// Smaller tiles for few items, which take less time from one end of a block to the other though
/// there are more of them.
using scan_tuning_of_few = scan_tuning<256, 16, 16, 1>;

/// Calls scan(std::type_identity<Tuning>) where `Tiles` tiles hold the items. Returns whether they
/// do.
template <class Tuning, std::uint64_t Tiles, class Scan>
bool scan_at_most(std::uint64_t items, const Scan& scan) {
  if (items > Tiles * Tuning::threads * Tuning::items) return false;
  scan(std::type_identity<Tuning>{});
  return true;
}

/// Calls scan(std::type_identity<Tuning>) where there are so few items, with the tuning for them,
/// of which `Few`, with the tiles of scan_tuning_of_few, is the first. Returns whether there are.
template <class T, class Few, class Scan>
bool scan_few(std::uint64_t items, const Scan& scan) {
  if constexpr (sizeof(T) <= 4) {
    // With tiles for somewhat more items, more multiprocessors work.
    return scan_at_most<Few, 96>(items, scan) ||
           scan_at_most<scan_tuning<256, 32, 16, 2>, 132>(items, scan);
  } else if constexpr (sizeof(T) <= 8) {
    return scan_at_most<Few, 96>(items, scan);
  } else if constexpr (sizeof(T) <= 16) {
    // The tiles of so large values are small anyway, and still smaller here.
    return scan_at_most<scan_tuning<64, 16, 16, 4>, 56>(items, scan) ||
           scan_at_most<scan_tuning<128, 16, 16, 3>, 128>(items, scan);
  } else {
    return false;
  }
}

template <class Tuning, std::integral Size>
std::size_t scan_tiles(Size count) {
  return detail::ceil_div(static_cast<std::size_t>(count), Tuning::threads * Tuning::items);
}

template <scan_kind Kind, class Tuning, std::integral Size, class F, class Output, class Op,
          class Init, class T>
void transform_scan(cuda_context& ctx, Size count, F f, Output out, Op op, Init init, T* total) {
  using device::uninitialized;
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  using tuning =
      detail::tuning_or<Tuning, std::conditional_t<detail::is_exact_fold<Op, T>, scan_tuning_of<T>,
                                                   scan_tuning_in_order<T>>>;
  uninitialized<T> start;
  if constexpr (has_init) start.value = init;

  if (count == 0) {
    if (has_init && total != nullptr) {
      backend::transform<default_tuning>(
          ctx, 1,
          device::store_value<uninitialized<T>>{start, reinterpret_cast<uninitialized<T>*>(total)});
    }
    return;
  }
  const auto launch = [&]<class Chosen>(std::type_identity<Chosen>) {
    const std::size_t tiles = scan_tiles<Chosen>(count);
    device::published_row<T> row(ctx, detail::is_exact_fold<Op, T>
                                          ? device::look_back_slots<Chosen>(tiles)
                                          : device::fold_look_back_slots(tiles));
    ctx.launch("transform_scan",
               device::scan_kernel<Chosen, Kind, has_init, T, Size, F, Output, Op>, tiles,
               Chosen::threads, sizeof(device::scan_shared<Chosen, T>), count, f, out, op, start,
               total, row.view());
  };
  if constexpr (std::is_same_v<Tuning, default_tuning>) {
    if (scan_few<T, scan_tuning_of_few>(static_cast<std::uint64_t>(count), launch)) return;
  }
  if constexpr (takes_many_blocks<F> && std::is_same_v<tuning, scan_tuning_of<T>>) {
    const auto resident = static_cast<std::size_t>(ctx.multiprocessors()) * tuning::blocks;
    if (scan_tiles<tuning>(count) > resident) return launch(std::type_identity<many_blocks>{});
  }
  launch(std::type_identity<tuning>{});
}

}  // namespace evenfold::backend
