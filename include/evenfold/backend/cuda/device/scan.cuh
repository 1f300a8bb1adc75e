#pragma once
// transform_scan on a GPU: one kernel that reads each value once and writes each result once.
//
// A block loads a tile, folds it, publishes the fold, and looks back for the fold of all tiles
// before its own (thread_prefixes.cuh).
//
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVIDIA
// 2016.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_look_back.cuh"
#include "evenfold/backend/cuda/device/prefetch.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/device/thread_prefixes.cuh"
#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of scan: threads per block, values per thread, tiles per group of the look-back (a
/// multiple of 16), and the number of blocks per multiprocessor that the compiler leaves registers
/// for. In the canonical order groups have 16 tiles, and a tile is a block of that order: the other
/// two numbers are powers of two, and there are at least 16 values per thread.
template <int Threads = 384, int Items = 32, int Group = 16, int Blocks = 3>
struct scan_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int group = Group;
  static constexpr int blocks = Blocks;
};

namespace device {

/// Writes one value from the device, in stream order.
template <class T>
struct store_value {
  T value;
  T* to;
  __host__ __device__ void operator()(int) const { *to = value; }
};

/// The number of values that a thread loads at once: 128 bytes, so that many are in flight.
template <class T>
inline constexpr int scan_batch = sizeof(T) <= 4    ? 32
                                  : sizeof(T) <= 8  ? 16
                                  : sizeof(T) <= 16 ? 8
                                  : sizeof(T) <= 32 ? 4
                                  : sizeof(T) <= 64 ? 2
                                                    : 1;

/// Row by row, which of the `Items` * 32 items of the tile of a warp the lane reads or writes. With
/// `WholeLines` the first row begins `before` items before the tile; its lanes there have the last
/// items instead.
template <int Items, bool WholeLines>
struct rows_of_tile {
  static constexpr int tile = Items * warp_threads;
  static constexpr bool turns = WholeLines && warp_threads % Items == 0;

  int first, first_slot;
  __device__ explicit rows_of_tile(int before)
      : first(lane_id() - (turns ? before : 0)), first_slot(slot_of(first)) {}
  /// The item in row j.
  __device__ int item(int j) const {
    return first + j * warp_threads + (turns && j == 0 && first < 0 ? tile : 0);
  }
  /// Where it lies in shared memory; each lane has one element of padding.
  __device__ int slot(int j) const {
    if constexpr (turns) {
      constexpr int row = warp_threads + warp_threads / Items;
      return first_slot + j * row + (j == 0 && first < 0 ? Items * row : 0);
    } else {
      return slot_of(item(j));
    }
  }

 private:
  __device__ static int slot_of(int item) {
    // Rounds down, also below zero.
    return item + (item + tile) / Items - warp_threads;
  }
};

/// How many elements after a whole number of rows in memory output `at` lies, where it is known.
template <class Output>
__device__ int place_of_output(const Output& out, std::uint64_t at) {
  if constexpr (std::is_pointer_v<Output>) {
    return place_in_row(out + at);
  } else {
    return 0;
  }
}

template <class Tuning, class T>
struct scan_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  /// The row of a lane has one element of padding, which avoids bank conflicts.
  static constexpr int row = Tuning::items + 1;

  prefix_shared<Tuning::threads, T> prefixes;
  uninitialized<T> transposed[warps][warp_threads * row];
};

template <class Tuning, scan_kind Kind, bool HasInit, class T, class Size, class F, class Output,
          class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    scan_kernel(Size count, F f, Output out, Op op, uninitialized<T> init, T* total,
                published<T> row) {
  scan_shared<Tuning, T>& shared = shared_as<scan_shared<Tuning, T>>();
  constexpr bool in_order = !detail::is_exact_fold<Op, T>;
  constexpr int items = Tuning::items;
  // In the canonical order, whole lines of longer values take more registers than they gain.
  constexpr bool whole_lines = !in_order || sizeof(T) <= 4;
  constexpr int warp_tile = items * warp_threads;
  constexpr int tile_items = Tuning::threads * items;

  const std::uint64_t tile = blockIdx.x;
  const std::uint64_t base = tile * tile_items + warp_id() * warp_tile;
  const std::uint64_t last = static_cast<std::uint64_t>(count);
  const int lane = lane_id();
  const int filled = base >= last              ? 0
                     : last - base < warp_tile ? static_cast<int>(last - base)
                                               : warp_tile;
  uninitialized<T>* transposed = shared.transposed[warp_id()];

  // Load by rows of 32; each lane folds consecutive values. The values stay in shared memory while
  // the block looks back, so that it holds few registers and many blocks can wait at once. Values
  // past the end repeat the last one, which can be folded and reaches no result.
  constexpr int batch = items < scan_batch<T> ? items : scan_batch<T>;
  const rows_of_tile<items, whole_lines> reads(reader<F>::place_in_row(f, base));
#pragma unroll
  for (int begin = 0; begin < items; begin += batch) {
    uninitialized<T> value[batch];
#pragma unroll
    for (int j = begin; j < begin + batch && j < items; ++j) {
      const int at = reads.item(j);
      value[j - begin] = uninitialized<T>(static_cast<T>(
          f(at < filled ? static_cast<Size>(base + at) : static_cast<Size>(count - 1))));
    }
    if (begin == 0) prefetch_ahead<tile_items, warp_tile, sizeof(T)>(f, base);
#pragma unroll
    for (int j = begin; j < begin + batch && j < items; ++j) {
      transposed[reads.slot(j)] = value[j - begin];
    }
  }
  __syncwarp();
  uninitialized<T>* mine = transposed + lane * (items + 1);
  const growing_fold<T> before_all{HasInit, init};
  const auto prefixes = [&] {
    if constexpr (in_order) {
      constexpr int run = detail::fold_run;
      static_assert(items % run == 0, "where the order matters, items are a multiple of 16");
      uninitialized<T> block[items / run];
#pragma unroll
      for (int r = 0; r < items / run; ++r) {
        block[r] = uninitialized<T>(detail::fold_whole_run(&mine[r * run].value, op));
      }
      return canonical_prefixes(block, shared.prefixes, row, plain_runs<Op>{op}, op, before_all);
    } else {
      T fold = mine[0].value;
#pragma unroll
      for (int k = 1; k < items; ++k) fold = op(fold, mine[k].value);
      return exact_prefixes<Tuning>(fold, shared.prefixes, row, op, before_all);
    }
  }();

  // The index of the last value of all, where it belongs to this thread.
  const int final_item = total != nullptr && tile + 1 == gridDim.x
                             ? static_cast<int>(last - 1 - base) - lane * items
                             : items;
  growing_fold<T> running = prefixes.before;
  growing_fold<T> before_run, in_run;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    growing_fold<T> next = running;
    if constexpr (in_order) {
      const int item = k % detail::fold_run;
      if (item == 0) {
        before_run = running;
        in_run.has = false;
      }
      if (item < detail::fold_run - 1) {
        in_run.append(mine[k], op);
        next = before_run;
        next.append(in_run.value, op);
      } else {
        next = {true, prefixes.after_run[k / detail::fold_run]};
      }
    } else {
      next.append(mine[k], op);
    }
    if (k == final_item) *total = next.value.value;
    mine[k] = Kind == scan_kind::inclusive ? next.value : running.value;
    running = next;
  }
  __syncwarp();
  const rows_of_tile<items, whole_lines> writes(place_of_output(out, base));
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int at = writes.item(j);
    if (at < filled) out[static_cast<Size>(base + at)] = transposed[writes.slot(j)].value;
  }
}

}  // namespace device

}  // namespace evenfold
