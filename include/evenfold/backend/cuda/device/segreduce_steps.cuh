#pragma once
// The four steps in which a warp reduces one tile of segments (segreduce.cuh):
//
// 1. The values of the tile are stored in their slots in shared memory, row by row.
// 2. Each lane folds its run of consecutive slots.
// 3. A scan over the lanes completes the folds of segments that reach over several runs.
// 4. The results of the segments that end in the tile are written.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/run_carry.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/staged_access.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"

namespace evenfold::device {

/// The number of neighbouring values of a whole tile that a lane reads at once: one, unless they
/// are read as they lie in memory.
template <class T, class F, int Items>
inline constexpr int row_pack = tile_pack<F, Items> == widest_pack<T> ? widest_pack<T> : 1;

/// Whether the rows of a tile are rows of packs.
template <int Width, int Items, class F, class Size, class SegmentSize>
__device__ bool has_packed_rows(const tile_start<Size, SegmentSize>& at, const F& f) {
  return at.first() == 0 && at.limit == Items * warp_threads &&
         reader<F>::template aligned<Width>(f);
}

/// Step 1, ahead of time: fetches what the values of a tile are computed from, row by row. Slots
/// outside the tile repeat a value from inside it, which can be folded and reaches no result.
template <class T, int Items, class F, class Size, class SegmentSize>
__device__ void fetch_tile(const tile_start<Size, SegmentSize>& at, const F& f,
                           typename staged<T, F>::fetched (&ahead)[Items]) {
  constexpr int width = row_pack<T, F, Items>;
  if constexpr (width > 1) {
    if (has_packed_rows<width, Items>(at, f)) {
      const auto mine = static_cast<std::uint64_t>(at.base) + threadIdx.x % warp_threads * width;
#pragma unroll
      for (int j = 0; j < Items; j += width) {
        const auto from = reader<F>::template fetch<width>(f, mine + j * warp_threads);
#pragma unroll
        for (int k = 0; k < width; ++k) {
          ahead[j + k] = uninitialized<T>(static_cast<T>(reader<F>::value(f, from, k)));
        }
      }
      return;
    }
  }
  if (at.first() == 0 && at.limit == Items * warp_threads) {
#pragma unroll
    for (int j = 0; j < Items; ++j) {
      const Size index = at.base + static_cast<Size>(j * warp_threads + lane_id());
      ahead[j] = staged<T, F>::fetch(f, index);
    }
  } else if (at.first() < at.limit) {
#pragma unroll
    for (int j = 0; j < Items; ++j) {
      const int slot = min(max(j * warp_threads + lane_id(), at.first()), at.limit - 1);
      ahead[j] = staged<T, F>::fetch(f, static_cast<Size>(at.base + static_cast<Size>(slot)));
    }
  }
}

/// The slot of this lane in row `row`.
template <class T>
__device__ uninitialized<T>& slot_in_row(uninitialized<T>* slots, int row) {
  return slots[row * warp_threads + lane_id()];
}

/// Stores the pack of this lane in the row of packs that begins with row `row`.
template <int Width, class T>
__device__ void store_in_row(uninitialized<T>* slots, int row, const uninitialized<T>* values) {
#pragma unroll
  for (int k = 0; k < Width; ++k) slots[row * warp_threads + lane_id() * Width + k] = values[k];
}

/// Step 1: computes the values of a tile from what was fetched, and stores them in their slots.
/// `Batch` elements are looked up before the first one is used.
template <class T, int Batch, int Items, class F, class Size, class SegmentSize, class Slots>
__device__ void store_values(const tile_start<Size, SegmentSize>& at, const F& f,
                             const typename staged<T, F>::fetched (&ahead)[Items], Slots slots) {
  if (reads_in_two_stages<F> && at.first() >= at.limit) return;
  constexpr int width = row_pack<T, F, Items>;
  if constexpr (width > 1) {
    if (has_packed_rows<width, Items>(at, f)) {
#pragma unroll
      for (int j = 0; j < Items; j += width) store_in_row<width>(slots, j, ahead + j);
      return;
    }
  }
#pragma unroll
  for (int begin = 0; begin < Items; begin += Batch) {
    if (begin > 0) __syncwarp();  // keeps the compiler from looking all of them up at once
    uninitialized<T> value[Batch];
#pragma unroll
    for (int j = begin; j < begin + Batch && j < Items; ++j) {
      value[j - begin] = staged<T, F>::value(f, ahead[j]);
    }
#pragma unroll
    for (int j = begin; j < begin + Batch && j < Items; ++j) {
      slot_in_row(slots, j) = value[j - begin];
    }
  }
}

/// Step 1 for values that are too large to be loaded ahead of time: fetches and stores `Batch` of
/// them at a time. `last` is where the items of the tile end. Synchronises the warp.
template <class T, int Batch, int Items, class F, class Size, class SegmentSize, class Slots>
__device__ void load_values(const tile_start<Size, SegmentSize>& at, int last, const F& f,
                            Slots slots) {
  if (at.first() < last) {
#pragma unroll 1
    for (int begin = 0; begin < Items; begin += Batch) {
      typename staged<T, F>::fetched from[Batch];
      uninitialized<T> value[Batch];
#pragma unroll
      for (int j = 0; j < Batch; ++j) {
        const int slot = min(max((begin + j) * warp_threads + lane_id(), at.first()), last - 1);
        from[j] = staged<T, F>::fetch(f, static_cast<Size>(at.base + static_cast<Size>(slot)));
      }
#pragma unroll
      for (int j = 0; j < Batch; ++j) value[j] = staged<T, F>::value(f, from[j]);
#pragma unroll
      for (int j = 0; j < Batch; ++j) {
        if (Items % Batch == 0 || begin + j < Items) slot_in_row(slots, begin + j) = value[j];
      }
    }
  }
  __syncwarp();
}

/// Step 1 for a function that cannot be called ahead of time. call(slot) gives its value. Slots
/// outside the tile repeat a value, as above. Synchronises the warp.
template <class T, int Items, class Tiles, class Call, class Slots>
__device__ void compute_values(const Tiles& tiles, const Call& call, Slots slots) {
  const int first = tiles.now().first();
  const int last = tiles.last();
  if (first < last) {
#pragma unroll 2
    for (int j = 0; j < Items; ++j) {
      const int inside = min(max(j * warp_threads + lane_id(), first), last - 1);
      slot_in_row(slots, j) = uninitialized<T>(static_cast<T>(call(inside)));
    }
  }
  __syncwarp();
}

/// Bits 0 .. Items of the ends in this lane's run: bit k is set where a segment ends in front of
/// its k-th slot. The borders of the tile count as ends.
template <int Items, class Tiles>
__device__ unsigned ends_of_run(const Tiles& tiles) {
  const int first = tiles.now().first();
  const int last = tiles.last();
  const int mine = lane_id() * Items;
  unsigned ends = tiles.closed() > 0 ? tiles.ends_of_lane() : 0;
  if (first > 0 || last < Tiles::tile) {
    if (first > 0 && first >= mine && first <= mine + Items) ends |= 1u << (first - mine);
    if (last < Tiles::tile && last >= mine && last <= mine + Items) ends |= 1u << (last - mine);
  }
  return ends;
}

/// Step 2: folds the lane's run of slots. The slot in front of each end gets the fold since the end
/// before it, or since the beginning of the run. Returns the fold since the last end.
template <class T, int Items, class Op>
__device__ T fold_run(unsigned ends, uninitialized<T>* slots, Op op) {
  const int mine = lane_id() * Items;
  uninitialized<T> row[Items];
#pragma unroll
  for (int k = 0; k < Items; ++k) row[k] = slots[mine + k];
  T fold = row[0].value;
  if (__any_sync(whole_warp, ends != 0)) {
#pragma unroll
    for (int k = 1; k < Items; ++k) {
      if (ends >> k & 1) {
        slots[mine + k - 1] = uninitialized<T>(fold);
        fold = row[k].value;
      } else {
        fold = op(fold, row[k].value);
      }
    }
    if (ends >> Items & 1) slots[mine + Items - 1] = uninitialized<T>(fold);
  } else {
#pragma unroll
    for (int k = 1; k < Items; ++k) fold = op(fold, row[k].value);
  }
  return fold;
}

/// Step 3: a segmented scan of the lanes' folds. Each lane learns the fold of what lies between the
/// last end before its run and its run, and completes the fold in front of its first end with it.
/// `open` is the fold since the last end before the tile, where `has_open`; it becomes the fold
/// since the last end of the tile. Synchronises the warp.
template <class T, int Items, class Tiles, class Op>
__device__ void join_lanes(const Tiles& tiles, unsigned ends, T fold, uninitialized<T>* slots,
                           Op op, uninitialized<T>& open, bool has_open) {
  const int lane = lane_id();
  const unsigned closes = __ballot_sync(whole_warp, (ends & ((1u << Items) - 1)) != 0);
  const unsigned closes_to_here = closes & (0xffffffffu >> (31 - lane));
  const int head = closes_to_here != 0 ? 31 - __clz(closes_to_here) : 0;
#pragma unroll
  for (int delta = 1; delta < warp_threads; delta *= 2) {
    const T earlier = shuffle_up(fold, delta);
    if (lane - delta >= head) fold = op(earlier, fold);
  }
  uninitialized<T> before(shuffle_up(fold, 1));
  bool has_before = lane > 0;
  if ((closes & ((1u << lane) - 1)) == 0 && has_open) {
    before = has_before ? uninitialized<T>(op(open.value, before.value)) : open;
    has_before = true;
  }
  if ((ends & 1) == 0 && ends != 0 && has_before) {
    uninitialized<T>& first_end = slots[lane * Items + __ffs(ends) - 2];
    first_end.value = op(before.value, first_end.value);
  }
  __syncwarp();

  if (tiles.last() < Tiles::tile) {
    open = slots[tiles.last() - 1];
  } else {
    const T tail = shuffle_from(fold, warp_threads - 1);
    open =
        has_open && closes == 0 ? uninitialized<T>(op(open.value, tail)) : uninitialized<T>(tail);
  }
}

/// Step 4: writes the results of the segments that end in the tile, in the order of segments, so
/// that the writes are coalesced. `first` is the first slot of the tile. The first segment that
/// ends in the share of the warp may have begun before the share: its fold goes into `carry`.
template <class T, class Tiles, class SegmentSize, class Output, class Op>
__device__ void write_results(const Tiles& tiles, const uninitialized<T>* slots, Output out, Op op,
                              const uninitialized<T>& init, int first,
                              run_carry<T, SegmentSize>& carry) {
  for (int s = lane_id(); s < tiles.closed(); s += warp_threads) {
    const int end = tiles.end_of(s);
    const bool has = end > (s > 0 ? tiles.end_of(s - 1) : first);
    if (s == 0 && tiles.first_of_share()) {
      carry.closed = true;
      carry.has_first = has;
      carry.segment = tiles.now().segment;
      if (has) carry.first = slots[end - 1];
    } else {
      out[tiles.segment_at(s)] = has ? op(init.value, slots[end - 1].value) : init.value;
    }
  }
}

/// Writes the results of segments [begin, end), which are empty.
template <class SegmentSize, class Output, class T>
__device__ void write_empty(SegmentSize begin, SegmentSize end, Output out, const T& init) {
  const auto count = static_cast<std::uint64_t>(end - begin);
  for (auto s = static_cast<std::uint64_t>(lane_id()); s < count; s += warp_threads) {
    out[static_cast<SegmentSize>(begin + static_cast<SegmentSize>(s))] = init;
  }
}

}  // namespace evenfold::device
