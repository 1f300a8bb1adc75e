#pragma once
// transform_lbs on a GPU: each warp walks an equal share of the items and segments
// (segment_tiles.cuh).

#include <type_traits>

#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of transform_lbs: threads per block, slots for items per lane, the largest number
/// of window entries per lane, and the largest number of blocks per multiprocessor: fewer blocks
/// write to fewer regions of memory at a time.
template <int Threads = 256, int Items = 32, int Rows = 8, int Blocks = 4>
struct transform_lbs_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int rows = Rows;
  static constexpr int blocks = Blocks;
  static constexpr bool finds_segments = true;
};

namespace device {

/// Whether f is known to write one result per item to memory, in order, and nothing else.
template <class F>
inline constexpr bool writes_results = false;
template <class Value, class Result>
inline constexpr bool writes_results<write_result<Value, Result*>> = true;

/// Calls f for each item of a tile.
template <class Tuning, class Tiles, class F>
__device__ void call_tile(const Tiles& tiles, const F& f) {
  if (tiles.now().first() == 0 && tiles.last() == Tiles::tile) {
#pragma unroll 4
    for (int j = 0; j < Tuning::items; ++j) {
      tiles.call(f, j * warp_threads + lane_id());
    }
  } else {
    for (int slot = tiles.now().first() + lane_id(); slot < tiles.last(); slot += warp_threads) {
      tiles.call(f, slot);
    }
  }
}

/// The same where f writes one result per item in order: a thread writes 16 bytes of consecutive
/// results at once, and looks up their segments together. Packs that only partly belong to the tile
/// are written item by item.
template <class Tuning, class Tiles, class Value, class Result>
  requires(sizeof(Result) <= 8 && widest_pack<Result> > 1)
__device__ void call_tile(const Tiles& tiles, const write_result<Value, Result*>& f) {
  constexpr int wide = widest_pack<Result>;
  Result* out = f.out + tiles.now().base;
  const int first = tiles.now().first();
  const int last = tiles.last();
  const auto write_pack = [&](int slot) {
    int boundaries[wide];
    tiles.boundaries_at(slot, boundaries);
    pack<Result, wide> results;
#pragma unroll
    for (int n = 0; n < wide; ++n) {
      results.value[n] =
          uninitialized<Result>(static_cast<Result>(tiles.call(f.value, slot + n, boundaries[n])));
    }
    // Streaming stores: cache lines are then written back in order, which is faster.
    store_pack(out + slot, results);
  };
  if (!lies_at_multiple(out, widest_access)) {
    call_tile<Tuning, Tiles, write_result<Value, Result*>>(tiles, f);
  } else if (first == 0 && last == Tiles::tile) {
#pragma unroll 4
    for (int j = 0; j < Tuning::items / wide; ++j) {
      write_pack((j * warp_threads + lane_id()) * wide);
    }
  } else {
    for (int slot = lane_id() * wide; slot < last; slot += warp_threads * wide) {
      if (slot >= first && slot + wide <= last) {
        write_pack(slot);
      } else {
        for (int n = max(slot, first); n < min(slot + wide, last); ++n) tiles.call(f, n);
      }
    }
  }
}

/// The same where f writes each result to a position of its own: a thread reads several values
/// before it writes the first result.
template <class Tuning, class Tiles, class Value, class Place, class Output>
__device__ void call_tile(const Tiles& tiles, const scatter_result<Value, Place, Output>& f) {
  using result = std::remove_cvref_t<decltype(tiles.call(f.value, 0, 0))>;
  using index = decltype(tiles.call(f.target, 0, 0));
  constexpr int batch =
      detail::greatest_common_divisor(Tuning::items, sizeof(result) <= 8 ? 16 : 4);
  if (tiles.now().first() == 0 && tiles.last() == Tiles::tile) {
    for (int j = 0; j < Tuning::items; j += batch) {
      uninitialized<result> values[batch];
      index positions[batch];
#pragma unroll
      for (int n = 0; n < batch; ++n) {
        const int slot = (j + n) * warp_threads + lane_id();
        int boundaries[1];
        tiles.boundaries_at(slot, boundaries);
        values[n] = uninitialized<result>(tiles.call(f.value, slot, boundaries[0]));
        positions[n] = tiles.call(f.target, slot, boundaries[0]);
      }
#pragma unroll
      for (int n = 0; n < batch; ++n) f.out[positions[n]] = values[n].value;
    }
  } else {
    call_tile<Tuning, Tiles, scatter_result<Value, Place, Output>>(tiles, f);
  }
}

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached>
__global__ void __launch_bounds__(Tuning::threads)
    transform_lbs_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                         Cached cached, warp_shares shares) {
  using tiles_type = segment_tiles<Tuning, Size, Offsets, SegmentSize, Cached>;
  using shared_type = typename tiles_type::shared_type;
  shared_type& shared = shared_as<shared_type>();

  tiles_type tiles(segments, cached, shares, shared);
  while (!tiles.done()) {
    tiles.open_tile();
    if (tiles.last() == tiles.now().first()) tiles.skip_empty();
    call_tile<Tuning>(tiles, f);
    tiles.close_tile();
  }
}

}  // namespace device

}  // namespace evenfold
