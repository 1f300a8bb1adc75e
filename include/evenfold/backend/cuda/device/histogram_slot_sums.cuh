#pragma once
// Sums of weights for many bins on a GPU, in the order of the items (balance/weight_chunks.hpp).
//
// The slots of the items and their weights lie range by range (histogram_slots.cuh). The sums of a
// range in a chunk of items belong to one warp, which adds a row of 32 weights at a time: side by
// side where their slots differ, and otherwise those of one slot one after the other. So the work
// of a warp is the number of items of its range, and neighbouring bins, of which some often have
// most of the items, lie in different ranges. Only the weights of a single bin cannot be divided,
// since each sum needs the one before it.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/histogram_slots.cuh"
#include "evenfold/backend/cuda/device/histogram_weights.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// Reads the slots and weights of one range in some tiles, in the order of the items. Used by one
/// warp, whose lanes have the runs of 32 tiles at a time.
template <int Rows, int Tile, class T>
struct weight_reader {
  const slot_run* runs;
  const std::uint16_t* slots;
  const uninitialized<T>* weights;
  std::uint32_t tile, last;  ///< the tiles whose runs have not been opened yet
  std::uint32_t none;        ///< the slot for a lane without an item
  /// For each run of the open tiles that is not empty: where its items lie, less their order.
  std::uint32_t* shift;
  slot_run ahead;
  /// The items of the open tiles, by their order: the first one of the run of this lane, and the
  /// first one of the next lane's run; how many they are, and how many have been read.
  std::uint32_t first = 0, after = 0, total = 0, at = 0;
  int run = -1;  ///< that of the last item that has been read

  __device__ void look_ahead() {
    const std::uint32_t mine = tile + static_cast<std::uint32_t>(lane_id());
    ahead = mine < last ? runs[mine] : slot_run{0, 0};
  }

  __device__ void open_runs() {
    const std::uint32_t size = ahead.count;
    after = warp_inclusive_scan(size, plus{});
    first = after - size;
    total = __shfl_sync(whole_warp, after, warp_threads - 1);
    const unsigned filled = __ballot_sync(whole_warp, size > 0);
    // The lanes have used what was there.
    __syncwarp();
    if (size > 0) {
      shift[__popc(filled & ((1u << lane_id()) - 1))] =
          (tile + static_cast<std::uint32_t>(lane_id())) * Tile + ahead.begin - first;
    }
    __syncwarp();
    at = 0;
    run = -1;
    tile += warp_threads;
    look_ahead();
  }

  /// Reads up to `Rows` rows of 32 items. Returns whether there was one.
  __device__ bool read(std::uint32_t (&slot)[Rows], T (&weight)[Rows]) {
    while (at >= total) {
      if (tile >= last) return false;
      open_runs();
    }
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      // The runs that begin in this row.
      const std::uint32_t from = first - at;
      const unsigned begins =
          __reduce_or_sync(whole_warp, after > first && from < warp_threads ? 1u << from : 0);
      const std::uint32_t k = at + static_cast<std::uint32_t>(lane_id());
      slot[j] = none;
      weight[j] = T{};
      if (k < total) {
        const std::uint32_t place = shift[run + __popc(begins & ((2u << lane_id()) - 1))] + k;
        slot[j] = slots[place];
        weight[j] = weights[place].value;
      }
      run += __popc(begins);
      at += warp_threads;
    }
    return true;
  }
};

/// So many lanes with one slot are added all at once, without a loop over them.
inline constexpr int many_peers = 8;

/// sum + the values of the lanes `peers`, in their order. Each lane has the result.
template <class T>
__device__ T add_peers(T sum, T value, unsigned peers) {
  if constexpr (std::is_floating_point_v<T>) {
    // All values arrive while others are added.
    if (__popc(peers) >= many_peers) {
      constexpr T none = detail::unchanging<plus, T>;
      return add_lanes(sum, peers >> lane_id() & 1 ? value : none, 0, warp_threads);
    }
  }
  for (; peers != 0; peers &= peers - 1) {
    sum = sum + shuffle_from(value, __ffs(static_cast<int>(peers)) - 1);
  }
  return sum;
}

/// Adds the weights of a row, one per lane, to the sums of their slots. Where lanes have one slot,
/// all but one of them repeat it; the slots from `none` on are those of one lane each.
template <class T>
__device__ void add_row(uninitialized<T>* table, std::uint32_t slot, T weight, bool repeats,
                        std::uint32_t none) {
  // A few slots, and those of many lanes, are added to one after the other, with all lanes.
  constexpr int few = 4;
  unsigned left = __ballot_sync(whole_warp, repeats);
  while (left != 0) {
    const std::uint32_t of = __shfl_sync(whole_warp, slot, __ffs(static_cast<int>(left)) - 1);
    const unsigned peers = __ballot_sync(whole_warp, slot == of);
    if (__popc(peers) < many_peers && __popc(left) > few) break;
    const T sum = add_peers(table[of].value, weight, peers);
    __syncwarp();
    if (lane_id() == 0) table[of].value = sum;
    if (slot == of) slot = none + static_cast<std::uint32_t>(lane_id());
    left &= ~peers;
  }
  if (left == 0) {
    table[slot].value = table[slot].value + weight;
    __syncwarp();
  } else {
    add_weights(table, slot, ~0u, weight, lanes_with(slot, 32 - __clz(static_cast<int>(none))));
  }
}

/// The shared memory of a block that sums a range. The sums follow it, and one more for each lane,
/// for items without a bin; and then, for each of them, the number of the last row that had the
/// slot.
struct add_slots_shared {
  std::uint32_t shift[warp_threads];

  template <class T>
  EF_HD static std::size_t bytes(std::uint32_t width) {
    return sizeof(add_slots_shared) + (width + warp_threads) * (sizeof(T) + sizeof(std::uint32_t));
  }
};

/// Writes the sums of range b % ranges and of chunk b / ranges to tables[bin * chunks + first_chunk
/// + chunk], by block b, which is one warp.
template <int Rows, int Tile, class T>
__global__ void __launch_bounds__(warp_threads)
    add_slots_kernel(std::uint32_t tiles, std::uint32_t chunk_tiles, slot_ranges ranges,
                     const slot_run* runs, const std::uint16_t* slots,
                     const uninitialized<T>* weights, std::uint64_t first_chunk,
                     std::uint64_t chunks, uninitialized<T>* tables) {
  auto& shared = shared_as<add_slots_shared>();
  auto* const table = reinterpret_cast<uninitialized<T>*>(&shared + 1);
  const std::uint32_t width = ranges.width();
  auto* const last_row = reinterpret_cast<std::uint32_t*>(table + width + warp_threads);
  const auto lane = static_cast<std::uint32_t>(lane_id());
  const std::uint32_t range = blockIdx.x % ranges.count;
  const std::uint32_t chunk = blockIdx.x / ranges.count;
  for (std::uint32_t k = lane; k < width + warp_threads; k += warp_threads) {
    table[k].value = T{};
    last_row[k] = 0;
  }
  __syncwarp();

  const std::uint32_t first = chunk * chunk_tiles;
  weight_reader<Rows, Tile, T> reader{
      runs + std::uint64_t{range} * tiles, slots,        weights,     first,
      min(first + chunk_tiles, tiles),     width + lane, shared.shift};
  reader.look_ahead();
  std::uint32_t slot[Rows];
  T weight[Rows];
  std::uint32_t row = 0;
  for (bool more = reader.read(slot, weight); more;) {
    std::uint32_t slot_now[Rows];
    T weight_now[Rows];
    bool repeats[Rows];
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      slot_now[j] = slot[j];
      weight_now[j] = weight[j];
    }
    more = reader.read(slot, weight);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      ++row;
      repeats[j] = atomicExch(last_row + slot_now[j], row) == row;
      __syncwarp();
    }
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      add_row(table, slot_now[j], weight_now[j], repeats[j], width);
    }
  }
  for (std::uint32_t k = lane; k < width; k += warp_threads) {
    const std::uint32_t bin = ranges.bin(range << ranges.slot_bits | k);
    if (bin < ranges.bins) tables[bin * chunks + first_chunk + chunk] = table[k];
  }
}

}  // namespace evenfold::device
