#pragma once
// segmented_scan, scan_by_key on a GPU: one kernel that reads each value and each offset or key
// once and writes each result once.
//
// A scan of pairs of a value and whether a segment begins (detail/scan_segments.hpp), but an item
// is a value and a bit (segment_heads.cuh). Bits are marked before the values are loaded, which are
// on their way to the L2 cache meanwhile where there are many tiles. Each thread has runs of 16
// items, which it scans in shared memory, from the head of a segment on. The folds of the runs are
// pairs, whose prefixes are found as in a plain scan (thread_prefixes.cuh). The items of a run
// before its first head then get the prefix.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/prefetch.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/device/scan.cuh"
#include "evenfold/backend/cuda/device/segment_flags.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/device/thread_prefixes.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/segment_fold.hpp"

namespace evenfold::device {

template <class Tuning, class T>
struct segmented_scan_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  /// The row of a lane has one element of padding, which avoids bank conflicts.
  static constexpr int row = Tuning::items + 1;

  static constexpr int tile = Tuning::threads * Tuning::items;

  tile_heads<tile> heads;
  prefix_shared<Tuning::threads, detail::segment_fold<T>> prefixes;
  alignas(16) uninitialized<T> transposed[warps][warp_threads * row];

  /// In the place of the values, while none are loaded.
  __device__ head_flags<tile>& flags() {
    static_assert(sizeof(transposed) >= sizeof(head_flags<tile>));
    return reinterpret_cast<head_flags<tile>&>(transposed);
  }
};

template <class T>
inline constexpr int gap_at<detail::segment_fold<T>> = sizeof(T) == 8 && alignof(T) == 8 ? 12 : 0;

template <class Tuning, scan_kind Kind, bool HasInit, class T, class Size, class Input, class Heads,
          class Start, class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segmented_scan_kernel(Size count, Input input, Heads heads, const Start* starts, Output out,
                          Op op, uninitialized<T> init, published<detail::segment_fold<T>> row) {
  using pair = detail::segment_fold<T>;
  auto& shared = shared_as<segmented_scan_shared<Tuning, T>>();
  constexpr int items = Tuning::items;
  constexpr int run = detail::fold_run;
  constexpr int runs = items / run;
  constexpr int warp_tile = items * warp_threads;
  constexpr int tile_items = Tuning::threads * items;
  static_assert(items % run == 0 && items <= 32, "a thread has 16 or 32 items");
  constexpr bool are_marked = std::is_same_v<Heads, head_bits>;
  constexpr bool by_keys = requires { heads.keys; };
  constexpr bool by_offsets = !are_marked && !by_keys;

  const std::uint64_t tile_base = std::uint64_t{blockIdx.x} * tile_items;
  const std::uint64_t base = tile_base + uniform_warp_id() * warp_tile;
  const std::uint64_t last = static_cast<std::uint64_t>(count);
  const int lane = lane_id();
  const int filled = base >= last              ? 0
                     : last - base < warp_tile ? static_cast<int>(last - base)
                                               : warp_tile;
  uninitialized<T>* transposed = shared.transposed[warp_id()];

  std::uint32_t bits = 0;
  if constexpr (are_marked) {
    const std::uint64_t mine = tile_base + threadIdx.x * items;
    if (mine < last) bits = heads.of<items>(mine);
  } else {
    // Where the blocks come in several waves, the values are brought nearer meanwhile.
    constexpr unsigned least_tiles = 512;
    if (gridDim.x >= least_tiles && filled == warp_tile) prefetch_by_warp<warp_tile>(input, base);
  }
  if constexpr (by_offsets) {
    const segment_range<Start> range = segments_of_tile(heads, tile_base, starts, shared.heads);
    const auto in_tile =
        static_cast<std::uint64_t>(range.to) - static_cast<std::uint64_t>(range.from);
    if (in_tile > tile_items / 8) {
      // Bits of so many heads would meet in the same words.
      mark_heads<Tuning::threads>(
          heads, range, tile_base, shared.heads, shared.flags(), [](std::uint64_t) { return 0; },
          [](std::uint32_t, int) {});
    } else {
      // So few offsets of a small tile are one pack per thread.
      constexpr int rounds = tile_items * sizeof(T) <= 32 * 1024 ? 1 : 2;
      mark_heads<Tuning::threads, rounds>(heads, range, tile_base, shared.heads);
    }
    __syncthreads();
  }
  if constexpr (by_keys) bits = heads_by_key<items, Size>(heads, base, filled);
  // Load by rows of 32. Values past the end repeat the last one, which can be folded and reaches no
  // result. The items of an exclusive scan are shifted by one.
  const Size first = static_cast<Size>(base + lane);
  const auto load = [&](auto index) {
    constexpr int batch = items < scan_batch<T> ? items : scan_batch<T>;
#pragma unroll
    for (int begin = 0; begin < items; begin += batch) {
      uninitialized<T> value[batch];
#pragma unroll
      for (int j = begin; j < begin + batch && j < items; ++j) {
        value[j - begin] = uninitialized<T>(static_cast<T>(input[index(j * warp_threads)]));
      }
#pragma unroll
      for (int j = begin; j < begin + batch && j < items; ++j) {
        const int at = j * warp_threads + lane;
        transposed[at + at / items] = value[j - begin];
      }
    }
  };
  // Where all values exist, the compiler adds constants to one address.
  constexpr bool shifts = Kind == scan_kind::exclusive;
  const bool is_whole = filled == warp_tile;
  if (is_whole && (base > 0 || !shifts)) {
    const Size from = shifts ? static_cast<Size>(first - 1) : first;
    load([&](int at) { return static_cast<Size>(from + at); });
  } else {
    load([&](int at) {
      const auto item = static_cast<Size>(at + lane < filled ? first + at : count - 1);
      return shifts && item > 0 ? static_cast<Size>(item - 1) : item;
    });
  }
  __syncwarp();

  // Scan each run, from the last head on.
  uninitialized<T>* const mine = transposed + lane * (items + 1);
  if constexpr (by_offsets) bits = shared.heads.template of<items>(threadIdx.x * items);
  uninitialized<pair> folds[runs];
#pragma unroll
  for (int r = 0; r < runs; ++r) {
    uninitialized<T> fold;
#pragma unroll
    for (int k = r * run; k < (r + 1) * run; ++k) {
      const bool head = (bits & 1u << k) != 0;
      if constexpr (Kind == scan_kind::exclusive) {
        if (head) {
          fold = init;
        } else if (k % run == 0) {
          fold = mine[k];
        } else {
          fold = uninitialized<T>(op(fold.value, mine[k].value));
        }
      } else {
        uninitialized<T> value = mine[k];
        if (HasInit && head) value = uninitialized<T>(op(init.value, value.value));
        if (head || k % run == 0) {
          fold = value;
        } else {
          fold = uninitialized<T>(op(fold.value, value.value));
        }
      }
      mine[k] = fold;
    }
    folds[r] = uninitialized<pair>(pair{fold.value, (bits >> r * run & 0xffffu) != 0 ? 1u : 0u});
  }

  const detail::append_segment_fold<Op> append{op};
  const auto prefixes = canonical_prefixes(folds, shared.prefixes, row,
                                           plain_runs<detail::append_segment_fold<Op>>{append},
                                           append, growing_fold<pair>{false, {}});

  // The items before the first head of a run get the prefix before the run.
#pragma unroll
  for (int r = 0; r < runs; ++r) {
    const uninitialized<pair> before = r == 0 ? prefixes.before.value : prefixes.after_run[r - 1];
    const std::uint32_t of_run = bits >> r * run & 0xffffu;
    const int open = of_run != 0 ? __ffs(static_cast<int>(of_run)) - 1 : run;
#pragma unroll
    for (int k = 0; k < run - 1; ++k) {
      uninitialized<T>& value = mine[r * run + k];
      if (k < open) value = uninitialized<T>(op(before.value.value, value.value));
    }
    if (open == run) mine[r * run + run - 1] = uninitialized<T>(prefixes.after_run[r].value.value);
  }
  __syncwarp();
  const auto store = [&](auto exists) {
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int at = j * warp_threads + lane;
      if (exists(at)) {
        out[static_cast<Size>(first + j * warp_threads)] = transposed[at + at / items].value;
      }
    }
  };
  if (is_whole) {
    store([](int) { return true; });
  } else {
    store([&](int at) { return at < filled; });
  }
}

}  // namespace evenfold::device
