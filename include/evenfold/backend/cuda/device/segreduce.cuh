#pragma once
// Segmented reduction on a GPU: one kernel that reads each value once, however long the segments.
//
// Each warp walks an equal share of the items and segment ends, tile by tile (segment_tiles.cuh),
// and reduces a tile in four steps (segreduce_steps.cuh). The values of a tile pass through shared
// memory: they are loaded by rows, and each lane folds a run of consecutive values. The fold up to
// a segment end replaces the last value of the segment, and a segmented scan over the lanes
// completes it. While a tile is folded, the values of the next tile are loaded into registers.
//
// The folds of a segment that spans several warps are joined by one thread of the block, those of a
// segment that spans several blocks by the block that finishes last (run_carry.cuh). The order of
// operations depends on the launch. It shows in sums of floating-point numbers and in folds by
// operators of users, which segreduce_runs.cuh folds.

#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/run_carry.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/segreduce_steps.cuh"
#include "evenfold/backend/cuda/device/staged_access.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of the segmented reductions: threads per block, slots for items per lane (an odd
/// number avoids bank conflicts), the largest number of window entries per lane, and the number of
/// blocks per multiprocessor that the compiler leaves registers for. Where the order of a fold
/// shows, a lane has 16 slots, and `items` is how many of their values it computes at once.
template <int Threads = 128, int Items = 15, int Rows = 13, int Blocks = 4>
struct segreduce_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int rows = Rows;
  static constexpr int blocks = Blocks;
};

namespace device {

/// Replaces staged<T, F> for functions that are not called ahead of time.
struct no_stage {
  struct fetched {};
};

/// Whether the function of a segmented reduction takes the segment beside the index.
enum class item_call { index, segment };

template <class Tuning, item_call Call>
struct segreduce_tiles_tuning : Tuning {
  static constexpr bool finds_segments = Call == item_call::segment;
};

template <class Tuning, class Tiles, class T, class SegmentSize>
struct segreduce_shared {
  typename Tiles::shared_type tiles;
  uninitialized<T> slots[Tiles::warps][Tiles::tile];
  run_carry<T, SegmentSize> carries[Tiles::warps];
  int last_block;
  uninitialized<open_fold<T>> scan_scratch[Tiles::warps];
};

template <class Tuning, item_call Call, class T, class Size, class Offsets, class SegmentSize,
          class Cached>
struct segreduce_types {
  using tiles_type =
      segment_tiles<segreduce_tiles_tuning<Tuning, Call>, Size, Offsets, SegmentSize, Cached>;
  using shared_type = segreduce_shared<Tuning, tiles_type, T, SegmentSize>;
};

template <class Tuning, item_call Call, class T, class Size, class F, class Offsets,
          class SegmentSize, class Cached, class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segreduce_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, F f, Cached cached,
                     warp_shares shares, Output out, Op op, uninitialized<T> init,
                     run_carry<T, SegmentSize>* carries, unsigned* arrived) {
  using types = segreduce_types<Tuning, Call, T, Size, Offsets, SegmentSize, Cached>;
  using tiles_type = typename types::tiles_type;
  auto& shared = shared_as<typename types::shared_type>();
  constexpr int items = Tuning::items;
  constexpr bool loads_ahead = Call == item_call::index;
  const int lane = lane_id();

  tiles_type tiles(segments, cached, shares, shared.tiles);
  uninitialized<T>* const slots = shared.slots[warp_id()];
  // Where f takes the index alone, the values of the next tile, or what they are computed from, are
  // fetched while a tile is folded.
  using fetched = typename std::conditional_t<loads_ahead, staged<T, F>, no_stage>::fetched;
  fetched ahead[items];
  if constexpr (loads_ahead) fetch_tile<T>(tiles.now(), f, ahead);

  run_carry<T, SegmentSize> carry{};
  uninitialized<T> open;  // the fold since the last segment end, where there is one
  bool has_open = false;
  while (!tiles.done()) {
    if constexpr (loads_ahead) store_values<T, items>(tiles.now(), f, ahead, slots);
    tiles.open_tile();
    if constexpr (loads_ahead) {
      fetch_tile<T>(tiles.next(), f, ahead);
    } else {
      compute_values<T, items>(
          tiles, [&](int slot) { return tiles.call(f, slot); }, slots);
    }
    const int first = tiles.now().first();
    const bool has_items = first < tiles.last();
    if (has_items) {
      const unsigned ends = ends_of_run<items>(tiles);
      const T fold = fold_run<T, items>(ends, slots, op);
      join_lanes<T, items>(tiles, ends, fold, slots, op, open, has_open);
    }
    if (has_items || tiles.closed() > 0) has_open = has_items && !tiles.ends_closed();
    write_results(tiles, slots, out, op, init, first, carry);
    if (!has_items && tiles.closes_most()) {
      tiles.skip_empty();
      write_empty(tiles.segment_at(tiles.closed()), tiles.next().segment, out, init.value);
    }
    tiles.close_tile();
  }

  if (lane == 0) {
    carry.has_tail = has_open;
    carry.tail = open;
    shared.carries[warp_id()] = carry;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    carries[blockIdx.x] = join_warps(shared.carries, tiles_type::warps, out, op, init);
  }
  if (arrive_last(arrived, &shared.last_block)) {
    join_blocks<Tuning::threads>(carries, out, op, init, shared.scan_scratch);
  }
}

/// About 60 bytes of values per lane; only 3 of the largest values, so that more warps are
/// resident.
template <class T>
using default_segreduce_tuning = std::conditional_t<
    sizeof(T) <= 4, segreduce_tuning<128, 15, 13>,
    std::conditional_t<sizeof(T) <= 8, segreduce_tuning<128, 7, 7>,
                       std::conditional_t<sizeof(T) <= 16, segreduce_tuning<128, 5, 5>,
                                          segreduce_tuning<128, 3, 3, 6>>>>;

/// Fewer values at once for functions that look elements up: more of them would evict each other
/// from L1, where elements that are looked up often are found again.
template <class T>
using gathered_segreduce_tuning =
    std::conditional_t<sizeof(T) <= 8, segreduce_tuning<256, 7, 9, 2>, default_segreduce_tuning<T>>;

/// Values that are read as they lie in memory take so few registers that 6 blocks fit; what other
/// functions compute would be slower with so few.
template <class T, class F>
using segreduce_tuning_for = std::conditional_t<
    reads_in_two_stages<F>, gathered_segreduce_tuning<T>,
    std::conditional_t<sizeof(T) <= 4 && is_one_sequence<F>, segreduce_tuning<128, 15, 13, 6>,
                       default_segreduce_tuning<T>>>;

}  // namespace device

}  // namespace evenfold
