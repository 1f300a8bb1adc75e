#pragma once
// The merge of two sorted sequences in tiles of their merge path, which merge and the searches by
// merging share. One kernel finds where each tile begins in both sequences (merge_cuts.cuh); the
// next merges one tile per block in shared memory. The cuts fit each other and a block permutes
// what it has loaded, so that each element is written once, whatever `less` returns.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/merge_cuts.cuh"
#include "evenfold/backend/cuda/device/serial_merge.cuh"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

/// Launch tuning of merge, sorted_search and sorted_equal_range: threads per block, and steps of
/// the merge path per thread.
template <int Threads = 256, int Items = 15>
struct merge_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

/// Tiles of about 23 KiB of keys, or 40 KiB for the largest keys; fewer items per thread where
/// there are `Two` results per item: a key and a value, or both bounds of a needle.
template <class Key, bool Two>
using default_merge_tuning =
    merge_tuning<(sizeof(Key) <= 16 ? 256 : 128), (sizeof(Key) <= 4    ? (Two ? 15 : 23)
                                                   : sizeof(Key) <= 8  ? 11
                                                   : sizeof(Key) <= 16 ? 7
                                                                       : 5)>;

/// Sizes that follow from the tuning.
template <class Tuning, class Key, bool Two = false>
struct merge_sizes : detail::tuning_or<Tuning, default_merge_tuning<Key, Two>> {
  static constexpr int tile = merge_sizes::threads * merge_sizes::items;
  static_assert(tile < 65536, "slots of a tile are 16-bit numbers");
};

/// The tile of a block: a_count elements of `a` from a_from on, and the rest of `count` elements of
/// `b` from b_from on.
struct merge_tile {
  std::uint64_t a_from;
  std::uint64_t b_from;
  int a_count;
  int count;

  __device__ int b_count() const { return count - a_count; }
};

/// The tile of this block.
template <class Sizes>
__device__ merge_tile tile_of_block(const std::uint64_t* cuts, std::uint64_t count) {
  const std::uint64_t from = std::uint64_t{blockIdx.x} * Sizes::tile;
  const std::uint64_t left = count - from;
  const int steps = left < Sizes::tile ? static_cast<int>(left) : Sizes::tile;
  const std::uint64_t a_from = cuts[blockIdx.x];
  return {a_from, from - a_from, static_cast<int>(cuts[blockIdx.x + 1] - a_from), steps};
}

/// Whether an iterator is a pointer to keys.
template <class Key, class Iterator>
inline constexpr bool is_array_of =
    std::is_same_v<Iterator, const Key*> || std::is_same_v<Iterator, Key*>;

/// The key that belongs into a slot of a tile: those of `a` come first.
template <class Key, class A, class B>
__device__ uninitialized<Key> key_of_slot(const merge_inputs<A, B>& in, const merge_tile& tile,
                                          int slot) {
  if constexpr (is_array_of<Key, A> && is_array_of<Key, B>) {
    // One load from either of two addresses, without a branch.
    const Key* const a = in.a + tile.a_from;
    const Key* const b = in.b + (tile.b_from - tile.a_count);
    return uninitialized<Key>((slot < tile.a_count ? a : b)[slot]);
  } else if (slot < tile.a_count) {
    return uninitialized<Key>(in.a[tile.a_from + slot]);
  } else {
    return uninitialized<Key>(in.b[tile.b_from + (slot - tile.a_count)]);
  }
}

/// Loads the keys of a tile into shared memory again, where time does not matter. Synchronises the
/// block.
template <class Sizes, class Key, class A, class B>
__device__ void reload_keys(const merge_inputs<A, B>& in, const merge_tile& tile,
                            uninitialized<Key>* slots) {
#pragma unroll 1
  for (int slot = static_cast<int>(threadIdx.x); slot < tile.count; slot += Sizes::threads) {
    slots[slot] = key_of_slot<Key>(in, tile, slot);
  }
  __syncthreads();
}

/// Loads the keys of a tile into shared memory, and one of them to the slots past the last where
/// serial_merge() by `Less` compares these. Synchronises the block.
template <class Sizes, class Less, class Key, class A, class B>
__device__ void load_keys(const merge_inputs<A, B>& in, const merge_tile& tile,
                          uninitialized<Key>* slots) {
  if constexpr (fills_past_end<Sizes, Key, Less>) {
    if (tile.count > 0 && threadIdx.x <= Sizes::items) {
      slots[tile.count + static_cast<int>(threadIdx.x)] = key_of_slot<Key>(in, tile, 0);
    }
  }
  // Only the last tile is not full.
  if (tile.count < Sizes::tile) return reload_keys<Sizes>(in, tile, slots);
  uninitialized<Key> key[Sizes::items];
  const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    key[j] = key_of_slot<Key>(in, tile, j * Sizes::threads + thread);
  }
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) slots[j * Sizes::threads + thread] = key[j];
  __syncthreads();
}

/// The values that are merged with the keys, and their output; `no_value` pointers where there are
/// none.
template <class A, class B, class Output>
struct merge_values {
  A a;
  B b;
  Output out;

  static constexpr bool present = !std::is_same_v<Output, detail::no_value*>;
  using value = std::conditional_t<present, element_t<A>, detail::no_value>;
};

template <class Sizes, class Key, bool Indexed>
struct merge_tile_shared {
  uninitialized<Key> keys[Sizes::tile + Sizes::items + 1];
  std::uint16_t source[Indexed ? Sizes::tile : 1];
};

/// The block merges a tile and writes it to out[a_from + b_from ...]. The values are fetched by the
/// original slots of their keys.
template <class Sizes, class Key, class A, class B, class Output, class Values, class Less>
__device__ void merge_one_tile(const merge_inputs<A, B>& in, const merge_tile& tile,
                               merge_tile_shared<Sizes, Key, Values::present>& shared, Output out,
                               const Values& values, Less less) {
  constexpr bool indexed = Values::present;
  load_keys<Sizes, Less>(in, tile, shared.keys);
  if (!merge_slots<Sizes, indexed>(shared.keys, shared.source, tile.a_count, tile.count, less)) {
    reload_keys<Sizes>(in, tile, shared.keys);
    keep_sources<indexed>(shared.source, tile.count);
  }

  const std::uint64_t from = tile.a_from + tile.b_from;
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (slot < tile.count) out[from + slot] = shared.keys[slot].value;
  }
  if constexpr (indexed) {
    // All loads are issued before the first value is written.
    using value = typename Values::value;
    uninitialized<value> moved[Sizes::items];
#pragma unroll
    for (int j = 0; j < Sizes::items; ++j) {
      const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
      if (slot < tile.count) {
        const int source = shared.source[slot];
        if (source < tile.a_count) {
          moved[j] = uninitialized<value>(values.a[tile.a_from + source]);
        } else {
          moved[j] = uninitialized<value>(values.b[tile.b_from + (source - tile.a_count)]);
        }
      }
    }
#pragma unroll
    for (int j = 0; j < Sizes::items; ++j) {
      const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
      if (slot < tile.count) values.out[from + slot] = moved[j].value;
    }
  }
}

}  // namespace device

}  // namespace evenfold
