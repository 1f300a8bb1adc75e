#pragma once
// compact on a GPU: one kernel that reads each item once and emits each kept item once.
//
// A warp loads its part of the tile by rows of 32 items. One ballot per row tells each lane how
// many kept items lie before its own, and the warp stores its kept items without gaps in shared
// memory. Once the block knows how many items are kept before it (look_back.cuh), each warp emits
// its run.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/device/prefetch.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of compact: threads per block, items per thread, tiles per group of the look-back
/// (a multiple of 16), and the number of blocks per multiprocessor that the compiler leaves
/// registers for.
template <int Threads = 512, int Items = 32, int Group = 16, int Blocks = 3>
struct compact_tuning {
  static_assert(Items <= 32, "a thread's decisions are the bits of one word");
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int group = Group;
  static constexpr int blocks = Blocks;
};

namespace device {

/// Whether a predicate takes the value alone; one that reads more memory needs registers for it.
template <class Keep>
inline constexpr bool looks_at_value = false;
template <class Keep>
inline constexpr bool looks_at_value<detail::keep_value<Keep>> = true;
template <class Keep>
inline constexpr bool looks_at_value<detail::keep_others<Keep>> = true;

/// Whether a predicate compares the value with the one before it, which another lane has.
template <class Keep>
inline constexpr bool looks_at_previous = false;
template <class Keys, class Equal>
inline constexpr bool looks_at_previous<detail::begins_run<Keys, Equal>> = true;

/// Emits nothing: items that are not kept are dropped.
struct no_others {};

template <class Tuning, class T, class Size, class Keep>
struct compact_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  int warp_kept[warps];
  Size warp_from[warps];  // how many are kept before each warp
  Size total;             // how many are kept in all, for the others
  /// With a row for others where these are stored, too, but not read.
  static constexpr int rows = Tuning::items + (looks_at_previous<Keep> ? 1 : 0);
  uninitialized<T> kept[warps][warp_threads * rows];
};

/// The number of items kept before each tile and in all, where an earlier kernel has counted them.
template <class Size>
struct counted_before {
  const Size* before;
  const Size* total;
};

/// Where tiles publish how many items they keep, if all blocks are resident at once: a tile then
/// waits for all others instead of looking back, and knows how many are kept in all.
template <class Size>
struct counted_together {
  published<Size> row;
};
template <class Row>
inline constexpr bool is_counted_together = false;
template <class Size>
inline constexpr bool is_counted_together<counted_together<Size>> = true;

/// The number of items kept before a tile and in all, in lane 0. One warp calls it, after the tile
/// has published its own number.
template <class Size>
struct kept_around {
  Size before;
  Size total;
};
template <class Size>
__device__ kept_around<Size> wait_for_all(const published<Size>& row, unsigned tile) {
  constexpr int each = 8;
  kept_around<Size> kept{0, 0};
  for (unsigned begin = lane_id(); begin < gridDim.x; begin += each * warp_threads) {
    uninitialized<Size> found[each];
    const unsigned left = (gridDim.x - begin + warp_threads - 1) / warp_threads;
    const int have = static_cast<int>(min(left, unsigned{each}));
    row.wait(
        have, [=](int k) { return std::size_t{begin} + k * warp_threads; }, found);
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const Size of_tile = k < have ? found[k].value : Size{0};
      kept.total = static_cast<Size>(kept.total + of_tile);
      if (begin + k * warp_threads < tile) kept.before = static_cast<Size>(kept.before + of_tile);
    }
  }
  __syncwarp();
  return {warp_fold(kept.before, warp_threads, plus{}),
          warp_fold(kept.total, warp_threads, plus{})};
}

/// others(to, value) gets the items that are not kept, in order, unless it is no_others.
/// `row` is where tiles publish how many they keep, counted_together, or counted_before; without
/// others, it is the first.
template <class Tuning, class T, class Size, class Item, class Keep, class Emit, class Others,
          class Row>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    compact_kernel(Size count, Item item, Keep keep, Emit emit, Others others, Size* num_kept,
                   Row row) {
  using shared_type = compact_shared<Tuning, T, Size, Keep>;
  shared_type& shared = shared_as<shared_type>();
  constexpr int items = Tuning::items;
  constexpr int warps = shared_type::warps;
  constexpr int warp_tile = items * warp_threads;
  constexpr bool has_others = !std::is_same_v<Others, no_others>;

  const std::uint64_t tile = blockIdx.x;
  const std::uint64_t base = tile * (Tuning::threads * items) + warp_id() * warp_tile;
  const std::uint64_t last = static_cast<std::uint64_t>(count);
  const int lane = lane_id();
  const int filled = base >= last              ? 0
                     : last - base < warp_tile ? static_cast<int>(last - base)
                                               : warp_tile;
  const Size from = static_cast<Size>(base + lane);
  uninitialized<T>* mine = shared.kept[warp_id()];
  int kept = 0;
  if constexpr (!has_others) {
    prefetch_ahead<Tuning::threads * items, warp_tile, sizeof(T)>(item, base);
  }
  {
    uninitialized<T> value[items];
    if (filled == warp_tile) {
#pragma unroll
      for (int j = 0; j < items; ++j) {
        value[j] = uninitialized<T>(item(static_cast<Size>(from + j * warp_threads)));
      }
    } else {
#pragma unroll
      for (int j = 0; j < items; ++j) {
        if (j * warp_threads + lane < filled) {
          value[j] = uninitialized<T>(item(static_cast<Size>(from + j * warp_threads)));
        }
      }
    }
    const unsigned lanes_before = (1u << lane) - 1;
    const auto add = [&](int row, const uninitialized<T>& of, bool is_kept) {
      const unsigned keepers = __ballot_sync(whole_warp, is_kept);
      const int to = kept + __popc(keepers & lanes_before);
      // Others are stored, too: a branch takes twice as many instructions.
      mine[is_kept ? to : has_others ? warp_tile - 1 - (row + lane - to) : warp_tile + lane] = of;
      kept += __popc(keepers);
    };
    if constexpr (looks_at_previous<Keep>) {
      // The lane on the left has the value before that of this lane, and the last lane the one
      // before the next row.
      const int left = (lane + warp_threads - 1) % warp_threads;
      const bool is_first = base + lane == 0;
      uninitialized<T> previous = value[0];
      if (lane == 0 && !is_first && filled > 0) {
        previous = uninitialized<T>(item(static_cast<Size>(base - 1)));
      }
#pragma unroll
      for (int j = 0; j < items; ++j) {
        const uninitialized<T> beside = shuffle_from(value[j], left);
        if (lane > 0) previous = beside;
        add(j * warp_threads, value[j],
            j * warp_threads + lane < filled &&
                ((j == 0 && is_first) || !keep.equal(previous.value, value[j].value)));
        previous = beside;
      }
    } else {
      // Bit j: the item of row j is kept. All calls precede the first ballot, so that the loads of
      // `keep` are in flight together.
      unsigned keeps = 0;
#pragma unroll
      for (int j = 0; j < items; ++j) {
        const bool kept_too = j * warp_threads + lane < filled &&
                              keep(static_cast<Size>(from + j * warp_threads), value[j].value);
        keeps |= static_cast<unsigned>(kept_too) << j;
      }
#pragma unroll
      for (int j = 0; j < items; ++j) {
        if constexpr (has_others) {
          add(j * warp_threads, value[j], (keeps >> j & 1) != 0);
        } else {
          // Here a branch is faster.
          const unsigned keepers = __ballot_sync(whole_warp, keeps >> j & 1);
          if (keeps >> j & 1) mine[kept + __popc(keepers & ((1u << lane) - 1))] = value[j];
          kept += __popc(keepers);
        }
      }
    }
  }
  if (lane == 0) shared.warp_kept[warp_id()] = kept;
  __syncthreads();

  if (uniform_warp_id() == 0) {
    const int of_warp = lane < warps ? shared.warp_kept[lane] : 0;
    const int to_here = warp_inclusive_scan(of_warp, plus{});
    const Size in_tile = static_cast<Size>(__shfl_sync(whole_warp, to_here, warp_threads - 1));
    Size before = 0;
    if constexpr (std::is_same_v<Row, counted_before<Size>>) {
      before = row.before[tile];
      if (lane == 0) shared.total = *row.total;
    } else if constexpr (is_counted_together<Row>) {
      if (lane == 0) row.row.publish(tile, in_tile);
      const kept_around<Size> around = wait_for_all(row.row, blockIdx.x);
      before = shuffle_from(around.before, 0);
      if (lane == 0) shared.total = around.total;
    } else {
      if (lane == 0) row.publish(tile, in_tile);
      if (tile > 0) {
        before = look_back<Tuning>(row, tile, in_tile, plus{}, false, uninitialized<Size>()).value;
        before = shuffle_from(before, 0);
      }
    }
    if (lane < warps) shared.warp_from[lane] = static_cast<Size>(before + (to_here - of_warp));
    if (lane == 0 && num_kept != nullptr && tile + 1 == gridDim.x) {
      *num_kept = static_cast<Size>(before + in_tile);
    }
  }
  __syncthreads();
  const Size to = shared.warp_from[warp_id()];
  for (int k = lane; k < kept; k += warp_threads) emit(static_cast<Size>(to + k), mine[k].value);
  if constexpr (has_others) {
    const Size first = static_cast<Size>(shared.total + (static_cast<Size>(base) - to));
    for (int k = lane; k < filled - kept; k += warp_threads) {
      others(static_cast<Size>(first + k), mine[warp_tile - 1 - k].value);
    }
  }
}

template <class Tuning>
struct count_kept_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  int warp_kept[2][warps];
  std::uint64_t scratch[warps];
  int last;
};

/// before[t] = the number of items kept before tile t of compact_kernel; *num_kept = that of all.
/// `kept` is 1 for an item that is kept, else 0. Tiles are counted from the last to the first, so
/// that the kernel that follows finds the first ones in the L2 cache. `arrived` is zero between
/// kernels.
template <class Tuning, class Size, class Kept>
__global__ void __launch_bounds__(Tuning::threads)
    count_kept_kernel(Size count, Kept kept, std::uint64_t tiles, Size* before, Size* num_kept,
                      unsigned* arrived) {
  auto& shared = shared_as<count_kept_shared<Tuning>>();
  constexpr int items = Tuning::items;
  constexpr int warps = count_kept_shared<Tuning>::warps;
  const auto total = static_cast<std::uint64_t>(count);
  int turn = 0;
  for (std::uint64_t k = blockIdx.x; k < tiles; k += gridDim.x) {
    const std::uint64_t tile = tiles - 1 - k;
    const std::uint64_t base = tile * (Tuning::threads * items);
    int mine = 0;
    if (total - base >= Tuning::threads * items) {
      uninitialized<int> is_kept[items];
      load_tile<Tuning::threads, items, int, Size>(base, kept, threadIdx.x, is_kept);
#pragma unroll
      for (int j = 0; j < items; ++j) mine += is_kept[j].value;
    } else {
      for (std::uint64_t i = base + threadIdx.x; i < total; i += Tuning::threads) {
        mine += kept(static_cast<Size>(i));
      }
    }
    mine = __reduce_add_sync(whole_warp, mine);
    if (lane_id() == 0) shared.warp_kept[turn][warp_id()] = mine;
    __syncthreads();
    if (uniform_warp_id() == 0) {
      const int in_tile =
          __reduce_add_sync(whole_warp, lane_id() < warps ? shared.warp_kept[turn][lane_id()] : 0);
      if (lane_id() == 0) before[tile] = static_cast<Size>(in_tile);
    }
    turn ^= 1;
  }
  if (!arrive_last(arrived, &shared.last)) return;

  const std::uint64_t each = detail::ceil_div(tiles, Tuning::threads);
  const std::uint64_t first = min(threadIdx.x * each, tiles);
  const std::uint64_t end = min(first + each, tiles);
  std::uint64_t sum = 0;
#pragma unroll 8
  for (std::uint64_t t = first; t < end; ++t) sum += static_cast<std::uint64_t>(before[t]);
  auto* const scratch = reinterpret_cast<uninitialized<std::uint64_t>*>(shared.scratch);
  const auto all = block_scan<Tuning::threads>(sum, scratch, plus{});
  std::uint64_t to_here = threadIdx.x == 0 ? 0 : all.before.value;
  for (std::uint64_t t = first; t < end; ++t) {
    const auto in_tile = static_cast<std::uint64_t>(before[t]);
    before[t] = static_cast<Size>(to_here);
    to_here += in_tile;
  }
  if (threadIdx.x == 0) *num_kept = static_cast<Size>(all.total);
}

}  // namespace device

}  // namespace evenfold
