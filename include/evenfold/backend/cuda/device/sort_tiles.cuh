#pragma once
// Blocks sort the pieces of segments in their tiles: the second step of segmented_sort.cuh, and the
// cuts and buffers that its steps share.

#include <cstdint>
#include <cuda/std/bit>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/block_sort.cuh"
#include "evenfold/backend/cuda/device/keys_with_nan.cuh"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// Sizes that follow from the tuning: a tile holds a span and one short segment, which takes up to
/// so many eighths of it.
template <class Tuning, int Eighths = 1>
struct sort_sizes : Tuning {
  static constexpr int tile = Tuning::threads * Tuning::items;
  static constexpr int short_segment = tile / 8 * Eighths;
  static constexpr int span = tile - short_segment;
  static_assert(tile < 65536, "slots of a tile are 16-bit numbers");
};

/// A cut between two tiles, and the segment that it splits, if any (begin < end).
template <class Size>
struct sort_cut {
  Size at;
  Size begin;
  Size end;
};

/// How many merge passes the segment [begin, end) takes if it is cut at each multiple of `span`.
template <class Size>
__host__ __device__ int merge_passes(Size begin, Size end, Size span) {
  if (begin == end) return 0;
  const auto borders = static_cast<std::uint64_t>((end - 1) / span - begin / span);
  return static_cast<int>(::cuda::std::bit_width(borders));
}

/// Keys and their values, in the user's memory (buffer 0) and in scratch (buffer 1).
template <class Key, class Value>
struct sort_buffers {
  uninitialized<Key>* user_keys;
  uninitialized<Key>* more_keys;
  uninitialized<Value>* user_values;
  uninitialized<Value>* more_values;

  __device__ uninitialized<Key>* keys(int buffer) const {
    return buffer == 0 ? user_keys : more_keys;
  }
  __device__ uninitialized<Value>* values(int buffer) const {
    return buffer == 0 ? user_values : more_values;
  }
};

/// Loads the keys of the tile from `base` on. Returns whether one of this thread is NaN.
template <class Sizes, class Shared, class Key, class Value, class Size>
__device__ bool load_tile_keys(Shared& shared, const sort_buffers<Key, Value>& buffers, Size base,
                               int count) {
  bool has_nan = false;
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (slot < count) {
      const uninitialized<Key> key = buffers.keys(0)[base + slot];
      shared.keys[slot] = key;
      has_nan |= is_nan(key);
    }
  }
  return has_nan;
}

/// The bits of the heads of the items of this thread, from those of a tile whose first item has bit
/// `first_bit`; the tile begins with one.
template <class Sizes>
__device__ unsigned heads_of_thread(const std::uint32_t* shared, int first_bit, int count) {
  const int thread = static_cast<int>(threadIdx.x);
  const int bit = first_bit + thread * Sizes::items;
  unsigned mine = 0;
  if (thread * Sizes::items < count) {
    const std::uint64_t words = shared[bit / 32] | static_cast<std::uint64_t>(shared[bit / 32 + 1])
                                                       << 32;
    const int have = min(count - thread * Sizes::items, Sizes::items);
    mine = static_cast<unsigned>(words >> bit % 32) & ((1u << have) - 1);
  }
  return thread == 0 ? mine | 1 : mine;
}

/// Loads the bits of the heads of the segments of a tile, and returns the bit of its first item.
template <class Sizes, class Size>
__device__ int load_heads(std::uint32_t* shared, const std::uint32_t* heads, Size base, int count) {
  const std::uint64_t first_word = static_cast<std::uint64_t>(base) / 32;
  for (int w = static_cast<int>(threadIdx.x); w < count / 32 + 2; w += Sizes::threads) {
    // One word more than those of the items is read; the bitmap has a spare word at its end.
    shared[w] = heads[first_word + static_cast<unsigned>(w)];
  }
  return static_cast<int>(static_cast<std::uint64_t>(base) % 32);
}

/// Loads the bits of the heads of the segments of a tile, and returns those of the items of this
/// thread. Synchronises the block.
template <class Sizes, class Size>
__device__ unsigned heads_of_run(std::uint32_t* shared, const std::uint32_t* heads, Size base,
                                 int count) {
  const int first_bit = load_heads<Sizes>(shared, heads, base, count);
  __syncthreads();
  return heads_of_thread<Sizes>(shared, first_bit, count);
}

/// sort_tile with numbers instead of the keys, in the total order of `Order`. A call of a function
/// takes no registers from sort_tile of keys without NaN.
template <class Order, class Sizes, bool Indexed, class Key>
__device__ __noinline__ void sort_tile_as_numbers(sort_shared<Sizes, Key, Indexed>& shared,
                                                  int count, unsigned heads) {
  __builtin_assume(__isShared(&shared));
  using number = detail::numbered_key<Order, Key>;
  convert_slots<number>(shared.keys, count);
  auto& numbers = same_memory<sort_shared<Sizes, number, Indexed>>(shared);
  sort_tile<Sizes, Indexed, true>(numbers, count, heads, detail::numbered_order{});
  convert_slots<Key>(numbers.keys, count);
}

/// sort_tile, with NaN last where keys are sorted so. `has_nan`: whether there is one, as
/// sync_for_nan() says.
template <class Sizes, bool Indexed, class Key, class Less>
__device__ bool sort_tile_with_nan(sort_shared<Sizes, Key, Indexed>& shared, int count,
                                   unsigned heads, bool has_nan, Less less) {
  if constexpr (may_have_nan<Less, Key>) {
    if (has_nan) {
      sort_tile_as_numbers<detail::natural_order_t<Less, Key>>(shared, count, heads);
      return true;
    }
  }
  return sort_tile<Sizes, Indexed, true>(shared, count, heads, order_without_nan<Key>(less));
}

/// Sorts the tile between cuts[0] and cuts[1], whose keys are in shared memory; `mine` are the
/// heads of this thread, and `has_nan` is as for sort_tile_with_nan().
template <class Sizes, class Size, class Key, class Value, class Sources, class Less>
__device__ void sort_loaded_tile(
    sort_shared<Sizes, Key, !std::is_same_v<Value, detail::no_value>>& shared, unsigned mine,
    bool has_nan, const sort_buffers<Key, Value>& buffers, const Sources& sources,
    const sort_cut<Size>* cuts, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  constexpr int items = Sizes::items;
  constexpr int threads = Sizes::threads;
  const int thread = static_cast<int>(threadIdx.x);
  const Size base = cuts[0].at;
  const int count = static_cast<int>(cuts[1].at - base);
  if (!sort_tile_with_nan<Sizes, indexed>(shared, count, mine, has_nan, less)) {
#pragma unroll 1
    for (int slot = thread; slot < count; slot += threads) {
      shared.keys[slot] = buffers.keys(0)[base + slot];
    }
    keep_sources<indexed>(shared.source, count);
  }

  // Items of a split segment go to the buffer that its first merge pass reads. The cuts are read
  // again, so that they take no registers during the sort.
  const sort_cut<Size> left = cuts[0];
  const sort_cut<Size> right = cuts[1];
  constexpr Size span = Sizes::span;
  const int left_end = left.begin < left.end ? static_cast<int>(min(left.end, right.at) - base) : 0;
  const int left_buffer = merge_passes(left.begin, left.end, span) % 2;
  const int right_begin =
      right.begin < right.end ? static_cast<int>(max(right.begin, base) - base) : count;
  const int right_buffer = merge_passes(right.begin, right.end, span) % 2;
  const auto buffer_of = [=](int slot) {
    return slot < left_end ? left_buffer : slot >= right_begin ? right_buffer : 0;
  };
  // Most tiles go to one buffer.
  const int first_buffer = buffer_of(0);
  const bool is_one =
      first_buffer == buffer_of(count - 1) && (first_buffer == 0 || left_end >= right_begin);
  if constexpr (indexed) {
    uninitialized<Value> value[items];
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int slot = j * threads + thread;
      if (slot < count) {
        value[j] = uninitialized<Value>(sources(base + static_cast<Size>(shared.source[slot])));
      }
    }
    __syncthreads();  // values are sorted in place
    if (is_one) {
      uninitialized<Value>* const to = buffers.values(first_buffer) + base;
#pragma unroll
      for (int j = 0; j < items; ++j) {
        const int slot = j * threads + thread;
        if (slot < count) to[slot] = value[j];
      }
    } else {
#pragma unroll
      for (int j = 0; j < items; ++j) {
        const int slot = j * threads + thread;
        if (slot < count) buffers.values(buffer_of(slot))[base + slot] = value[j];
      }
    }
  }
  if (is_one) {
    uninitialized<Key>* const to = buffers.keys(first_buffer) + base;
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int slot = j * threads + thread;
      if (slot < count) to[slot] = shared.keys[slot];
    }
  } else {
#pragma unroll 1
    for (int slot = thread; slot < count; slot += threads) {
      buffers.keys(buffer_of(slot))[base + slot] = shared.keys[slot];
    }
  }
}

/// Step 2: block k sorts the tile between cuts k and k + 1.
template <class Sizes, class Size, class Key, class Value, class Sources, class Less>
__global__ void __launch_bounds__(Sizes::threads, min_blocks<Sizes, Key, Value>(1536))
    sort_segment_tiles_kernel(sort_buffers<Key, Value> buffers, Sources sources,
                              const std::uint32_t* heads, const sort_cut<Size>* cuts, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  using shared_type = sort_shared<Sizes, Key, indexed>;
  shared_type& shared = shared_as<shared_type>();
  const Size base = cuts[blockIdx.x].at;
  const int count = static_cast<int>(cuts[blockIdx.x + 1].at - base);
  if (count == 0) return;

  const bool has_seen_nan = load_tile_keys<Sizes>(shared, buffers, base, count);
  const int first_bit = load_heads<Sizes>(shared.heads, heads, base, count);
  const bool has_nan = sync_for_nan<Less, Key>(has_seen_nan);
  const unsigned mine = heads_of_thread<Sizes>(shared.heads, first_bit, count);
  sort_loaded_tile<Sizes>(shared, mine, has_nan, buffers, sources, cuts + blockIdx.x, less);
}

}  // namespace evenfold::device
