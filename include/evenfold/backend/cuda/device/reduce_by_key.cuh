#pragma once
// reduce_by_key on a GPU: one kernel that reads each key and each value once, and the first key of
// each run once more.
//
// It is a scan of pairs: the number of runs that have begun, and the fold since the last one began.
// A warp loads its part of the tile by rows of 32, finds with ballots where runs begin, and lists
// the slots. Values pass through shared memory, so that a lane folds consecutive values. Where a
// run begins, the run before it ends, and the lane's fold of that run replaces the value in the
// slot. Once the block knows what lies before it (look_back.cuh), each lane completes the first of
// its folds; then the warp writes its keys and folds in order.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/look_back.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of reduce_by_key: threads per block, items per thread, tiles per group of the
/// look-back (a multiple of 16), and the number of blocks per multiprocessor that the compiler
/// leaves registers for.
template <int Threads = 384, int Items = 24, int Group = 16, int Blocks = 3>
struct reduce_by_key_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int group = Group;
  static constexpr int blocks = Blocks;
};

namespace device {

/// The scanned pair of consecutive items: how many runs begin among them, and the fold of the items
/// since the last beginning, or of all items where no run begins.
template <class Size, class T>
struct run_fold {
  Size runs;
  uninitialized<T> fold;
};

template <class Op>
struct join_run_folds {
  Op op;
  template <class Size, class T>
  __device__ run_fold<Size, T> operator()(const run_fold<Size, T>& a,
                                          const run_fold<Size, T>& b) const {
    run_fold<Size, T> joined = b;
    joined.runs = static_cast<Size>(a.runs + b.runs);
    if (b.runs == 0) joined.fold.value = op(a.fold.value, b.fold.value);
    return joined;
  }
};

template <class Tuning, class T, class Size>
struct reduce_by_key_shared {
  static constexpr int warps = Tuning::threads / warp_threads;
  static constexpr int warp_tile = warp_threads * Tuning::items;
  /// The row of a lane has one element of padding, which avoids bank conflicts.
  static constexpr int row = Tuning::items + 1;

  uninitialized<run_fold<Size, T>> warp_fold[warps];
  run_fold<Size, T> prefix;
  std::uint32_t heads[warps][Tuning::items + 1];  // bit l of word j: a run begins at slot 32 j + l
  std::uint16_t list[warps][warp_tile];           // the slots where runs begin
  uninitialized<T> values[warps][warp_threads * row];
};

template <class Tuning, class Key, class T, class Keys, class Size, class F, class Equal,
          class KeysOut, class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    reduce_by_key_kernel(Keys keys, Size count, F f, Equal equal, KeysOut keys_out, Output out,
                         Op op, uninitialized<T> init, Size* num_runs,
                         published<run_fold<Size, T>> row) {
  using shared_type = reduce_by_key_shared<Tuning, T, Size>;
  using fold_type = run_fold<Size, T>;
  shared_type& shared = shared_as<shared_type>();
  constexpr int items = Tuning::items;
  constexpr int warp_tile = shared_type::warp_tile;
  constexpr int batch = items < 8 ? items : 8;
  static_assert(items % batch == 0, "items per thread are at most 8, or a multiple of 8");
  const join_run_folds<Op> join{op};

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
  uninitialized<T>* mine = my_values + lane * (items + 1);
  const std::uint64_t words =
      my_heads[first / 32] | static_cast<std::uint64_t>(my_heads[first / 32 + 1]) << 32;
  const auto heads = static_cast<unsigned>(words >> first % 32) & ((2u << (items - 1)) - 1);
  // The index of the last item of all, where it belongs to this thread, and the fold up to it.
  const int final_item = tile + 1 == gridDim.x ? static_cast<int>(last - 1 - base) - first : items;
  fold_type fold{static_cast<Size>(__popc(heads)), mine[0]};
  uninitialized<T> final_fold = fold.fold;
#pragma unroll
  for (int k = 1; k < items; ++k) {
    const uninitialized<T> value = mine[k];
    if (heads >> k & 1) {
      mine[k] = fold.fold;
      fold.fold = value;
    } else {
      fold.fold.value = op(fold.fold.value, value.value);
    }
    if (k == final_item) final_fold = fold.fold;
  }
  const scanned<fold_type> threads = block_scan<Tuning::threads>(fold, shared.warp_fold, join);

  if (warp_id() == 0) {
    if (lane == 0) row.publish(tile, threads.total);
    if (tile > 0) {
      const uninitialized<fold_type> prefix =
          look_back<Tuning>(row, tile, threads.total, join, false, uninitialized<fold_type>());
      if (lane == 0) shared.prefix = prefix.value;
    }
  }
  __syncthreads();

  // The pair of all items before this thread. There are none before the first thread of all, whose
  // first item begins a run.
  fold_type before{0, {}};
  if (tile > 0) before = shared.prefix;
  if (threadIdx.x > 0) {
    before = tile > 0 ? join(before, threads.before.value) : threads.before.value;
  }
  if (heads != 0) {
    const int k = __ffs(heads) - 1;
    mine[k].value = k > 0 ? op(before.fold.value, mine[k].value) : before.fold.value;
  }
  if (final_item >= 0 && final_item < items) {
    const bool continues = fold.runs == 0;
    out[before.runs + fold.runs - 1] =
        op(init.value, continues ? op(before.fold.value, final_fold.value) : final_fold.value);
    if (num_runs != nullptr) *num_runs = before.runs + fold.runs;
  }
  const Size from = shuffle_from(before.runs, 0);
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
        if (run > 0) out[run - 1] = op(init.value, my_values[slot[j] + slot[j] / items].value);
      }
    }
  }
}

}  // namespace device

}  // namespace evenfold
