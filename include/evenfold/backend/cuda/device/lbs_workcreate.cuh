#pragma once
// lbs_workcreate on a GPU: one kernel. Each warp walks an equal share of the items and segments
// (segment_tiles.cuh) and stores its new items without gaps in scratch memory, from the index of
// the first item of its share on. Then the block publishes how many items its warps have created,
// waits for the numbers of the blocks before it, and moves its items to the output. All blocks are
// resident at once, so that no block waits for one that has not started.

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/balance/segments.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of lbs_workcreate: threads per block, slots for items per lane, the largest number
/// of window entries per lane, and for how many rows of items a warp calls f before it stores
/// results.
template <int Threads = 256, int Items = 32, int Rows = 8, int Batch = 4>
struct lbs_workcreate_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int rows = Rows;
  static constexpr int batch = Batch;
  static constexpr bool finds_segments = true;
};

namespace device {

template <class Tiles, class Size>
struct workcreate_shared {
  typename Tiles::shared_type tiles;
  uninitialized<Size> created[Tiles::warps];
  uninitialized<Size> fold_scratch[Tiles::warps];
  Size before;
};

/// Calls f for the items of a tile and stores the new items in `to`. Returns their number.
template <class Tuning, class Tiles, class F, class T>
__device__ int create_in_tile(const Tiles& tiles, const F& f, T* to) {
  constexpr int batch = Tuning::batch;
  const int first = tiles.now().first();
  const int last = tiles.last();
  int created = 0;
  for (int row = first - first % warp_threads; row < last; row += batch * warp_threads) {
    uninitialized<T> item[batch];
    bool is_new[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const int slot = row + j * warp_threads + lane_id();
      is_new[j] = false;
      if (slot >= first && slot < last) {
        const auto made = tiles.call(f, slot);
        is_new[j] = made.has_value();
        if (is_new[j]) item[j] = uninitialized<T>(*made);
      }
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const unsigned makers = __ballot_sync(whole_warp, is_new[j]);
      if (is_new[j]) to[created + __popc(makers & ((1u << lane_id()) - 1))] = item[j].value;
      created += __popc(makers);
    }
  }
  return created;
}

template <class Tuning, class Size, class F, class Offsets, class SegmentSize, class Cached,
          class T>
__global__ void __launch_bounds__(Tuning::threads)
    lbs_workcreate_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                          Cached cached, warp_shares shares, T* scratch, T* out, Size* num_created,
                          published<Size> row) {
  using tiles_type = segment_tiles<Tuning, Size, Offsets, SegmentSize, Cached>;
  auto& shared = shared_as<workcreate_shared<tiles_type, Size>>();

  tiles_type tiles(segments, cached, shares, shared.tiles);
  T* const mine = scratch + tiles.now().item;
  Size created = 0;
  while (!tiles.done()) {
    tiles.open_tile();
    created += static_cast<Size>(create_in_tile<Tuning>(tiles, f, mine + created));
    tiles.close_tile();
  }
  if (lane_id() == 0) shared.created[warp_id()] = uninitialized<Size>(created);
  __syncthreads();

  Size before_warp = 0;
  Size of_block = 0;
  for (int w = 0; w < tiles_type::warps; ++w) {
    if (w == warp_id()) before_warp = of_block;
    of_block += shared.created[w].value;
  }
  if (threadIdx.x == 0) row.publish(blockIdx.x, of_block);
  Size earlier = 0;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += Tuning::threads) {
    uninitialized<Size> of_other[1];
    row.wait(
        1, [=](int) { return b; }, of_other);
    earlier += of_other[0].value;
  }
  earlier = block_fold<Tuning::threads>(earlier, Tuning::threads, shared.fold_scratch, plus{});
  if (threadIdx.x == 0) {
    shared.before = earlier;
    if (num_created != nullptr && blockIdx.x + 1 == gridDim.x) *num_created = earlier + of_block;
  }
  __syncthreads();
  T* const to = out + (shared.before + before_warp);
  // The last step may lead beyond the largest number of a narrow type.
  for (decltype(+created) k = lane_id(); k < created; k += warp_threads) to[k] = mine[k];
}

}  // namespace device

}  // namespace evenfold
