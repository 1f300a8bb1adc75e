#pragma once
// Segmented reduction on a GPU: one kernel, one pass, whatever the segments look like.
//
// Every warp walks an equal share of items and segment ends on its own (segment_tiles.cuh). The
// values of a tile pass through shared memory, so that they are loaded by rows and held by lanes as
// runs of consecutive items. A lane folds its run, leaving in place the fold at each segment end it
// meets; one segmented scan over the lanes' last folds then tells each lane what belongs in front
// of its first end. The result of a segment is thus found at the place of its last item, and
// results leave in segment order, coalesced. While a tile is folded, the values of the next one are
// on their way into registers.
//
// A segment that reaches over warps is put together by one thread of the block, one that reaches
// over blocks by the block that finishes last, in order. The launch depends on the sizes and the
// device alone, so do the bits.

#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/run_carry.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/staged_access.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of the segmented reductions: threads a block, item places a lane (odd keeps the
/// lanes' runs off each other's banks of shared memory), most window entries a lane, and blocks a
/// multiprocessor that the compiler leaves registers for.
template <int Threads = 128, int Items = 15, int Rows = 13, int Blocks = 4>
struct segreduce_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int rows = Rows;
  static constexpr int blocks = Blocks;
};

namespace device {

/// Stands for what a function fetches that is not read ahead.
struct no_stage {
  struct fetched {};
};

/// Whether the function of a segmented reduction wants the segment beside the index.
enum class item_call { index, segment };

template <class Tuning, item_call Call>
struct segreduce_tiles_tuning : Tuning {
  static constexpr bool finds_segments = Call == item_call::segment;
};

/// Fetches what the values of a tile are made of, by rows. Values of places outside a tile repeat
/// one inside: they can be folded, and reach no result.
template <class T, int Items, class F, class Size, class SegmentSize>
__device__ void fetch_tile(const tile_start<Size, SegmentSize>& at, const F& f,
                           typename staged<T, F>::fetched (&ahead)[Items]) {
  if (at.first() == 0 && at.limit == Items * warp_threads) {
#pragma unroll
    for (int j = 0; j < Items; ++j) {
      const Size index = at.base + static_cast<Size>(j * warp_threads + lane_id());
      ahead[j] = staged<T, F>::fetch(f, index);
    }
  } else if (at.first() < at.limit) {
#pragma unroll
    for (int j = 0; j < Items; ++j) {
      const int place = min(max(j * warp_threads + lane_id(), at.first()), at.limit - 1);
      ahead[j] = staged<T, F>::fetch(f, at.base + static_cast<Size>(place));
    }
  }
}

/// Puts the values of a tile into their places. All elements are looked up before the first is
/// used.
template <class T, int Items, class F, class Size, class SegmentSize>
__device__ void place_values(const tile_start<Size, SegmentSize>& at, const F& f,
                             const typename staged<T, F>::fetched (&ahead)[Items],
                             uninitialized<T>* places) {
  if (reads_in_two_stages<F> && at.first() >= at.limit) return;
  uninitialized<T> value[Items];
#pragma unroll
  for (int j = 0; j < Items; ++j) value[j] = staged<T, F>::value(f, ahead[j]);
#pragma unroll
  for (int j = 0; j < Items; ++j) places[j * warp_threads + lane_id()] = value[j];
}

template <class Tuning, class Tiles, class T, class SegmentSize>
struct segreduce_shared {
  typename Tiles::shared_type tiles;
  uninitialized<T> places[Tiles::warps][Tiles::tile];
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
    segreduce_kernel(segment_view<Size, Offsets, SegmentSize> segments, F f, Cached cached,
                     warp_shares shares, Output out, Op op, uninitialized<T> init,
                     run_carry<T, SegmentSize>* carries, unsigned* arrived) {
  using types = segreduce_types<Tuning, Call, T, Size, Offsets, SegmentSize, Cached>;
  using tiles_type = typename types::tiles_type;
  auto& shared = shared_as<typename types::shared_type>();
  constexpr int items = Tuning::items;
  constexpr int tile = tiles_type::tile;
  constexpr bool loads_ahead = Call == item_call::index;
  const int lane = lane_id();

  tiles_type tiles(segments, cached, shares, shared.tiles);
  uninitialized<T>* places = shared.places[warp_id()];
  // Where f wants the index alone, its values, or what they are made of, arrive while the tile
  // before is worked on.
  using fetched = typename std::conditional_t<loads_ahead, staged<T, F>, no_stage>::fetched;
  fetched ahead[items];
  if constexpr (loads_ahead) fetch_tile<T>(tiles.now(), f, ahead);

  run_carry<T, SegmentSize> carry{};
  uninitialized<T> open;
  bool has_open = false;

  while (!tiles.done()) {
    if constexpr (loads_ahead) place_values<T>(tiles.now(), f, ahead, places);
    tiles.open_tile();
    if constexpr (loads_ahead) fetch_tile<T>(tiles.next(), f, ahead);
    const int first = tiles.now().first();
    const int last = tiles.last();
    const bool has_items = first < last;
    if constexpr (!loads_ahead) {
      if (has_items) {
#pragma unroll 2
        for (int j = 0; j < items; ++j) {
          const int place = j * warp_threads + lane;
          const int inside = min(max(place, first), last - 1);
          places[place] = uninitialized<T>(static_cast<T>(tiles.call(f, inside)));
        }
      }
      __syncwarp();
    }

    if (has_items) {
      // The borders of the tile count as ends.
      const int mine = lane * items;
      unsigned ends = tiles.closed() > 0 ? tiles.ends_of_lane() : 0;
      if (first > 0 || last < tile) {
        if (first > 0 && first >= mine && first <= mine + items) ends |= 1u << (first - mine);
        if (last < tile && last >= mine && last <= mine + items) ends |= 1u << (last - mine);
      }

      uninitialized<T> row[items];
#pragma unroll
      for (int k = 0; k < items; ++k) row[k] = places[mine + k];
      T run = row[0].value;
      if (__any_sync(whole_warp, ends != 0)) {
#pragma unroll
        for (int k = 1; k < items; ++k) {
          if (ends >> k & 1) {
            places[mine + k - 1] = uninitialized<T>(run);
            run = row[k].value;
          } else {
            run = op(run, row[k].value);
          }
        }
        if (ends >> items & 1) places[mine + items - 1] = uninitialized<T>(run);
      } else {
#pragma unroll
        for (int k = 1; k < items; ++k) run = op(run, row[k].value);
      }

      // What lies before this lane, back to the last end: a segmented scan.
      const unsigned closes = __ballot_sync(whole_warp, (ends & ((1u << items) - 1)) != 0);
      const unsigned closes_to_here = closes & (0xffffffffu >> (31 - lane));
      const int head = closes_to_here != 0 ? 31 - __clz(closes_to_here) : 0;
#pragma unroll
      for (int delta = 1; delta < warp_threads; delta *= 2) {
        const T earlier = shuffle_up(run, delta);
        if (lane - delta >= head) run = op(earlier, run);
      }
      uninitialized<T> before(shuffle_up(run, 1));
      bool has_before = lane > 0;
      if ((closes & ((1u << lane) - 1)) == 0 && has_open) {
        before = has_before ? uninitialized<T>(op(open.value, before.value)) : open;
        has_before = true;
      }
      if ((ends & 1) == 0 && ends != 0 && has_before) {
        uninitialized<T>& first_end = places[mine + __ffs(ends) - 2];
        first_end.value = op(before.value, first_end.value);
      }
      __syncwarp();

      // What stays open: the fold since the last end.
      if (last < tile) {
        open = places[last - 1];
      } else {
        const T tail = shuffle_from(run, warp_threads - 1);
        open = has_open && closes == 0 ? uninitialized<T>(op(open.value, tail))
                                       : uninitialized<T>(tail);
      }
    }
    if (has_items || tiles.closed() > 0) has_open = has_items && !tiles.ends_closed();

    // Results leave in segment order.
    for (int s = lane; s < tiles.closed(); s += warp_threads) {
      const int end = tiles.end_of(s);
      const bool has = end > (s > 0 ? tiles.end_of(s - 1) : first);
      if (s == 0 && tiles.first_of_share()) {
        carry.closed = true;
        carry.has_first = has;
        carry.segment = tiles.now().segment;
        if (has) carry.first = places[end - 1];
      } else {
        out[tiles.now().segment + static_cast<SegmentSize>(s)] =
            has ? op(init.value, places[end - 1].value) : init.value;
      }
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

/// About 60 bytes of values a lane; of the largest only 3, so that more warps fit.
template <class T>
using default_segreduce_tuning = std::conditional_t<
    sizeof(T) <= 4, segreduce_tuning<128, 15, 13>,
    std::conditional_t<sizeof(T) <= 8, segreduce_tuning<128, 7, 7>,
                       std::conditional_t<sizeof(T) <= 16, segreduce_tuning<128, 5, 5>,
                                          segreduce_tuning<128, 3, 3, 6>>>>;

/// Functions that look elements up want fewer at once: more would push each other out of L1, where
/// those that are wanted often are found again.
template <class T>
using gathered_segreduce_tuning =
    std::conditional_t<sizeof(T) <= 8, segreduce_tuning<256, 7, 9, 2>, default_segreduce_tuning<T>>;

template <class T, class F>
using segreduce_tuning_for =
    std::conditional_t<reads_in_two_stages<F>, gathered_segreduce_tuning<T>,
                       default_segreduce_tuning<T>>;

}  // namespace device

}  // namespace evenfold
