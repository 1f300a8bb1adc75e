#pragma once
// transform_scan on a GPU: one kernel that reads each value once and writes each result once.
//
// A block loads a tile, folds it, publishes the fold, and looks back for the fold of all tiles
// before its own (look_back.cuh).
//
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVIDIA
// 2016.

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of scan: threads per block, values per thread, tiles per group of the look-back (a
/// multiple of 16), and the number of blocks per multiprocessor that the compiler leaves registers
/// for.
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

template <class Tuning, class T>
struct scan_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  /// The row of a lane has one element of padding, which avoids bank conflicts.
  static constexpr int row = Tuning::items + 1;

  uninitialized<T> warp_total[warps];
  uninitialized<T> prefix;
  uninitialized<T> transposed[warps][warp_threads * row];
};

template <class Tuning, scan_kind Kind, bool HasInit, class T, class Size, class F, class Output,
          class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    scan_kernel(Size count, F f, Output out, Op op, uninitialized<T> init, T* total,
                published<T> row) {
  using shared_type = scan_shared<Tuning, T>;
  shared_type& shared = shared_as<shared_type>();
  constexpr int items = Tuning::items;
  constexpr int warp_tile = items * warp_threads;
  constexpr std::uint64_t tile_items = Tuning::threads * items;

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
  const Size from = static_cast<Size>(base);
  {
    uninitialized<T> value[items];
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int at = j * warp_threads + lane;
      const Size index = at < filled ? static_cast<Size>(from + at) : static_cast<Size>(count - 1);
      value[j] = uninitialized<T>(static_cast<T>(f(index)));
    }
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int at = j * warp_threads + lane;
      transposed[at + at / items] = value[j];
    }
  }
  __syncwarp();
  uninitialized<T>* mine = transposed + lane * (items + 1);
  T fold = mine[0].value;
#pragma unroll
  for (int k = 1; k < items; ++k) fold = op(fold, mine[k].value);
  const scanned<T> threads = block_scan<Tuning::threads>(fold, shared.warp_total, op);

  if (warp_id() == 0) {
    if (lane == 0) row.publish(tile, threads.total);
    if (HasInit || tile > 0) {
      const uninitialized<T> prefix =
          look_back<Tuning>(row, tile, threads.total, op, HasInit, init);
      if (lane == 0) shared.prefix = prefix;
    }
  }
  __syncthreads();

  // The fold of everything before this thread, where there is anything.
  const bool has_prefix = HasInit || tile > 0;
  uninitialized<T> running = threads.before;
  bool has_running = threadIdx.x > 0;
  if (has_prefix) {
    running =
        has_running ? uninitialized<T>(op(shared.prefix.value, running.value)) : shared.prefix;
    has_running = true;
  }
  // The index of the last value of all, where it belongs to this thread.
  const int final_item = total != nullptr && tile + 1 == gridDim.x
                             ? static_cast<int>(last - 1 - base) - lane * items
                             : items;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const uninitialized<T> value = mine[k];
    const uninitialized<T> next =
        k > 0 || has_running ? uninitialized<T>(op(running.value, value.value)) : value;
    if (k == final_item) *total = next.value;
    mine[k] = Kind == scan_kind::inclusive ? next : running;
    running = next;
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int at = j * warp_threads + lane;
    if (at < filled) out[from + at] = transposed[at + at / items].value;
  }
}

}  // namespace device

}  // namespace evenfold
