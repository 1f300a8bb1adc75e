#pragma once
// transform_scan on a GPU: one kernel that reads each value once and writes each result once.
//
// A block loads a tile, folds it and publishes the fold, then looks back for the fold of everything
// before it (look_back.cuh).
//
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVIDIA
// 2016.

#include <concepts>

#include "evenfold/backend/cuda/block.cuh"
#include "evenfold/backend/cuda/context.cuh"
#include "evenfold/backend/cuda/look_back.cuh"
#include "evenfold/backend/cuda/transform.cuh"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

/// Launch tuning of scan: threads a block, values a thread, tiles a group of the look-back (a
/// multiple of 16), and blocks a multiprocessor that the compiler leaves registers for.
template <int Threads = 384, int Items = 32, int Group = 16, int Blocks = 3>
struct scan_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int group = Group;
  static constexpr int blocks = Blocks;
};

namespace device {

/// Writes one value from the device, where the host cannot.
template <class T>
struct store_value {
  T value;
  T* to;
  __host__ __device__ void operator()(int) const { *to = value; }
};

template <class Tuning, class T>
struct scan_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  /// One element of padding a row keeps a lane's consecutive items off its neighbours' banks.
  static constexpr int row = Tuning::items + 1;

  maybe<T> warp_total[warps];
  maybe<T> prefix;
  maybe<T> transposed[warps][warp_threads * row];
};

template <class Tuning, scan_kind Kind, bool HasInit, class T, class Size, class F, class Output,
          class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    scan_kernel(Size count, F f, Output out, Op op, maybe<T> init, T* total, published<T> row) {
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
  maybe<T>* transposed = shared.transposed[warp_id()];

  // Load by rows of 32, fold by lanes of consecutive values. They stay in shared memory while the
  // block looks back, so that few registers are held and many blocks can wait at once. Values past
  // the end repeat the last one: they can be folded like any other and reach no result.
  const Size from = static_cast<Size>(base);
  {
    maybe<T> value[items];
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int at = j * warp_threads + lane;
      const Size index = at < filled ? static_cast<Size>(from + at) : static_cast<Size>(count - 1);
      value[j] = maybe<T>(static_cast<T>(f(index)));
    }
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int at = j * warp_threads + lane;
      transposed[at + at / items] = value[j];
    }
  }
  __syncwarp();
  maybe<T>* mine = transposed + lane * (items + 1);
  T fold = mine[0].value;
#pragma unroll
  for (int k = 1; k < items; ++k) fold = op(fold, mine[k].value);
  const scanned<T> threads = block_scan<Tuning::threads>(fold, shared.warp_total, op);

  if (warp_id() == 0) {
    if (lane == 0) row.publish(tile, threads.total);
    if (HasInit || tile > 0) {
      const maybe<T> prefix = look_back<Tuning>(row, tile, threads.total, op, HasInit, init);
      if (lane == 0) shared.prefix = prefix;
    }
  }
  __syncthreads();

  // The fold of everything before this thread, where there is anything.
  const bool has_prefix = HasInit || tile > 0;
  maybe<T> running = threads.before;
  bool has_running = threadIdx.x > 0;
  if (has_prefix) {
    running = has_running ? maybe<T>(op(shared.prefix.value, running.value)) : shared.prefix;
    has_running = true;
  }
  // The last value of all, where it is this thread's.
  const int final_item = total != nullptr && tile + 1 == gridDim.x
                             ? static_cast<int>(last - 1 - base) - lane * items
                             : items;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const maybe<T> value = mine[k];
    const maybe<T> next = k > 0 || has_running ? maybe<T>(op(running.value, value.value)) : value;
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

namespace backend {

template <scan_kind Kind, class Tuning, std::integral Size, class F, class Output, class Op,
          class Init, class T>
void transform_scan(cuda_context& ctx, Size count, F f, Output out, Op op, Init init, T* total) {
  using device::maybe;
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  // 128 bytes a thread, so that a multiprocessor holds many tiles while they look back.
  constexpr int items = sizeof(T) <= 4 ? 32 : sizeof(T) <= 32 ? 128 / sizeof(T) : 4;
  constexpr int threads = sizeof(T) <= 16 ? 384 : 128;
  using tuning = tuning_or<Tuning, scan_tuning<threads, items>>;
  using shared_type = device::scan_shared<tuning, T>;
  maybe<T> start;
  if constexpr (has_init) start.value = init;

  if (count == 0) {
    if (has_init && total != nullptr) {
      backend::transform<default_tuning>(
          ctx, 1, device::store_value<maybe<T>>{start, reinterpret_cast<maybe<T>*>(total)});
    }
    return;
  }
  const std::size_t tiles =
      ceil_div(static_cast<std::size_t>(count), tuning::threads * tuning::items);
  device::published_row<T> row(ctx, device::look_back_places<tuning>(tiles));
  ctx.launch("transform_scan", device::scan_kernel<tuning, Kind, has_init, T, Size, F, Output, Op>,
             tiles, tuning::threads, sizeof(shared_type), count, f, out, op, start, total,
             row.view());
}

}  // namespace backend
}  // namespace evenfold
