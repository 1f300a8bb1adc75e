#pragma once
// The items of a tile in shared memory, as runs of 16 consecutive items, one per lane, and the
// folds of whole runs in the canonical order (balance/fold_order.hpp).

#include <cstring>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// The slots of a tile in shared memory. The packs of a run are permuted, differently in
/// neighbouring runs, so that neither the lanes that store a row of 32 values nor the lanes that
/// load one run each have bank conflicts.
template <class T>
struct run_slots {
  static constexpr int width = widest_pack<T>;
  static constexpr int packs = detail::fold_run / width;
  /// The number of runs that share a row of all 32 banks.
  static constexpr int runs_per_row = sizeof(T) * detail::fold_run < 128 ? 2 : 1;

  uninitialized<T>* at;

  // Unsigned, so that divisions are shifts.
  __device__ static unsigned flip_of(unsigned run) { return run / runs_per_row % packs * width; }

  __device__ uninitialized<T>& operator[](unsigned slot) const {
    return at[slot ^ flip_of(slot / detail::fold_run)];
  }
};

/// Stores a pack in one access.
template <int Width, class T>
__device__ void store_shared_pack(void* to, const pack<T, Width>& values) {
  memcpy(__builtin_assume_aligned(to, sizeof(values)), &values, sizeof(values));
}

/// The slot of this lane in row `row`.
template <class T>
__device__ uninitialized<T>& slot_in_row(const run_slots<T>& slots, int row) {
  constexpr int runs = warp_threads / detail::fold_run;
  // The bits of the two numbers of a run are apart, so that the permutation of a row is constant.
  const unsigned lane = threadIdx.x % warp_threads;
  const unsigned here = lane ^ slots.flip_of(lane / detail::fold_run);
  return slots.at[(here ^ slots.flip_of(row * runs)) + row * warp_threads];
}

/// Stores the pack of this lane in the row of packs that begins with row `row`.
template <int Width, class T>
__device__ void store_in_row(const run_slots<T>& slots, int row, const uninitialized<T>* values) {
  static_assert(Width == run_slots<T>::width);
  const unsigned mine = threadIdx.x % warp_threads * Width;
  const unsigned here = mine ^ slots.flip_of(mine / detail::fold_run);
  const unsigned flip = slots.flip_of(row * warp_threads / detail::fold_run);
  pack<T, Width> one;
#pragma unroll
  for (int k = 0; k < Width; ++k) one.value[k] = values[k];
  store_shared_pack(&slots.at[(here ^ flip) + row * warp_threads], one);
}

/// The run of one lane in the slots.
template <class T>
struct lane_run {
  uninitialized<T>* at;
  unsigned flip;

  __device__ explicit lane_run(const run_slots<T>& slots)
      : at(slots.at + lane_id() * detail::fold_run),
        flip(slots.flip_of(threadIdx.x % warp_threads)) {}

  __device__ T& operator[](unsigned k) const { return at[k ^ flip].value; }
};

/// The packs of a run: in registers if these are 16 or fewer, otherwise read when they are used.
template <class T, bool Kept = sizeof(T) <= 4>
struct run_packs {
  static constexpr int width = run_slots<T>::width;
  static constexpr int count = run_slots<T>::packs;
  using pack_type = pack<T, width>;
  lane_run<T> run;
  pack_type kept[Kept ? count : 1];

  __device__ explicit run_packs(const run_slots<T>& slots) : run(slots) {
    if constexpr (Kept) {
#pragma unroll
      for (int q = 0; q < count; ++q) kept[q] = load_pack<width>(&run[q * width]);
    }
  }
  __device__ pack_type load(int q) const {
    return Kept ? kept[Kept ? q : 0] : load_pack<width>(&run[q * width]);
  }
  __device__ void store(int q, const pack_type& values) const {
    store_shared_pack(&run[q * width], values);
  }
};

/// Folds `Count` packs of a run, one in `Stride` from `first` on, value by value: by even and odd
/// positions.
template <int Count, int Stride, class T, class Op>
__device__ pack<T, run_packs<T>::width> fold_packs(const run_packs<T>& packs, int first,
                                                   const Op& op) {
  if constexpr (Count == 1) {
    return packs.load(first);
  } else {
    auto left = fold_packs<Count / 2, 2 * Stride>(packs, first, op);
    const auto right = fold_packs<Count / 2, 2 * Stride>(packs, first + Stride, op);
#pragma unroll
    for (int k = 0; k < packs.width; ++k) {
      left.value[k] = uninitialized<T>(op(left.value[k].value, right.value[k].value));
    }
    return left;
  }
}

/// The fold of a whole run.
template <class T, class Op>
__device__ T fold_whole_run(const run_packs<T>& packs, const Op& op) {
  if constexpr (is_commutative<Op, T>) {
    const auto last = fold_packs<packs.count, 1>(packs, 0, op);
    return detail::fold_by_halves<T, Op, packs.width>(&last.value[0].value, op);
  } else {
    uninitialized<T> fold;
#pragma unroll
    for (int q = 0; q < packs.count; ++q) {
      const auto values = packs.load(q);
#pragma unroll
      for (int k = 0; k < packs.width; ++k) {
        fold =
            q + k == 0 ? values.value[0] : uninitialized<T>(op(fold.value, values.value[k].value));
      }
    }
    return fold.value;
  }
}

}  // namespace evenfold::device
