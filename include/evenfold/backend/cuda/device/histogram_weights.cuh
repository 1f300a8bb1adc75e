#pragma once
// Sums of weights of a histogram on a GPU, in the order of balance/weight_chunks.hpp, which matters
// for floating-point numbers, so that nothing is atomic.
//
// A block takes chunks in turn. The warps of a block take turns at adding to the table, and the
// first of the lanes that have the same bin adds their weights in the order of lanes. The smaller
// the tables, the fewer warps share one, down to a single warp. The tables of all chunks are
// written side by side, bin by bin, and folded.
//
// For many bins the items are first sorted, so that warps do not wait for each other: by range of
// bins (histogram_slot_sums.cuh), or, for any number of bins, by chunk and bin, so that the weights
// of one sum follow each other.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/histogram.cuh"
#include "evenfold/backend/cuda/device/reduce.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/bin_number.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// The items of a warp's tile that are in a bin.
template <int Items>
struct alignas(16) histogram_queue {
  static constexpr int tile = Items * warp_threads;

  std::uint16_t slot[tile];
  std::uint16_t offset[tile];

  /// Appends the items of the lanes that are inside; returns the new size of the queue.
  __device__ int push(int queued, bool inside, std::uint32_t at_slot, int at_offset) {
    const unsigned mask = __ballot_sync(whole_warp, inside);
    if (inside) {
      const int at = queued + __popc(mask & ((1u << lane_id()) - 1));
      slot[at] = static_cast<std::uint16_t>(at_slot);
      offset[at] = static_cast<std::uint16_t>(at_offset);
    }
    return queued + __popc(mask);
  }
};

/// Adds the weights of the lanes to the sums of their slots: those of one slot in the order of
/// lanes, by the first of them, or in any order where this gives the same bits. `peers` are the
/// lanes with the same slot; slots from `width` on have no sum.
template <class T>
__device__ void add_weights(uninitialized<T>* table, std::uint32_t slot, std::uint32_t width,
                            T weight, unsigned peers) {
  const bool adds = slot < width && __ffs(static_cast<int>(peers)) - 1 == lane_id();
  if constexpr (detail::is_exact_fold<plus, T>) {
    weight = fold_peers(weight, peers);
    if (adds) table[slot].value = table[slot].value + weight;
  } else {
    T sum = weight;
    if (adds) sum = table[slot].value + weight;
    unsigned later = adds ? peers & 0xfffffffeu << lane_id() : 0;
    while (__any_sync(whole_warp, later != 0)) {
      const int next = __ffs(static_cast<int>(later)) - 1;
      const T other = shuffle_from(weight, next < 0 ? lane_id() : next);
      if (next >= 0) sum = sum + other;
      later &= later - 1;
    }
    if (adds) table[slot].value = sum;
  }
  __syncwarp();
}

/// Writes the table of chunk c, of `length` items, to tables[bin * chunks + c].
template <int Items, class T, class Size, class F, class Weight>
__global__ void __launch_bounds__(512)
    histogram_weight_kernel(Size count, std::uint32_t bins, std::uint64_t length, F f,
                            Weight weight, uninitialized<T>* tables) {
  using queue_type = histogram_queue<Items>;
  constexpr int tile = queue_type::tile;
  const int warps = static_cast<int>(blockDim.x) / warp_threads;
  queue_type* const queues = &shared_as<queue_type>();
  const int warp = uniform_warp_id();
  queue_type& queue = queues[warp];
  auto* const table = reinterpret_cast<uninitialized<T>*>(queues + warps);
  const histogram_share share(bins, 1);
  const int bits = 32 - __clz(static_cast<int>(share.width));

  const auto total = static_cast<std::uint64_t>(count);
  const std::uint64_t chunks = detail::ceil_div(total, length);
  for (std::uint64_t chunk = share.slice; chunk < chunks; chunk += share.slices) {
    for (std::uint32_t k = threadIdx.x; k < share.width; k += blockDim.x) table[k].value = T{};
    const std::uint64_t begin = chunk * length;
    const std::uint64_t end = total - begin < length ? total : begin + length;
    for (std::uint64_t block_base = begin; block_base < end;
         block_base += static_cast<std::uint64_t>(warps * tile)) {
      const std::uint64_t base = block_base + static_cast<std::uint64_t>(warp * tile);
      // Items that are in no bin are not queued.
      int queued = 0;
      std::uint32_t slot[Items];
#pragma unroll
      for (int j = 0; j < Items; ++j) {
        const std::uint64_t i = base + static_cast<std::uint64_t>(lane_id() + j * warp_threads);
        slot[j] = i < end ? share.slot(f(static_cast<Size>(i)), bins) : share.width;
      }
#pragma unroll
      for (int j = 0; j < Items; ++j) {
        queued = queue.push(queued, slot[j] < share.width, slot[j], lane_id() + j * warp_threads);
      }
      if (!__syncthreads_or(queued > 0)) continue;
      uninitialized<T> value[Items];
      unsigned peers[Items];
#pragma unroll
      for (int j = 0; j < Items; ++j) {
        const int at = j * warp_threads + lane_id();
        slot[j] = share.width;
        value[j].value = T{};
        if (at < queued) {
          slot[j] = queue.slot[at];
          value[j].value = static_cast<T>(weight(static_cast<Size>(base + queue.offset[at])));
        }
      }
#pragma unroll
      for (int j = 0; j < Items; ++j) {
        if (j * warp_threads < queued) peers[j] = lanes_with(slot[j], bits);
      }
      for (int turn = 0; turn < warps; ++turn) {
        if (turn == warp) {
#pragma unroll
          for (int j = 0; j < Items; ++j) {
            if (j * warp_threads >= queued) break;
            add_weights(table, slot[j], share.width, value[j].value, peers[j]);
          }
        }
        __syncthreads();
      }
    }
    __syncthreads();
    for (std::uint32_t k = threadIdx.x; k < share.width; k += blockDim.x) {
      tables[(share.first + k) * chunks + chunk] = table[k];
    }
    __syncthreads();
  }
}

/// Writes the weight of item first + k, and a number for its chunk and bin: those of the first
/// chunk come first, and `none` comes last. Chunks have 2^length_bits items.
template <class T, class Size, class F, class Weight>
struct key_weight {
  Size first;
  std::uint32_t bins, none;
  int length_bits;
  F f;
  Weight weight;
  std::uint32_t* keys;
  uninitialized<T>* weights;

  __device__ void operator()(std::uint32_t k) const {
    const auto i = static_cast<Size>(first + static_cast<Size>(k));
    const std::uint32_t bin = detail::bin_or_none(f(i), bins);
    const auto chunk = static_cast<std::uint32_t>(std::uint64_t{k} >> length_bits);
    keys[k] = bin < bins ? chunk * bins + bin : none;
    weights[k].value = bin < bins ? static_cast<T>(weight(i)) : T{};
  }
};

/// The index of the first of the sorted keys from `begin` on that is not `key`. The warp reads 32
/// keys at a time, at distances that grow 32 times as long as all are equal, and then shrink again.
__device__ inline std::uint32_t end_of_run(const std::uint32_t* keys, std::uint32_t begin,
                                           std::uint32_t count, std::uint32_t key) {
  std::uint64_t at = begin;
  for (std::uint64_t step = 1;;) {
    const std::uint64_t probe = at + static_cast<std::uint64_t>(lane_id()) * step;
    const int equal = __popc(__ballot_sync(whole_warp, probe < count && keys[probe] == key));
    if (equal > 0) at += static_cast<std::uint64_t>(equal - 1) * step + 1;
    if (equal == warp_threads) {
      step *= warp_threads;
    } else if (step == 1) {
      return static_cast<std::uint32_t>(at);
    } else {
      step /= warp_threads;
    }
  }
}

/// sum + the values of lanes [begin, end), in their order. Each lane has the result.
template <class T>
__device__ T add_lanes(T sum, T value, int begin, int end) {
  if (end - begin == warp_threads) {
    // Unrolled, so that the values arrive while the sums before them are computed.
#pragma unroll
    for (int lane = 0; lane < warp_threads; ++lane) sum = sum + shuffle_from(value, lane);
  } else {
    for (int lane = begin; lane < end; ++lane) sum = sum + shuffle_from(value, lane);
  }
  return sum;
}

/// Adds the weights of each run of equal keys, in their order, to the sum of its chunk and bin. A
/// warp takes the runs that begin at 32 keys: first, side by side, those that end there, too, and
/// then the last one, which may have any length, with all lanes.
template <class T>
__global__ void __launch_bounds__(256)
    histogram_runs_kernel(const std::uint32_t* keys, const uninitialized<T>* weights,
                          std::uint32_t count, std::uint32_t bins, std::uint32_t none,
                          std::uint64_t first_chunk, std::uint64_t chunks,
                          uninitialized<T>* tables) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t key = k < count ? keys[k] : none;
  const T weight = key == none ? T{} : weights[k].value;
  std::uint32_t before = __shfl_up_sync(whole_warp, key, 1);
  if (lane_id() == 0 && k > 0 && k < count) before = keys[k - 1];
  const bool begins = k == 0 || key != before;
  const unsigned starts = __ballot_sync(whole_warp, begins);
  if (starts == 0) return;
  const auto sum_of = [&](std::uint32_t of) -> T& {
    return tables[std::uint64_t{of % bins} * chunks + first_chunk + of / bins].value;
  };

  const int last = warp_threads - 1 - __clz(static_cast<int>(starts));
  const bool ends = begins && lane_id() < last && key != none;
  const int next = __ffs(static_cast<int>(starts & 0xfffffffeu << lane_id())) - 1;
  const int length = ends ? next - lane_id() : 0;
  T sum = weight;
  if (ends) sum = sum_of(key) + weight;
  for (int step = 1; __any_sync(whole_warp, step < length); ++step) {
    const T other = shuffle_from(weight, (lane_id() + step) % warp_threads);
    if (step < length) sum = sum + other;
  }
  if (ends) sum_of(key) = sum;

  const std::uint32_t last_key = __shfl_sync(whole_warp, key, last);
  if (last_key == none) return;
  std::uint32_t at = warp_uniform(k) + warp_threads;
  const std::uint32_t end = end_of_run(keys, at, count, last_key);
  // The rows of lanes that are read ahead: they arrive while others are added.
  constexpr int rows = 4;
  T ahead[rows];
  const auto read = [&](std::uint32_t first) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const std::uint64_t i =
          std::uint64_t{first} + static_cast<std::uint64_t>(row * warp_threads + lane_id());
      ahead[row] = i < end ? weights[i].value : T{};
    }
  };
  read(at);
  sum = add_lanes(sum_of(last_key), weight, last, warp_threads);
  while (at < end) {
    T now[rows];
#pragma unroll
    for (int row = 0; row < rows; ++row) now[row] = ahead[row];
    const std::uint32_t left = end - at;
    read(at + rows * warp_threads);
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const auto first = static_cast<std::uint32_t>(row * warp_threads);
      if (first < left) {
        sum =
            add_lanes(sum, now[row], 0,
                      static_cast<int>(left - first < warp_threads ? left - first : warp_threads));
      }
    }
    if (left <= rows * warp_threads) break;
    at += rows * warp_threads;
  }
  if (lane_id() == 0) sum_of(last_key) = sum;
}

/// out[bin] = the fold of the sums of its chunks, a run or fewer.
template <class T>
struct fold_few_chunks {
  const uninitialized<T>* tables;
  int chunks;
  T* out;

  __device__ void operator()(std::uint32_t bin) const {
    constexpr int run = detail::fold_run;
    const uninitialized<T>* const sums = tables + std::uint64_t{bin} * chunks;
    uninitialized<T> value[run];
#pragma unroll
    for (int k = 0; k < run; ++k) {
      if (k < chunks) value[k] = sums[k];
    }
    T fold = chunks > 0 ? value[0].value : T{};
    if (chunks == run) {
      fold = detail::fold_whole_run(&value->value, plus{});
    } else {
#pragma unroll
      for (int k = 1; k < run; ++k) {
        if (k < chunks) fold = fold + value[k].value;
      }
    }
    out[bin] = chunks > 0 ? T{} + fold : fold;
  }
};

/// out[bin] = the fold of the sums of its chunks.
template <class Tuning, class T>
__global__ void __launch_bounds__(Tuning::threads)
    histogram_sum_kernel(std::uint32_t bins, std::uint64_t chunks, const uninitialized<T>* tables,
                         T* out) {
  auto& shared = shared_as<reduce_shared<Tuning, T>>();
  fold_tiles<Tuning, T> tiles(shared.tiles);
  for (std::uint64_t bin = blockIdx.x; bin < bins; bin += gridDim.x) {
    const element_of<T, const T*> sum_of{&tables[bin * chunks].value};
    write_chunk<std::uint64_t>(tiles, 0, chunks, sum_of, plus{}, shared.falling);
    const uninitialized<T> sum = fold_falling<Tuning::threads>(
        uninitialized<T>(T{}), chunks, shared.falling, plus{}, shared.parts);
    if (threadIdx.x == 0) out[bin] = sum.value;
    __syncthreads();
  }
}

}  // namespace evenfold::device
