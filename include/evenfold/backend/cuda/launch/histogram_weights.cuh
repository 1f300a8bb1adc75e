#pragma once
// Launches the kernels of backend/cuda/device/histogram_weights.cuh, histogram_slot_sums.cuh and
// histogram_sums.cuh.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/histogram.cuh"
#include "evenfold/backend/cuda/device/histogram_slot_sums.cuh"
#include "evenfold/backend/cuda/device/histogram_slots.cuh"
#include "evenfold/backend/cuda/device/histogram_sums.cuh"
#include "evenfold/backend/cuda/device/histogram_weights.cuh"
#include "evenfold/backend/cuda/device/reduce.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/histogram.cuh"
#include "evenfold/backend/cuda/launch/radix_sort.cuh"
#include "evenfold/backend/cuda/launch/shared_memory.cuh"
#include "evenfold/backend/cuda/launch/transform.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/balance/weight_chunks.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

/// How bins are cut into ranges where the weights of their items are sorted by range.
struct weight_ranges {
  /// The items that are sorted at a time, whole chunks. It bounds the scratch, and the sums of one
  /// bin in all these chunks are computed at the same time.
  static constexpr std::uint64_t most_items = 1 << 27;
  /// The tables of more bins leave room for too few warps in a multiprocessor.
  static constexpr std::uint32_t most_bins = 1 << 21;
  static_assert(most_bins < 1u << device::slot_ranges::number_bits);
  template <class T>
  using tuning = device::sort_slots_tuning<512, (sizeof(T) <= 8 ? 16 : 8), 2>;
  template <class T>
  static constexpr std::size_t sort_bytes = sizeof(device::sort_slots_shared<tuning<T>, T>);

  device::slot_ranges ranges;
  std::uint64_t length, chunks;

  weight_ranges(const cuda_context& ctx, std::uint32_t bins, std::uint64_t chunk_length,
                std::uint64_t num_chunks)
      : length(chunk_length), chunks(num_chunks) {
    // The sums of 2^10 bins leave room for many warps in a multiprocessor. More ranges where there
    // would be less work than that; each lane has a bin at least.
    constexpr int slot_bits = 10;
    constexpr std::uint64_t multiprocessor_warps = 16;
    constexpr int most_range_bits = device::slot_ranges::most_range_bits;
    const int bits = std::bit_width(bins - 1);
    const std::uint64_t at_once = std::min(chunks, std::max<std::uint64_t>(most_items / length, 1));
    const std::uint64_t warps = multiprocessor_warps * static_cast<unsigned>(ctx.multiprocessors());
    int range_bits = std::clamp(bits - slot_bits, 0, most_range_bits);
    while (range_bits < most_range_bits && bits - range_bits > device::warp_levels &&
           at_once << range_bits < warps) {
      ++range_bits;
    }
    ranges = device::slot_ranges::of_spread(bins, bits, bits - range_bits);
  }

  template <class T>
  std::size_t add_bytes() const {
    return device::add_slots_shared::bytes<T>(ranges.width());
  }
  /// Whether items and sums fit, with the memory of the device.
  template <class T>
  bool fit(const cuda_context& ctx) const {
    return ranges.bins <= most_bins && length <= most_items &&
           std::max(sort_bytes<T>, add_bytes<T>()) <= device::most_shared(ctx.device());
  }
};

/// Sums the weights of each chunk and bin to tables[bin * chunks + chunk], by sorting the items by
/// range of bins.
template <class T, class Size, class F, class Weight>
void sum_weights_of_slots(cuda_context& ctx, Size count, const weight_ranges& cut, F f,
                          Weight weight, device::uninitialized<T>* tables) {
  using tuning = weight_ranges::tuning<T>;
  constexpr int rows = 8;
  constexpr std::uint64_t most_items = weight_ranges::most_items;
  const auto total = static_cast<std::uint64_t>(count);
  const std::uint64_t most_tiles = detail::ceil_div(std::min(most_items, total), tuning::tile);
  const auto chunk_tiles = static_cast<std::uint32_t>(cut.length / tuning::tile);
  array<std::uint16_t> slots(ctx, most_tiles * tuning::tile);
  array<device::uninitialized<T>> weights(ctx, most_tiles * tuning::tile);
  array<device::slot_run> runs(ctx, most_tiles * cut.ranges.count);
  for (std::uint64_t first = 0; first < total; first += most_items) {
    const auto items = static_cast<std::uint32_t>(std::min(most_items, total - first));
    const std::uint32_t tiles = detail::ceil_div(items, tuning::tile);
    ctx.launch("histogram", device::sort_slots_kernel<tuning, T, Size, F, Weight>, tiles,
               tuning::threads, weight_ranges::sort_bytes<T>, static_cast<Size>(first), items,
               cut.ranges, f, weight, runs.data(), slots.data(), weights.data());
    ctx.launch("histogram", device::add_slots_kernel<rows, tuning::tile, T>,
               detail::ceil_div(std::uint64_t{items}, cut.length) * cut.ranges.count,
               device::warp_threads, cut.add_bytes<T>(), tiles, chunk_tiles, cut.ranges,
               runs.data(), slots.data(), weights.data(), first / cut.length, cut.chunks, tables);
  }
}

/// The same for any number of bins and any weights, after a sort by chunk and bin.
template <class T, class Size, class F, class Weight>
void sum_sorted_weights(cuda_context& ctx, Size count, std::uint32_t bins, std::uint64_t length,
                        std::uint64_t chunks, F f, Weight weight,
                        device::uninitialized<T>* tables) {
  // A power of two, as the length of a chunk is. It bounds the scratch.
  constexpr std::uint64_t most_items = 1 << 25;
  transform<default_tuning>(ctx, chunks * bins, write_result{constant<T>{T{}}, &tables->value});
  const auto total = static_cast<std::uint64_t>(count);
  const auto none =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(most_items / length, 1) * bins);
  for (std::uint64_t first = 0; first < total; first += most_items) {
    const auto items = static_cast<std::uint32_t>(std::min(most_items, total - first));
    array<std::uint32_t> keys(ctx, items);
    array<device::uninitialized<T>> weights(ctx, items);
    transform<default_tuning>(ctx, items,
                              device::key_weight<T, Size, F, Weight>{
                                  static_cast<Size>(first), bins, none, std::countr_zero(length), f,
                                  weight, keys.data(), weights.data()});
    device::radix_sort_bits(ctx, keys, weights, items, std::bit_width(none));
    ctx.launch("histogram", device::histogram_runs_kernel<T>, detail::ceil_div(items, 256u), 256, 0,
               keys.data(), weights.data(), items, bins, none, first / length, chunks, tables);
  }
}

inline detail::weight_layout layout_of_weights(const cuda_context&, std::uint64_t chunks,
                                               std::uint32_t bins) {
  return {1, chunks, chunks * bins};
}

/// The sums of each chunk of `length` items.
template <class Tuning, std::integral Size, class F, class Weight, class T>
void weigh_chunks(cuda_context& ctx, Size count, std::uint32_t bins, std::uint64_t length, F f,
                  Weight weight, T* tables) {
  using tuning = detail::tuning_or<Tuning, histogram_tuning<1024, (sizeof(T) <= 8 ? 8 : 4)>>;
  const auto kernel = device::histogram_weight_kernel<tuning::items, T, Size, F, Weight>;
  using queue = device::histogram_queue<tuning::items>;
  constexpr std::size_t most_warps = 16;
  constexpr std::size_t multiprocessor_warps = tuning::threads / device::warp_threads;
  // The fewest warps per block with which tables of all bins fit, since the warps of a block take
  // turns.
  const std::size_t most = device::most_shared(ctx.device());
  std::size_t warps = 1;
  while (warps < most_warps &&
         (warps * sizeof(queue) + bins * sizeof(T) + 1024) * (multiprocessor_warps / warps) >
             most) {
    warps *= 2;
  }
  const std::size_t shared = warps * sizeof(queue) + bins * sizeof(T);
  const std::uint64_t chunks = detail::ceil_div(static_cast<std::uint64_t>(count), length);
  auto* const sums = reinterpret_cast<device::uninitialized<T>*>(tables);
  constexpr bool sorts_by_range = sizeof(T) <= 16;
  // The queue stores slots of the table in 16 bits.
  constexpr std::uint32_t most_bins =
      std::is_same_v<Tuning, default_tuning> && sorts_by_range ? 1 << 12 : 1 << 16;
  if (shared > most || bins >= most_bins) {
    if constexpr (sorts_by_range) {
      if (const weight_ranges cut(ctx, bins, length, chunks); cut.fit<T>(ctx)) {
        return sum_weights_of_slots(ctx, count, cut, f, weight, sums);
      }
    }
    return sum_sorted_weights(ctx, count, bins, length, chunks, f, weight, sums);
  }
  const auto threads = static_cast<unsigned>(warps * device::warp_threads);
  const std::size_t blocks = slices_of(ctx.resident_blocks(kernel, threads, shared), 1, chunks);
  ctx.launch("histogram", kernel, blocks, threads, shared, count, bins, length, f, weight, sums);
}

/// Writes the sums of weights whose additions give the same bits in any order.
template <class T, class Size, class F, class Weight>
void sum_weights_in_any_order(cuda_context& ctx, Size count, std::uint32_t bins, F f, Weight weight,
                              T* out) {
  constexpr int items = 8;
  // Each range reads all items.
  constexpr std::uint32_t most_ranges = 3;
  auto* const sums = reinterpret_cast<device::sum_word<T>*>(out);
  ctx.fill_bytes(out, 0, bins * sizeof(T));
  const auto slices = [&](auto kernel, unsigned threads, std::size_t shared, std::size_t ranges) {
    return slices_of(
        ctx.resident_blocks(kernel, threads, shared), ranges,
        detail::ceil_div(static_cast<std::size_t>(count), std::size_t{threads} * items));
  };
  const auto launch_ranges = [&](auto kernel, unsigned threads, std::uint32_t ranges) {
    const std::size_t shared = detail::ceil_div(bins, ranges) * sizeof(T);
    ctx.launch("histogram", kernel, slices(kernel, threads, shared, ranges) * ranges, threads,
               shared, count, bins, ranges, f, weight, sums);
  };
  // The device reserves 1 KiB per block.
  const std::size_t most = device::most_shared(ctx.device());
  const auto ranges = static_cast<std::uint32_t>(detail::ceil_div(bins, most / sizeof(T)));
  if (bins * sizeof(T) <= most / 2 - 1024) {
    launch_ranges(device::sum_weights_of_ranges_kernel<512, items, T, Size, F, Weight>, 512, 1);
  } else if (ranges <= most_ranges) {
    launch_ranges(device::sum_weights_of_ranges_kernel<1024, items, T, Size, F, Weight>, 1024,
                  ranges);
  } else {
    const auto kernel = device::sum_weights_kernel<256, items, T, Size, F, Weight>;
    ctx.launch("histogram", kernel, slices(kernel, 256, 0, 1), 256, 0, count, bins, f, weight,
               sums);
  }
}

template <class Tuning, std::integral Size, class F, class Weight, class T>
void histogram(cuda_context& ctx, Size count, std::uint32_t bins, F f, Weight weight, T* out) {
  if constexpr (std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    sum_weights_in_any_order(ctx, count, bins, f, weight, out);
  } else {
    const std::uint64_t length =
        detail::weight_chunk_length(static_cast<std::uint64_t>(count), bins);
    const std::uint64_t chunks = detail::ceil_div(static_cast<std::uint64_t>(count), length);
    array<device::uninitialized<T>> tables(ctx, chunks * bins);
    weigh_chunks<Tuning>(ctx, count, bins, length, f, weight, reinterpret_cast<T*>(tables.data()));
    if (chunks <= static_cast<unsigned>(detail::fold_run)) {
      transform<default_tuning>(
          ctx, bins, device::fold_few_chunks<T>{tables.data(), static_cast<int>(chunks), out});
      return;
    }
    using sum_tuning = reduce_tuning<device::warp_threads, (sizeof(T) <= 16 ? 8 : 1)>;
    const auto sum = device::histogram_sum_kernel<sum_tuning, T>;
    using sum_shared = device::reduce_shared<sum_tuning, T>;
    const std::size_t resident = ctx.resident_blocks(sum, sum_tuning::threads, sizeof(sum_shared));
    ctx.launch("histogram", sum, std::clamp<std::size_t>(bins, 1, 4 * resident),
               sum_tuning::threads, sizeof(sum_shared), bins, chunks, tables.data(), out);
  }
}

}  // namespace evenfold::backend
