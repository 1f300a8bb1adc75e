#pragma once
// The folds of the blocks that a range is cut into (balance/fold_order.hpp), computed by the
// threads of a block.
//
// A warp reads a tile by rows, as wide as possible. Where the operator is commutative, its lanes
// may exchange halves of what they have read (fold_exchange.cuh). Otherwise the warp writes the
// tile to shared memory, from which each lane reads consecutive items: a run of 16, or, where the
// operator is commutative, a half, quarter, ... of one, as fold_by_halves takes it. The lanes of
// the warp, the warps of the block and the tiles of the range are then levels of one binary tree.
//
// Where items are narrow in memory, each lane reads a run of its own instead, and a warp several
// tiles at a time, so that as many bytes are on their way (item_runs.cuh).

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_exchange.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/item_runs.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

template <class Tuning, class T>
struct fold_tiles {
  static constexpr int items = Tuning::items;
  static constexpr int warps = Tuning::threads / warp_threads;
  static_assert((items & (items - 1)) == 0 && items <= detail::fold_run &&
                    (warps & (warps - 1)) == 0,
                "a tuning's threads and items are powers of two, and at most 16 items");
  static constexpr int warp_items = warp_threads * items;
  static constexpr int block_items = warps * warp_items;
  /// The number of values that a lane folds: whole runs from left to right, unless they may be
  /// divided.
  template <class Op>
  static constexpr int lane_items = is_commutative<Op, T> ? items : detail::fold_run;
  /// The number of lanes that fold a tile.
  template <class Op>
  static constexpr int lanes = warp_items / lane_items<Op>;

  struct shared_type {
    /// A lane has one element of padding, which avoids bank conflicts.
    uninitialized<T> tile[warps][warp_items + warp_threads];
    /// The folds of the warps: those of one tile are read while the next ones are written.
    uninitialized<T> warp_fold[2][warps];
  };

  /// Where item `at` of a warp's tile lies, so that the items of a lane are neighbours.
  template <class Op>
  __device__ static unsigned slot(unsigned at) {
    constexpr unsigned parts = detail::fold_run / items;
    if constexpr (is_commutative<Op, T> && parts > 1) {
      // Even positions come before odd ones, at each of the upper levels of the run.
      const unsigned position = at % detail::fold_run;
      unsigned part = 0;
#pragma unroll
      for (unsigned k = 1; k < parts; k *= 2) part = 2 * part + (position / k & 1);
      at += part * items + position / parts - position;
    }
    return at + at / lane_items<Op>;
  }

  /// Where lanes read runs, they read so many bytes at once.
  static constexpr int lane_bytes = 4 * detail::fold_run;
  /// Whether each lane reads a run of its own: where elements have at most 2 bytes in memory, or 4
  /// and would have to pass through shared memory as larger values.
  template <class F, class Op>
  static constexpr bool reads_runs =
      items == detail::fold_run && tile_pack<F, items> >= (sizeof(T) > 4 ? 4 : 8) &&
      reader<F>::item_size * items <= lane_bytes;
  /// How many tiles a warp reads at once.
  template <class F, class Op>
  static constexpr int tiles_at_once = [] {
    if constexpr (reads_runs<F, Op>) {
      return lane_bytes / static_cast<int>(reader<F>::item_size * items);
    } else {
      return 1;
    }
  }();

  /// The runs of the next tiles of a warp, if it has read them ahead.
  struct no_runs {};
  template <class F, class Op>
  using runs_ahead =
      std::conditional_t<reads_runs<F, Op>, item_runs<T, F, items, tiles_at_once<F, Op>>, no_runs>;

  using tile_values = uninitialized<T>[items];
  /// Whether a warp reads its next tile while it folds one and waits for the other warps: where
  /// values take few registers and are known to lie in memory. Runs are read ahead in another
  /// way.
  template <class F>
  static constexpr bool reads_ahead = reader<F>::widest > 1 && sizeof(T) * items <= 64;

  shared_type& shared;
  int next_fold = 0;
  /// The values of the next tile of the warp, if it has read them ahead.
  tile_values ahead;
  bool has_ahead = false;

  __device__ explicit fold_tiles(shared_type& memory) : shared(memory) {}

  /// The fold of the items of one lane of the warp's tile.
  template <class Op>
  __device__ T fold_items(int lane, const Op& op) const {
    const uninitialized<T>* const mine = shared.tile[warp_id()] + lane * (lane_items<Op> + 1);
    return detail::fold_whole_run<T, Op, lane_items<Op>>(&mine->value, op);
  }

  /// Reads the tile of a warp.
  template <class Size, class F>
  __device__ static void load(std::uint64_t base, const F& f, tile_values& values) {
    load_tile<warp_threads, items, T, Size>(base, f, static_cast<unsigned>(lane_id()), values);
  }

  /// The fold of the tile that a warp has read, in all lanes. Calls next() as soon as the values
  /// are not needed any more.
  template <class F, class Op, class Next>
  __device__ T fold_loaded(const tile_values& values, const Op& op, const Next& next) const {
    constexpr int width = tile_pack<F, items>;
    if constexpr (folds_by_exchange<Op, T, items, width>) {
      return fold_by_exchange<width>(values, op, next);
    } else {
      uninitialized<T>* const tile = shared.tile[warp_id()];
      const auto lane = static_cast<unsigned>(lane_id());
#pragma unroll
      for (int j = 0; j < items; ++j) {
        // A row of packs is whole runs.
        constexpr int packs = warp_threads * width;
        constexpr int padded_row = packs + packs / lane_items<Op>;
        tile[j / width * padded_row + slot<Op>(lane * width + j % width)] = values[j];
      }
      next();
      __syncwarp();
      return fold_lanes<exponent_of(lanes<Op>)>(fold_items(lane_id() % lanes<Op>, op), op)
          .all.value;
    }
  }

  /// The fold of the tile of a warp, in all lanes.
  template <class Size, class F, class Op>
  __device__ T fold_whole_tile(std::uint64_t base, const F& f, const Op& op) const {
    tile_values values;
    load<Size>(base, f, values);
    return fold_loaded<F>(values, op, [] {});
  }

  /// Writes the folds of the blocks of a tile that has only `have` items, whole runs.
  template <class Size, class F, class Op>
  __device__ void write_part_of_tile(std::uint64_t base, int have, const F& f, const Op& op,
                                     uninitialized<T>* to) const {
    uninitialized<T>* const tile = shared.tile[warp_id()];
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int at = j * warp_threads + lane_id();
      if (at < have) {
        tile[slot<Op>(static_cast<unsigned>(at))] =
            uninitialized<T>(static_cast<T>(f(static_cast<Size>(base + at))));
      }
    }
    __syncwarp();
    const int full = have / lane_items<Op>;
    const int lane = lane_id() < full ? lane_id() : 0;
    const auto blocks = fold_lanes<exponent_of(lanes<Op>)>(fold_items(lane, op), op);
    if (lane_id() == full) write_blocks_before<exponent_of(lanes<Op>)>(blocks, to);
  }

  /// Appends the folds of tiles from `begin` on to a counter, as many at a time as a warp reads at
  /// once. Returns where they end. The next range is as for write_blocks().
  template <class F, class Op>
  __device__ std::uint64_t append_tiles(std::uint64_t begin, std::uint64_t end, const F& f,
                                        const Op& op, fold_counter<T>& counter,
                                        runs_ahead<F, Op>& runs, std::uint64_t next_begin,
                                        std::uint64_t next_end) {
    using ahead = runs_ahead<F, Op>;
    constexpr int count = tiles_at_once<F, Op>;
    constexpr std::uint64_t step = count * block_items;
    const int warp = uniform_warp_id();
    const auto before = static_cast<std::uint64_t>(warp * count * warp_items);
    const bool shifted = !reader<F>::template aligned<ahead::width>(f);
    if (shifted && !ahead::may_shift) return begin;
    const F from = ahead::aligned_down(f);
    // Packs that are shifted also have some bytes before the first item, which are a part of the
    // same allocation, since it begins at a multiple of 256 bytes, and some after the last item,
    // where the allocation may have ended.
    const std::uint64_t all_end = (end > next_end ? end : next_end) - (shifted ? ahead::width : 0);
    const auto can_read = [=](std::uint64_t at, std::uint64_t at_most) {
      return at + step <= at_most && at + step <= all_end;
    };
    std::uint64_t base = begin;
    for (; can_read(base, end); base += step) {
      if (!runs.present) runs.read(base + before, from, shifted);
      uninitialized<T> fold[count];
#pragma unroll
      for (int t = 0; t < count; ++t) {
        tile_values values;
        runs.convert(f, t, shifted, values);
        fold[t] = uninitialized<T>(detail::fold_whole_run(&values->value, op));
      }
      const bool is_here = can_read(base + step, end);
      const std::uint64_t next = is_here ? base + step : next_begin;
      runs.present = is_here || can_read(next, next_end);
      if (runs.present) runs.read(next + before, from, shifted);
#pragma unroll
      for (int t = 0; t < count; ++t) fold[t] = fold_lanes(fold[t].value, op).all;
      uninitialized<T>* const folds = shared.warp_fold[next_fold];
      if (lane_id() == 0) folds[warp] = uninitialized<T>(fold_blocks<count>(fold, op));
      __syncthreads();
      if (warp == 0) {
        const auto blocks = fold_lanes<exponent_of(warps)>(folds[lane_id() % warps].value, op);
        counter.template append<exponent_of(count)>(blocks.all.value, op);
      }
      next_fold ^= 1;
    }
    return base;
  }

  /// Writes the folds of the blocks that [begin, end) is cut into, from left to right. `end` is a
  /// multiple of 16, and `begin` of the length of all these blocks. Called by the whole block,
  /// which synchronises before it reads what was written. Where it calls this again for a range
  /// that begins at `next_begin` and may have items up to `next_end`, the first tile of that is
  /// read ahead, or where lanes read runs, the first ones, into `runs`.
  template <class Size, class F, class Op>
  __device__ void write_blocks(std::uint64_t begin, std::uint64_t end, const F& f, const Op& op,
                               uninitialized<T>* to, [[maybe_unused]] runs_ahead<F, Op>& runs,
                               std::uint64_t next_begin, std::uint64_t next_end) {
    const int warp = uniform_warp_id();
    fold_counter<T> tiles;
    std::uint64_t base = begin;
    if constexpr (reads_runs<F, Op>) {
      base = append_tiles(begin, end, f, op, tiles, runs, next_begin, next_end);
    }
    for (; base < end; base += block_items) {
      const int have = end - base < block_items ? static_cast<int>(end - base) : block_items;
      const int whole = have / warp_items;
      const int before = warp * warp_items;
      uninitialized<T>* const folds = shared.warp_fold[next_fold];
      if (warp < whole) {
        if (!has_ahead) load<Size>(base + before, f, ahead);
        const T fold = fold_loaded<F>(ahead, op, [&] {
          if constexpr (reads_ahead<F> && !reads_runs<F, Op>) {
            const bool is_here = base + block_items < end;
            const std::uint64_t next = (is_here ? base + block_items : next_begin) + before;
            has_ahead = next + warp_items <= (is_here ? end : next_end);
            if (has_ahead) load<Size>(next, f, ahead);
          }
        });
        if (lane_id() == 0) folds[warp] = uninitialized<T>(fold);
      } else if (before < have) {
        const std::uint64_t tiles_before = (base - begin) / block_items;
        write_part_of_tile<Size>(base + before, have - before, f, op,
                                 to + __popcll(tiles_before) + __popc(whole));
      }
      __syncthreads();
      if (warp == 0 && whole > 0) {
        const int other = lane_id() % warps < whole ? lane_id() % warps : 0;
        const auto blocks = fold_lanes<exponent_of(warps)>(folds[other].value, op);
        if (whole == warps) {
          tiles.append(blocks.all.value, op);
        } else if (lane_id() == whole) {
          write_blocks_before(blocks, to + __popcll(tiles.blocks));
        }
      }
      next_fold ^= 1;
    }
    if (warp == 0) tiles.write(to);
  }
};

}  // namespace evenfold::device
