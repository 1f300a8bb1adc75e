#pragma once
// reduce_by_key on a GPU: one kernel that reads each key and each value once, and the first key of
// each run once more.
//
// It is a scan of pairs: the number of runs that have begun, and the fold since the last one began.
// A warp loads its part of the tile by rows of 32, finds with ballots where runs begin, and lists
// the slots. Values pass through shared memory, so that a lane folds consecutive values
// (key_run_folds.cuh). Where a run begins, the run before it ends, and the lane's fold of that run
// replaces the value in the slot. Once the block knows what lies before it, each lane completes the
// first of its folds; then the warp writes its keys and folds in order.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/key_run_folds.cuh"
#include "evenfold/backend/cuda/device/published.cuh"
#include "evenfold/backend/cuda/device/thread_prefixes.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of reduce_by_key: threads per block, items per thread, tiles per group of the
/// look-back (a multiple of 16), and the number of blocks per multiprocessor that the compiler
/// leaves registers for. In the canonical order groups have 16 tiles, threads are a power of two,
/// and items 16 or 32.
template <int Threads = 384, int Items = 24, int Group = 16, int Blocks = 3>
struct reduce_by_key_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int group = Group;
  static constexpr int blocks = Blocks;
};

namespace device {

/// The type of the pairs that blocks publish and the kernel scans.
template <class Op, class T, class Size>
using key_run_fold = std::conditional_t<detail::is_exact_fold<Op, T>, run_fold<Size, T>,
                                        block_fold_of_runs<run_number<Size>, T>>;

template <class Tuning, class T, class Fold>
struct reduce_by_key_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  static constexpr int warp_tile = warp_threads * Tuning::items;
  /// The row of a lane has one element of padding, which avoids bank conflicts.
  static constexpr int row = Tuning::items + 1;

  prefix_shared<Tuning::threads, Fold> prefixes;
  std::uint32_t heads[warps][Tuning::items + 1];  // bit l of word j: a run begins at slot 32 j + l
  std::uint16_t list[warps][warp_tile];           // the slots where runs begin
  // A lane reads several small values at once. Aligned, these reads cover values alone.
  alignas(16) uninitialized<T> values[warps][warp_threads * row];
};

template <class Tuning, class Key, class T, class Keys, class Size, class F, class Equal,
          class KeysOut, class Output, class Op, class Count>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    reduce_by_key_kernel(Keys keys, Size count, F f, Equal equal, KeysOut keys_out, Output out,
                         Op op, uninitialized<T> init, Count* num_runs,
                         published<key_run_fold<Op, T, Size>> row) {
  using shared_type = reduce_by_key_shared<Tuning, T, key_run_fold<Op, T, Size>>;
  constexpr bool in_order = !detail::is_exact_fold<Op, T>;
  shared_type& shared = shared_as<shared_type>();
  constexpr int items = Tuning::items;
  constexpr int warp_tile = shared_type::warp_tile;
  constexpr int batch = items < 8 ? items : 8;
  static_assert(items % batch == 0, "items per thread are at most 8, or a multiple of 8");

  const std::uint64_t tile = blockIdx.x;
  const std::uint64_t base = tile * (Tuning::threads * items) + warp_id() * warp_tile;
  const std::uint64_t last = static_cast<std::uint64_t>(count);
  const int lane = lane_id();
  const int filled = base >= last              ? 0
                     : last - base < warp_tile ? static_cast<int>(last - base)
                                               : warp_tile;
  uninitialized<T>* my_values = shared.values[warp_id()];
  std::uint32_t* my_heads = shared.heads[warp_id()];

  std::uint16_t* list = shared.list[warp_id()];
  int begun = 0;  // runs that begin in the part of the warp

  // Slots past the end repeat the last item: they begin no run and reach no result.
  {
    const auto index_of = [&](int j) {
      const std::uint64_t index = base + j * warp_threads + lane;
      return static_cast<Size>(filled == warp_tile || index < last ? index : last - 1);
    };
    // The key before that of lane 0 is the last one of the row before.
    uninitialized<Key> last_of_row;
    if (base > 0 && filled > 0) last_of_row = uninitialized<Key>(keys[static_cast<Size>(base - 1)]);
#pragma unroll
    for (int begin = 0; begin < items; begin += batch) {
      uninitialized<Key> key[batch];
      uninitialized<T> value[batch];
#pragma unroll
      for (int j = 0; j < batch; ++j) key[j] = uninitialized<Key>(keys[index_of(begin + j)]);
#pragma unroll
      for (int j = 0; j < batch; ++j)
        value[j] = uninitialized<T>(static_cast<T>(f(index_of(begin + j))));
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        const int slot = (begin + j) * warp_threads + lane;
        const uninitialized<Key> rotated(
            shuffle_from(key[j].value, (lane + warp_threads - 1) % warp_threads));
        const uninitialized<Key> before = lane == 0 ? last_of_row : rotated;
        last_of_row = rotated;
        const bool is_first = slot == 0 && base == 0;
        const bool begins = slot < filled && (is_first || !equal(before.value, key[j].value));
        const unsigned row_heads = __ballot_sync(whole_warp, begins);
        if (lane == 0) my_heads[begin + j] = row_heads;
        if (begins) {
          list[begun + __popc(row_heads & ((1u << lane) - 1))] = static_cast<std::uint16_t>(slot);
        }
        begun += __popc(row_heads);
        my_values[slot + slot / items] = value[j];
      }
    }
  }
  __syncwarp();

  const int first = lane * items;
  const std::uint64_t words =
      my_heads[first / 32] | static_cast<std::uint64_t>(my_heads[first / 32 + 1]) << 32;
  const auto heads = static_cast<unsigned>(words >> first % 32) & ((2u << (items - 1)) - 1);
  const int last_item = tile + 1 == gridDim.x ? static_cast<int>(last - 1 - base) - first : items;
  const keyed_items<T, items> of_thread{my_values + lane * (items + 1), heads, last_item};
  const key_runs<Size, T> runs = [&] {
    if constexpr (in_order) {
      return canonical_key_runs<Tuning, Size>(of_thread, shared.prefixes, row, op, init);
    } else {
      return exact_key_runs<Tuning, Size>(of_thread, shared.prefixes, row, op);
    }
  }();
  const auto result_of = [&](const uninitialized<T>& fold) {
    if constexpr (in_order) {
      return fold.value;
    } else {
      return op(init.value, fold.value);
    }
  };
  if (of_thread.has_last()) {
    const Size all = static_cast<Size>(runs.before + __popc(heads));
    out[all - 1] = result_of(runs.last);
    if (num_runs != nullptr) *num_runs = static_cast<Count>(all);
  }
  const Size from = shuffle_from(runs.before, 0);
  __syncwarp();
  constexpr int ahead = 4;  // keys that are loaded before the first is written
  for (int row = 0; row < begun; row += ahead * warp_threads) {
    int slot[ahead];
    uninitialized<Key> key[ahead];
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      const int r = row + j * warp_threads + lane;
      if (r < begun) {
        slot[j] = list[r];
        key[j] = uninitialized<Key>(keys[static_cast<Size>(base + slot[j])]);
      }
    }
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      const int r = row + j * warp_threads + lane;
      const Size run = static_cast<Size>(from + r);
      if (r < begun) {
        keys_out[run] = key[j].value;
        if (run > 0) out[run - 1] = result_of(my_values[slot[j] + slot[j] / items]);
      }
    }
  }
}

}  // namespace device

}  // namespace evenfold
