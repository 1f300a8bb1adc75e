#pragma once
// Two sorted sequences cut into tiles of their merge path: what merge and the searches by merging
// share on a GPU. One kernel finds where every tile begins in both sequences (merge_cuts.cuh); the
// next works the tiles off in shared memory, a block each. The cuts fit each other and a block
// permutes what it has loaded, so every element goes to one place whatever `less` answers.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/merge_cuts.cuh"
#include "evenfold/backend/cuda/device/serial_merge.cuh"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

/// Launch tuning of merge, sorted_search and sorted_equal_range: threads a block, and steps of the
/// merge path a thread.
template <int Threads = 256, int Items = 15>
struct merge_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

/// Items a thread that keep a tile near 23 KiB of keys, or 40 KiB for the largest; fewer where
/// there are `Two` results an item: a key and a value, or both bounds of a needle.
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
  static_assert(tile < 65536, "places in a tile are 16-bit numbers");
};

/// What one block works on: a_count elements from a_from on, and the rest of `count` from b_from
/// on.
struct merge_tile {
  std::uint64_t a_from;
  std::uint64_t b_from;
  int a_count;
  int count;

  __device__ int b_count() const { return count - a_count; }
};

/// The block's tile.
template <class Sizes>
__device__ merge_tile tile_of_block(const std::uint64_t* cuts, std::uint64_t count) {
  const std::uint64_t from = std::uint64_t{blockIdx.x} * Sizes::tile;
  const std::uint64_t left = count - from;
  const int steps = left < Sizes::tile ? static_cast<int>(left) : Sizes::tile;
  const std::uint64_t a_from = cuts[blockIdx.x];
  return {a_from, from - a_from, static_cast<int>(cuts[blockIdx.x + 1] - a_from), steps};
}

/// Reads the keys of a tile into shared memory, those of `a` first. Synchronises the block.
template <class Sizes, class Key, class A, class B>
__device__ void load_keys(const merge_inputs<A, B>& in, const merge_tile& tile,
                          uninitialized<Key>* places) {
  uninitialized<Key> key[Sizes::items];
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int place = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (place < tile.a_count) {
      key[j] = uninitialized<Key>(in.a[tile.a_from + place]);
    } else if (place < tile.count) {
      key[j] = uninitialized<Key>(in.b[tile.b_from + (place - tile.a_count)]);
    }
  }
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int place = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (place < tile.count) places[place] = key[j];
  }
  __syncthreads();
}

/// The values that travel with the keys, and where they go; `no_value` pointers where there are
/// none.
template <class A, class B, class Output>
struct merge_values {
  A a;
  B b;
  Output out;

  static constexpr bool present = !std::is_same_v<Output, detail::no_value*>;
};

template <class Sizes, class Key, bool Indexed>
struct merge_tile_shared {
  uninitialized<Key> keys[Sizes::tile + Sizes::items + 1];
  std::uint16_t source[Indexed ? Sizes::tile : 1];
};

/// The block merges a tile and writes it to out[a_from + b_from ...]. Values are fetched by where
/// their keys came from, which lies in shared memory.
template <class Sizes, class Key, class A, class B, class Output, class Values, class Less>
__device__ void merge_one_tile(const merge_inputs<A, B>& in, const merge_tile& tile,
                               merge_tile_shared<Sizes, Key, Values::present>& shared, Output out,
                               const Values& values, Less less) {
  constexpr bool indexed = Values::present;
  load_keys<Sizes>(in, tile, shared.keys);
  merge_places<Sizes, indexed>(shared.keys, shared.source, tile.a_count, tile.count, less);

  const std::uint64_t from = tile.a_from + tile.b_from;
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int place = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (place < tile.count) out[from + place] = shared.keys[place].value;
  }
  if constexpr (indexed) {
    // All values are on their way before the first one is written.
    using value = std::remove_cvref_t<decltype(values.a[from])>;
    uninitialized<value> moved[Sizes::items];
#pragma unroll
    for (int j = 0; j < Sizes::items; ++j) {
      const int place = j * Sizes::threads + static_cast<int>(threadIdx.x);
      if (place < tile.count) {
        const int source = shared.source[place];
        if (source < tile.a_count) {
          moved[j] = uninitialized<value>(values.a[tile.a_from + source]);
        } else {
          moved[j] = uninitialized<value>(values.b[tile.b_from + (source - tile.a_count)]);
        }
      }
    }
#pragma unroll
    for (int j = 0; j < Sizes::items; ++j) {
      const int place = j * Sizes::threads + static_cast<int>(threadIdx.x);
      if (place < tile.count) values.out[from + place] = moved[j].value;
    }
  }
}

}  // namespace device

}  // namespace evenfold
