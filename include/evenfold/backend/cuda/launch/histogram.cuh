#pragma once
// Launches the kernels of backend/cuda/device/histogram.cuh and histogram_slots.cuh.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/histogram.cuh"
#include "evenfold/backend/cuda/device/histogram_slots.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/scan.cuh"
#include "evenfold/backend/cuda/launch/shared_memory.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

/// How many of the `blocks` that are resident at once share the `tiles` of each range, of which one
/// block takes at least one.
inline std::size_t slices_of(std::size_t blocks, std::size_t ranges, std::size_t tiles) {
  return std::clamp<std::size_t>(blocks / ranges, 1, std::max<std::size_t>(tiles, 1));
}

template <int Threads, int Items, class Size, class F, class Count>
void histogram_of(cuda_context& ctx, Size count, std::uint32_t bins, F f, std::uint32_t ranges,
                  std::size_t blocks, Count* out) {
  const auto items = static_cast<std::size_t>(count);
  const std::size_t tiles = detail::ceil_div(items, Threads * Items);
  // No block counts more items than its 32-bit counters hold.
  const std::size_t slices =
      std::max(slices_of(blocks, ranges, tiles), detail::ceil_div(items, std::size_t{1} << 31));
  ctx.launch("histogram", device::histogram_count_kernel<Threads, Items, Size, F, Count>,
             slices * ranges, Threads, detail::ceil_div(bins, ranges) * sizeof(std::uint32_t),
             count, bins, ranges, f, out);
}

/// Writes the counts to `out`, by sorting the items by range of bins.
template <class Tuning = device::sort_slots_tuning<>, class Size, class F, class Count>
void count_sorted_slots(cuda_context& ctx, Size count, std::uint32_t bins, F f, Count* out) {
  // It bounds the scratch, which stays in the L2 cache until it is read.
  constexpr std::uint64_t most_items = 1 << 25;
  constexpr int threads = 1024;
  const auto ranges = device::slot_ranges::of_neighbours(bins);
  const auto total = static_cast<std::uint64_t>(count);
  const std::uint64_t most_tiles = detail::ceil_div(std::min(most_items, total), Tuning::tile);
  array<std::uint16_t> slots(ctx, most_tiles * Tuning::tile);
  array<device::slot_run> runs(ctx, most_tiles * ranges.count);
  array<std::uint32_t> before(ctx, most_tiles * ranges.count + 1);
  ctx.fill_bytes(out, 0, bins * sizeof(Count));
  for (std::uint64_t first = 0; first < total; first += most_items) {
    const auto items = static_cast<std::uint32_t>(std::min(most_items, total - first));
    const std::uint32_t tiles = detail::ceil_div(items, Tuning::tile);
    const std::uint32_t num_runs = tiles * ranges.count;
    ctx.launch("histogram",
               device::sort_slots_kernel<Tuning, device::no_weight, Size, F, device::no_weight>,
               tiles, Tuning::threads, sizeof(device::sort_slots_shared<Tuning, device::no_weight>),
               static_cast<Size>(first), items, ranges, f, device::no_weight{}, runs.data(),
               slots.data(), nullptr);
    transform_scan<scan_kind::exclusive, default_tuning>(
        ctx, num_runs, device::slot_run_size{runs.data()}, before.data(), plus{}, std::uint32_t{0},
        before.data() + num_runs);
    ctx.launch("histogram", device::count_slots_kernel<threads, Tuning::tile, Count>,
               static_cast<std::size_t>(ctx.multiprocessors()), threads,
               ranges.width() * sizeof(std::uint32_t), tiles, ranges, runs.data(), before.data(),
               slots.data(), out);
  }
}

/// From how many ranges of bins, and items, on the items are sorted by range: each range reads all
/// of them.
inline constexpr std::uint32_t most_count_ranges = 8;
inline constexpr std::uint64_t least_sorted_items = 1 << 23;

template <class Tuning, std::integral Size, class F, std::integral Count>
void histogram(cuda_context& ctx, Size count, std::uint32_t bins, F f, Count* out) {
  using tuning = detail::tuning_or<Tuning, histogram_tuning<>>;
  constexpr int threads = tuning::threads;
  constexpr int items = tuning::items;
  static_assert(threads % 64 == 0, "two blocks of whole warps share the threads");
  const auto multiprocessors = static_cast<std::size_t>(ctx.multiprocessors());
  // The device reserves 1 KiB per block.
  const std::size_t most = device::most_shared(ctx.device()) / sizeof(std::uint32_t);
  const auto ranges = static_cast<std::uint32_t>(detail::ceil_div(std::size_t{bins}, most));
  if constexpr (std::is_same_v<Tuning, default_tuning>) {
    if (ranges > most_count_ranges && static_cast<std::uint64_t>(count) >= least_sorted_items &&
        device::slot_ranges::of_neighbours(bins).fit()) {
      return count_sorted_slots(ctx, count, bins, f, out);
    }
  }
  ctx.fill_bytes(out, 0, bins * sizeof(Count));
  if (bins <= most / 2 - 256) {
    // With two blocks per multiprocessor, one works while the other starts or ends.
    histogram_of<threads / 2, items>(ctx, count, bins, f, 1, 2 * multiprocessors, out);
  } else {
    histogram_of<threads, items>(ctx, count, bins, f, ranges, multiprocessors, out);
  }
}

}  // namespace evenfold::backend
