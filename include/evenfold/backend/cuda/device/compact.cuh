#pragma once
// compact on a GPU: one kernel that reads each item once and emits each kept item once.
//
// A warp loads its part of the tile by rows of 32 items. One ballot per row tells each lane how
// many kept items lie before its own, and the warp stores its kept items without gaps in shared
// memory. Once the block knows how many items are kept before it (look_back.cuh), each warp emits
// its run.

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
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

template <class Tuning, class T, class Size>
struct compact_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  int warp_kept[warps];
  Size warp_from[warps];  // how many are kept before each warp
  uninitialized<T> kept[warps][warp_threads * Tuning::items];
};

template <class Tuning, class T, class Size, class Item, class Keep, class Emit>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    compact_kernel(Size count, Item item, Keep keep, Emit emit, Size* num_kept,
                   published<Size> row) {
  using shared_type = compact_shared<Tuning, T, Size>;
  shared_type& shared = shared_as<shared_type>();
  constexpr int items = Tuning::items;
  constexpr int warps = shared_type::warps;
  constexpr int warp_tile = items * warp_threads;

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
      const unsigned keepers = __ballot_sync(whole_warp, keeps >> j & 1);
      if (keeps >> j & 1) mine[kept + __popc(keepers & ((1u << lane) - 1))] = value[j];
      kept += __popc(keepers);
    }
  }
  if (lane == 0) shared.warp_kept[warp_id()] = kept;
  __syncthreads();

  if (warp_id() == 0) {
    const int of_warp = lane < warps ? shared.warp_kept[lane] : 0;
    const int to_here = warp_inclusive_scan(of_warp, plus{});
    const Size in_tile = static_cast<Size>(__shfl_sync(whole_warp, to_here, warp_threads - 1));
    if (lane == 0) row.publish(tile, in_tile);
    Size before = 0;
    if (tile > 0) {
      before = look_back<Tuning>(row, tile, in_tile, plus{}, false, uninitialized<Size>()).value;
      before = shuffle_from(before, 0);
    }
    if (lane < warps) shared.warp_from[lane] = static_cast<Size>(before + (to_here - of_warp));
    if (lane == 0 && num_kept != nullptr && tile + 1 == gridDim.x) {
      *num_kept = static_cast<Size>(before + in_tile);
    }
  }
  __syncthreads();
  const Size to = shared.warp_from[warp_id()];
  for (int k = lane; k < kept; k += warp_threads) emit(static_cast<Size>(to + k), mine[k].value);
}

}  // namespace device

}  // namespace evenfold
