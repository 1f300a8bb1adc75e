#pragma once
// Launches the kernels of backend/cuda/device/segreduce.cuh.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/narrow_index.cuh"
#include "evenfold/backend/cuda/device/run_carry.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/segreduce.cuh"
#include "evenfold/backend/cuda/device/segreduce_blocks.cuh"
#include "evenfold/backend/cuda/device/segreduce_few.cuh"
#include "evenfold/backend/cuda/device/segreduce_long.cuh"
#include "evenfold/backend/cuda/device/segreduce_runs.cuh"
#include "evenfold/backend/cuda/device/staged_access.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/published.cuh"
#include "evenfold/backend/cuda/launch/scratch.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/uniform_offsets.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

template <class Tuning, item_call Call, class T, class Size, class F, class Offsets,
          class SegmentSize, class Cached, class Output, class Op>
void launch_segreduce(cuda_context& ctx, const char* name,
                      detail::segment_view<Size, Offsets, SegmentSize> segments, F f, Cached cached,
                      Output out, Op op, const T& init) {
  using types = segreduce_types<Tuning, Call, T, Size, Offsets, SegmentSize, Cached>;
  using tiles_type = typename types::tiles_type;
  constexpr std::size_t shared_bytes = sizeof(typename types::shared_type);
  const auto kernel =
      segreduce_kernel<Tuning, Call, T, Size, F, Offsets, SegmentSize, Cached, Output, Op>;
  const std::size_t grid =
      std::min(tiles_type::full_blocks(segments),
               ctx.resident_blocks(kernel, Tuning::threads, shared_bytes, reads_in_two_stages<F>));
  kernel_scratch<run_carry<T, SegmentSize>> carries(ctx, grid);
  ctx.launch(name, kernel, grid, Tuning::threads, shared_bytes, segments, f, cached,
             warp_shares(segments, grid * tiles_type::warps, tiles_type::tile), out, op,
             uninitialized<T>(init), carries.data(), ctx.counters());
}

/// The same in the canonical order of folds.
template <class Tuning, item_call Call, class T, class Size, class F, class Offsets,
          class SegmentSize, class Cached, class Output, class Op>
void launch_segreduce_runs(cuda_context& ctx, const char* name,
                           detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                           Cached cached, Output out, Op op, const T& init) {
  using types = segreduce_runs_types<Tuning, Call, T, Size, Offsets, SegmentSize, Cached>;
  using tiles_type = typename types::tiles_type;
  constexpr std::size_t shared_bytes = sizeof(typename types::shared_type);
  const auto kernel =
      segreduce_runs_kernel<Tuning, Call, T, Size, F, Offsets, SegmentSize, Cached, Output, Op>;
  const std::size_t grid =
      std::min(tiles_type::full_blocks(segments),
               ctx.resident_blocks(kernel, Tuning::threads, shared_bytes, reads_in_two_stages<F>));
  const std::size_t warps = grid * tiles_type::warps;
  const std::uint64_t share = segments.steps() / warps;
  const auto sizes = cut_sizes::of_shares(static_cast<std::uint64_t>(segments.count), share);
  kernel_scratch<uninitialized<T>> folds(ctx, sizes.folds());
  // Where shares are small, to join a short segment takes more time than to fold two tiles more.
  const std::uint64_t most_whole = share < 8 * run_tile ? 2 * run_tile : 0;
  ctx.launch(
      name, kernel, grid, Tuning::threads, shared_bytes, segments, f, cached,
      warp_shares(segments, warps, tiles_type::tile, std::uint64_t{run_tile} << sizes.unit_level,
                  std::uint64_t{run_tile} << sizes.page_level, most_whole),
      out, op, uninitialized<T>(init), cut_segments<T>(sizes, folds.data(), ctx.wide_counters()));
}

/// Whether a thread block for each segment takes less time than equal shares of the items, or
/// blocks that fold few items, for segments whose lengths are read from memory.
template <class Tuning, class T, class F, class Op>
bool blocks_suit_segments(std::uint64_t items, std::uint64_t count) {
  // Where most segments are short, their blocks take longer than equal shares; where many are cut,
  // their pages do.
  constexpr bool any_order = folds_in_any_order<F, Op, T>;
  constexpr std::uint64_t few = segreduce_few_tuning_for<T>::most;
  constexpr std::uint64_t many = segreduce_long_tuning_for<T>::most;
  constexpr std::uint64_t most_paged =
      cuda_context::num_wide_counters * page_list<Tuning, T>::page_items;
  if (items <= (any_order ? few : many) || items > most_paged) return false;
  std::uint64_t least_mean = sizeof(T) > 4                 ? (any_order ? 896 : 1792)
                             : any_order && sizeof(T) <= 2 ? 1792
                                                           : 2560;
  std::uint64_t most_mean = Tuning::by_block;
  if (any_order && sizeof(T) <= 2 && items > many) most_mean = items;
  if (!detail::has_unchanging<Op, T>) {
    least_mean = 8192;
    most_mean /= 2;
  }
  if (items <= many) {
    least_mean = std::min<std::uint64_t>(least_mean, items <= 1u << 20 ? 256 : 1280);
    if (sizeof(T) > 2) most_mean = 3 * (1u << 14) / sizeof(T);
  }
  return count <= items / least_mean && count >= items / most_mean;
}

/// The same for segments of one length.
template <class Tuning, class T, class F, class Op>
bool blocks_suit_length(std::uint64_t length, std::uint64_t count, int multiprocessors) {
  // Groups at the ends of segments take longer, unless there are several whole ones for each.
  const std::uint64_t least = folds_in_any_order<F, Op, T> || length % detail::fold_group != 0
                                  ? 5 * detail::fold_group
                                  : 8192 / sizeof(T);
  return length >= least && length <= Tuning::by_block &&
         count >= 4 * static_cast<unsigned>(multiprocessors);
}

/// Folds long segments by a thread block each. Returns false, without any work, where another
/// kernel takes less time.
template <class T, class Size, class F, class Offsets, class SegmentSize, class Output, class Op>
bool launch_segreduce_blocks(cuda_context& ctx, const char* name,
                             detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                             Output out, Op op, const T& init) {
  using tuning = segreduce_blocks_tuning_for<F, Op, T>;
  using list_type = page_list<tuning, T>;
  constexpr bool equal_lengths = std::is_same_v<Offsets, detail::uniform_offsets>;
  const auto items = static_cast<std::uint64_t>(segments.count);
  const auto count = static_cast<std::uint64_t>(segments.num_segments);
  // The kernel counts items in 32 bits.
  if (items > std::uint64_t{1} << 31) return false;
  if constexpr (equal_lengths) {
    const auto length = static_cast<std::uint64_t>(segments.offsets.length);
    if (!blocks_suit_length<tuning, T, F, Op>(length, count, ctx.multiprocessors())) return false;
  } else {
    if (!blocks_suit_segments<tuning, T, F, Op>(items, count)) return false;
  }
  constexpr std::size_t shared_bytes = sizeof(segreduce_blocks_shared<tuning, T>);
  const auto kernel = segreduce_blocks_kernel<tuning, T, Size, F, Offsets, SegmentSize, Output, Op>;
  const std::uint64_t paged = equal_lengths ? 0 : items;
  const cut_sizes sizes(paged, list_type::level, list_type::level);
  const std::size_t fold_bytes = sizes.folds() * sizeof(uninitialized<T>);
  kernel_scratch<char> memory(ctx, fold_bytes + list_type::most(paged) * sizeof(listed_page));
  auto* const folds = reinterpret_cast<uninitialized<T>*>(memory.data());
  auto* const pages = reinterpret_cast<listed_page*>(memory.data() + fold_bytes);
  const flag_row<std::uint64_t> flags(ctx, list_type::words);
  const list_type list(flags.counters(), flags.generation(), pages,
                       cut_segments<T>(sizes, folds, ctx.wide_counters()));
  const std::size_t behind =
      equal_lengths ? 0
                    : std::min(list_type::most(items),
                               ctx.resident_blocks(kernel, tuning::threads, shared_bytes));
  ctx.launch(name, kernel, count + behind, tuning::threads, shared_bytes, segments, f, out, op,
             uninitialized<T>(init), list);
  return true;
}

/// Folds few items without any search. Returns false, without any work, where there are many, or
/// where their segments are long, for launch_segreduce_long.
template <class T, class Size, class F, class Offsets, class SegmentSize, class Output, class Op>
bool launch_segreduce_few(cuda_context& ctx, const char* name,
                          detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                          Output out, Op op, const T& init) {
  using tuning = segreduce_few_tuning_for<T>;
  const auto count = static_cast<std::uint64_t>(segments.num_segments);
  const std::uint64_t resident = static_cast<unsigned>(ctx.multiprocessors()) * tuning::blocks;
  const auto items = static_cast<std::uint64_t>(segments.count);
  constexpr std::uint64_t most_waves = 3;
  if (items > tuning::most || count > most_waves * most_block_segments * resident) return false;
  constexpr std::uint64_t least_long = 4 * detail::fold_group;
  if (!reads_in_two_stages<F> && items >= least_long * count) return false;
  const std::uint64_t each =
      std::min<std::uint64_t>(detail::ceil_div(count, resident), most_block_segments);
  const int neighbour_bits = each < 2 ? 0 : each < 4 ? 1 : 2;
  ctx.launch(name, segreduce_few_kernel<tuning, T, Size, F, Offsets, SegmentSize, Output, Op>,
             detail::ceil_div(count, each), tuning::threads,
             sizeof(segreduce_few_shared<tuning, T>), segments, neighbour_bits, f, out, op,
             uninitialized<T>(init));
  return true;
}

/// Folds few long segments without any search. Returns false, without any work, where equal shares
/// of the items, or blocks that fold whole segments however long, take less time.
template <class T, class Size, class F, class Offsets, class SegmentSize, class Output, class Op>
bool launch_segreduce_long(cuda_context& ctx, const char* name,
                           detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                           Output out, Op op, const T& init) {
  using tuning = segreduce_long_tuning_for<T>;
  using list_type = segment_list<tuning, T>;
  const auto items = static_cast<std::uint64_t>(segments.count);
  const auto count = static_cast<std::uint64_t>(segments.num_segments);
  // A part of a group takes more time than a whole one, so that short segments take longer than in
  // equal shares; and so do a few that have nearly all of many items.
  constexpr std::uint64_t least_mean = detail::has_unchanging<Op, T> ? 96 : 384;
  constexpr std::uint64_t most_mean = sizeof(T) <= 4   ? 3u << 14
                                      : sizeof(T) <= 8 ? 1u << 15
                                                       : 1u << 13;
  const std::uint64_t most_segments =
      items / least_mean + 8 * static_cast<unsigned>(ctx.multiprocessors());
  const bool is_few = items <= segreduce_few_tuning_for<T>::most;
  if (items > tuning::most || count > most_segments || (count < items / most_mean && !is_few)) {
    return false;
  }
  const auto kernel = segreduce_long_kernel<tuning, T, Size, F, Offsets, SegmentSize, Output, Op>;
  constexpr std::size_t shared_bytes = sizeof(segreduce_long_shared<tuning, T>);
  const std::uint64_t most_blocks = std::min<std::uint64_t>(
      ctx.resident_blocks(kernel, tuning::threads, shared_bytes), list_type::one_segment - 1);
  // More segments would take several rounds.
  if (count > most_block_segments * most_blocks) return false;
  const std::uint64_t grid = std::min(most_blocks, std::max(count, items / list_type::page));
  const flag_row<std::uint64_t> flags(ctx, 2);
  kernel_scratch<char> memory(ctx, list_type::bytes);
  const auto counter = [&](int k) {
    return launch_counter{flags.counters() + k, flags.generation()};
  };
  const list_type list{counter(0), counter(1), memory.data()};
  ctx.launch_together(name, kernel, grid, tuning::threads, shared_bytes, segments, f, out, op,
                      uninitialized<T>(init), list);
  return true;
}

/// The kernel and the tuning that an operator and a function ask for.
template <class Tuning, item_call Call, class T, class Size, class F, class Offsets,
          class SegmentSize, class Cached, class Output, class Op>
void segreduce_any(cuda_context& ctx, const char* name,
                   detail::segment_view<Size, Offsets, SegmentSize> segments, F f, Cached cached,
                   Output out, Op op, const T& init) {
  constexpr bool has_narrow =
      Call == item_call::index ? can_narrow<Size, F, Offsets, Output>
                               : can_narrow_items<Size, F, Offsets, Cached> && is_addressed<Output>;
  if constexpr (has_narrow) {
    if (fits_narrow_index(segments.steps())) {
      const auto with = [&](auto of_narrow) {
        segreduce_any<Tuning, Call>(ctx, name, with_narrow_index(segments), of_narrow, cached, out,
                                    op, init);
      };
      if constexpr (Call == item_call::index) {
        return with(of_narrow_index<Size>(f));
      } else {
        return with(of_narrow_items<Size, SegmentSize>(f));
      }
    }
  }
  constexpr bool takes_few =
      Call == item_call::index && sizeof(T) <= 16 && std::is_same_v<Tuning, default_tuning>;
  if constexpr (takes_few && !has_narrow) {
    if constexpr (sizeof(T) <= 8 && !reads_in_two_stages<F>) {
      if (launch_segreduce_blocks(ctx, name, segments, f, out, op, init)) return;
    }
    if (launch_segreduce_few(ctx, name, segments, f, out, op, init)) return;
    if constexpr (!reads_in_two_stages<F>) {
      if (launch_segreduce_long(ctx, name, segments, f, out, op, init)) return;
    }
  }
  if constexpr (detail::is_exact_fold<Op, T>) {
    using tuning = std::conditional_t<Call == item_call::index, segreduce_tuning_for<T, F>,
                                      default_segreduce_tuning<T>>;
    launch_segreduce<detail::tuning_or<Tuning, tuning>, Call>(ctx, name, segments, f, cached, out,
                                                              op, init);
  } else {
    launch_segreduce_runs<detail::tuning_or<Tuning, segreduce_runs_tuning_for<T, Size, F>>, Call>(
        ctx, name, segments, f, cached, out, op, init);
  }
}

}  // namespace device

namespace backend {

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Output,
          class Op, class T>
void transform_segreduce(cuda_context& ctx,
                         detail::segment_view<Size, Offsets, SegmentSize> segments, F f, Output out,
                         Op op, T init) {
  device::segreduce_any<Tuning, device::item_call::index>(ctx, "transform_segreduce", segments, f,
                                                          tuple<>{}, out, op, init);
}

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached,
          class Output, class Op, class T>
void lbs_segreduce(cuda_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments,
                   F f, Cached cached, Output out, Op op, T init) {
  device::segreduce_any<Tuning, device::item_call::segment>(ctx, "lbs_segreduce", segments, f,
                                                            cached, out, op, init);
}

}  // namespace backend

}  // namespace evenfold
