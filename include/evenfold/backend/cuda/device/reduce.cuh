#pragma once
// transform_reduce on a GPU: one kernel that reads each value once, in the canonical order of folds
// (balance/fold_order.hpp).
//
// The items are cut into chunks of equal length, a power of two so large that there are at most a
// few thousand. A chunk is one block of the order; blocks of threads take chunks in turn, and write
// one fold per chunk. The items after the last whole chunk are cut into smaller blocks. The block
// of threads that finishes last folds the chunks and what follows them. Up to one chunk is folded
// by one block of threads, and nothing is waited for. Small values of up to 4096 items have a
// kernel of their own (reduce_few.cuh).
//
// Where any order gives the same bits, as for integers and for minima, a thread folds its own
// column of each tile, and no value passes through shared memory.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/delivery.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of reduce: threads per block, and how many values a lane loads before it folds
/// them: powers of two and at most 16 values, unless any order gives the same bits.
template <int Threads = 256, int Items = 16>
struct reduce_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

/// For folds whose bits do not depend on the order.
template <class Tuning, class T>
struct exact_reduce_shared {
  uninitialized<T> warp_total[Tuning::threads / warp_threads];
  int last;
};

/// The fold of f over every gridDim.x-th tile, valid in thread 0; each thread folds its own column.
template <class Tuning, class T, class Size, class F, class Op>
__device__ T block_run_in_any_order(std::uint64_t total, const F& f, Op op,
                                    exact_reduce_shared<Tuning, T>& shared) {
  constexpr int items = Tuning::items;
  constexpr std::uint64_t tile = Tuning::threads * items;
  uninitialized<T> run;
  bool has_run = false;
  const std::uint64_t first = blockIdx.x * tile;
  std::uint64_t base = first;
  for (; base + tile <= total; base += gridDim.x * tile) {
    uninitialized<T> loaded[items];
    load_tile<Tuning::threads, items, T, Size>(base, f, threadIdx.x, loaded);
    run = has_run ? uninitialized<T>(op(run.value, loaded[0].value)) : loaded[0];
    has_run = true;
#pragma unroll
    for (int j = 1; j < items; ++j) run.value = op(run.value, loaded[j].value);
  }
  if (base < total) {
    const std::uint64_t left = total - base;
    uninitialized<T> loaded[items];
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const unsigned at = j * Tuning::threads + threadIdx.x;
      if (at < left) loaded[j] = uninitialized<T>(static_cast<T>(f(static_cast<Size>(base + at))));
    }
#pragma unroll
    for (int j = 0; j < items; ++j) {
      if (j * Tuning::threads + threadIdx.x >= left) break;
      run = has_run ? uninitialized<T>(op(run.value, loaded[j].value)) : loaded[j];
      has_run = true;
    }
  }
  const int threads =
      total - first < Tuning::threads ? static_cast<int>(total - first) : Tuning::threads;
  return block_fold<Tuning::threads>(run.value, threads, shared.warp_total, op);
}

template <class Tuning, class T, class Size, class F, class Op>
__global__ void __launch_bounds__(Tuning::threads)
    exact_reduce_kernel(Size count, F f, Op op, uninitialized<T> init, uninitialized<T>* partials,
                        unsigned* arrived, delivery<uninitialized<T>> out) {
  auto& shared = shared_as<exact_reduce_shared<Tuning, T>>();
  const std::uint64_t total = static_cast<std::uint64_t>(count);
  if (total == 0) {
    if (threadIdx.x == 0) out(init);
    return;
  }

  const uninitialized<T> block_total(block_run_in_any_order<Tuning, T, Size>(total, f, op, shared));
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) out(uninitialized<T>(op(init.value, block_total.value)));
    return;
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = block_total;
  if (!arrive_last(arrived, &shared.last)) return;

  const int blocks = static_cast<int>(gridDim.x);
  const int each = (blocks + Tuning::threads - 1) / Tuning::threads;
  const int begin = static_cast<int>(threadIdx.x) * each;
  uninitialized<T> value;
  for (int b = begin; b < begin + each && b < blocks; ++b) {
    value = b == begin ? partials[b] : uninitialized<T>(op(value.value, partials[b].value));
  }
  const T folded =
      block_fold<Tuning::threads>(value.value, (blocks + each - 1) / each, shared.warp_total, op);
  if (threadIdx.x == 0) out(uninitialized<T>(op(init.value, folded)));
}

template <class Tuning, class T>
struct reduce_shared {
  typename fold_tiles<Tuning, T>::shared_type tiles;
  /// The folds of the blocks that all items are cut into: at most one of each level, and 15 items.
  uninitialized<T> falling[detail::fold_levels - 1 + detail::fold_run - 1];
  uninitialized<T> parts[2];  ///< for fold_falling()
  int last;
};

/// The number of blocks that the items of [0, end) are cut into, for any end.
__device__ inline int count_blocks(std::uint64_t end) {
  return __popcll(end / detail::fold_run) + static_cast<int>(end % detail::fold_run);
}

/// Writes the folds of all blocks that a chunk, or the rest after the last one, is cut into. The
/// next chunk that the block of threads takes begins at `next`, and has items up to `next_end`;
/// runs of it may be read ahead into `runs`.
template <class Size, class Tiles, class T, class F, class Op>
__device__ void write_chunk(Tiles& tiles, std::uint64_t begin, std::uint64_t end, const F& f,
                            const Op& op, uninitialized<T>* to,
                            typename Tiles::template runs_ahead<F, Op>& runs, std::uint64_t next,
                            std::uint64_t next_end) {
  const std::uint64_t runs_end = end - end % detail::fold_run;
  // The items after the last run are read while the runs are.
  const auto item =
      static_cast<std::uint64_t>(static_cast<int>(threadIdx.x) - (Tiles::warps - 1) * warp_threads);
  if (item < end - runs_end) {
    to[__popcll((runs_end - begin) / detail::fold_run) + item] =
        uninitialized<T>(static_cast<T>(f(static_cast<Size>(runs_end + item))));
  }
  tiles.template write_blocks<Size>(begin, runs_end, f, op, to, runs, next, next_end);
}
/// The same for a chunk that is the only one.
template <class Size, class Tiles, class T, class F, class Op>
__device__ void write_chunk(Tiles& tiles, std::uint64_t begin, std::uint64_t end, const F& f,
                            const Op& op, uninitialized<T>* to) {
  typename Tiles::template runs_ahead<F, Op> none;
  write_chunk<Size>(tiles, begin, end, f, op, to, none, 0, 0);
}

/// The most chunks of items. The chunks that are not shared equally by the threads of a block have
/// a lane each.
template <class Tuning>
inline constexpr unsigned most_chunks =
    Tuning::threads < 128 ? Tuning::threads * warp_threads : 1 << 12;

/// Writes the folds of the blocks of chunks that `chunks` chunks are cut into. A thread has an
/// equal number of them, a power of two, and a warp those that are left.
template <class Tuning, class T, class Op>
__device__ void fold_chunks(const uninitialized<T>* folds, unsigned chunks, const Op& op,
                            uninitialized<T>* to, reduce_shared<Tuning, T>& shared) {
  // A thread reads so many folds at once, and has up to 2^levels times as many.
  constexpr unsigned at_once = sizeof(T) <= 8 ? 8 : sizeof(T) <= 16 ? 4 : 2;
  constexpr unsigned most = most_chunks<Tuning> / Tuning::threads;
  constexpr int levels = most > at_once ? exponent_of(static_cast<int>(most / at_once)) : 0;
  constexpr int warps = Tuning::threads / warp_threads;
  unsigned each = 1;
  while (each * Tuning::threads < chunks) each *= 2;
  const unsigned threads = chunks / each;
  const auto rest = static_cast<int>(chunks % each);
  const int warp = uniform_warp_id();
  uninitialized<T>(&warp_fold)[warps] = shared.tiles.warp_fold[0];

  // The threads behind the last one with chunks fold the first ones, for nothing.
  const unsigned first = threadIdx.x < threads ? threadIdx.x * each : 0;
  uninitialized<T> fold;
  uninitialized<T> waiting[levels > 0 ? levels : 1];
#pragma unroll 1
  for (unsigned begin = 0; begin < each; begin += at_once) {
    uninitialized<T> part[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      if (k < each) part[k] = folds[first + begin + k];
    }
#pragma unroll
    for (unsigned half = 1; half < at_once; half *= 2) {
      if (half >= each) break;
#pragma unroll
      for (unsigned k = 0; k < at_once; k += 2 * half) {
        if (k < each) part[k] = uninitialized<T>(op(part[k].value, part[k + half].value));
      }
    }
    // A binary counter: what waits is on the left.
    fold = part[0];
#pragma unroll
    for (int k = 0; k < levels; ++k) {
      if ((begin / at_once >> k & 1) == 0) {
        waiting[k] = fold;
        break;
      }
      fold = uninitialized<T>(op(waiting[k].value, fold.value));
    }
  }
  const warp_blocks<T> blocks = fold_lanes(fold.value, op);
  const bool is_end = threadIdx.x == threads;
  if (is_end) write_blocks_before(blocks, to + __popc(threads / warp_threads));
  if (lane_id() == 0) warp_fold[warp] = blocks.all;
  __syncthreads();
  if (warp == 0) {
    const warp_blocks<T> of_warps =
        fold_lanes<exponent_of(warps)>(warp_fold[lane_id() % warps].value, op);
    const auto whole = static_cast<int>(threads / warp_threads);
    if (lane_id() == whole % warps) {
      if (whole == warps) {
        *to = of_warps.all;
      } else {
        write_blocks_before<exponent_of(warps)>(of_warps, to);
      }
    }
  }
  if (warp == warps - 1 && rest > 0) {
    const int chunk = lane_id() < rest ? lane_id() : 0;
    const warp_blocks<T> of_rest =
        fold_lanes(folds[chunks - static_cast<unsigned>(rest - chunk)].value, op);
    if (lane_id() == rest) write_blocks_before(of_rest, to + __popc(threads));
  }
}

/// Writes the folds of the blocks that all items are cut into to `shared.falling`, by the block of
/// threads that finishes last. Returns whether it is this one, which synchronises before it reads
/// them.
template <class Tuning, class T, class Size, class F, class Op>
__device__ bool fold_all_chunks(std::uint64_t total, std::uint64_t chunk, const F& f, const Op& op,
                                uninitialized<T>* folds, unsigned* arrived,
                                reduce_shared<Tuning, T>& shared) {
  fold_tiles<Tuning, T> tiles(shared.tiles);
  typename fold_tiles<Tuning, T>::template runs_ahead<F, Op> runs;
  const bool alone = total <= chunk;
  if (alone && blockIdx.x > 0) return false;
  for (std::uint64_t begin = blockIdx.x * chunk; begin < total; begin += gridDim.x * chunk) {
    const std::uint64_t end = total - begin < chunk ? total : begin + chunk;
    write_chunk<Size>(tiles, begin, end, f, op, alone ? shared.falling : folds + begin / chunk,
                      runs, begin + gridDim.x * chunk, total);
  }
  if (!alone) {
    if (!arrive_last(arrived, &shared.last)) return false;
    const std::uint64_t chunks = total / chunk;
    const int of_chunks = __popcll(chunks);
    const int of_rest = count_blocks(total % chunk);
    // The folds of the rest are on their way while chunks are folded.
    const auto first = static_cast<int>(threadIdx.x);
    uninitialized<T> rest;
    if (first < of_rest) rest = folds[chunks + static_cast<unsigned>(first)];
    fold_chunks(folds, static_cast<unsigned>(chunks), op, shared.falling, shared);
    for (int k = first; k < of_rest; k += Tuning::threads) {
      shared.falling[of_chunks + k] = k == first ? rest : folds[chunks + static_cast<unsigned>(k)];
    }
  }
  return true;
}

/// The multiprocessor has registers for 768 threads that read runs of items, and for 1024 that read
/// a tile ahead or have small values.
template <class Tuning, class T, class F, class Op>
inline constexpr int reduce_blocks = [] {
  using tiles = fold_tiles<Tuning, T>;
  constexpr int threads = tiles::template reads_runs<F, Op>                  ? 768
                          : sizeof(T) <= 8 || tiles::template reads_ahead<F> ? 1024
                                                                             : 0;
  return Tuning::threads < threads ? threads / Tuning::threads : 1;
}();

template <class Tuning, class T, class Size, class F, class Op>
__global__ void __launch_bounds__(Tuning::threads, (reduce_blocks<Tuning, T, F, Op>))
    reduce_kernel(Size count, std::uint64_t chunk, F f, Op op, uninitialized<T> init,
                  uninitialized<T>* folds, unsigned* arrived, delivery<uninitialized<T>> out) {
  auto& shared = shared_as<reduce_shared<Tuning, T>>();
  const auto total = static_cast<std::uint64_t>(count);
  if (!fold_all_chunks<Tuning, T, Size>(total, chunk, f, op, folds, arrived, shared)) return;
  const uninitialized<T> fold =
      fold_falling<Tuning::threads>(init, total, shared.falling, op, shared.parts);
  if (threadIdx.x == 0) out(fold);
}

/// Delivers the folds of the blocks that the items are cut into.
template <class Tuning, class T, class Size, class F, class Op>
__global__ void __launch_bounds__(Tuning::threads, (reduce_blocks<Tuning, T, F, Op>))
    reduce_blocks_kernel(Size count, std::uint64_t chunk, F f, Op op, uninitialized<T>* folds,
                         unsigned* arrived, delivery<uninitialized<T>> out) {
  auto& shared = shared_as<reduce_shared<Tuning, T>>();
  const auto total = static_cast<std::uint64_t>(count);
  if (!fold_all_chunks<Tuning, T, Size>(total, chunk, f, op, folds, arrived, shared)) return;
  __syncthreads();
  const int blocks = count_blocks(total);
  for (int k = static_cast<int>(threadIdx.x); k < blocks; k += Tuning::threads) {
    out.at(k)(shared.falling[k]);
  }
}

}  // namespace device

}  // namespace evenfold
