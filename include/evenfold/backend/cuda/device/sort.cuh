#pragma once
// sort on a GPU. Arithmetic keys in their natural order are sorted by counting while there are few
// (rank_sort.cuh) or have few different numbers (counting_sort.cuh), and by radix where there are
// many (radix_sort.cuh). All others, and those in between, are sorted by a merge sort:
//
// Keys that fit the tile of one block are sorted by this block: one launch, and no scratch.
//
// 1. Each block sorts a tile in shared memory (block_sort.cuh, with the tile as one segment).
// 2. In each pass, pairs of runs are merged into runs of twice the length. A block merges one tile
//    of results (merge_tiles.cuh); another kernel has found where the tile begins in both runs, on
//    the merge path. Keys move between the user's array and scratch, and end in the user's array.
//
// While each tile has a block of its own on the device, its block sorts it and merges in all
// passes, in one launch (merge_own_span.cuh). With a few tiles per multiprocessor, a second launch
// merges in all passes (merge_spans.cuh).
//
// Each step permutes the elements of the array whatever `less` returns: a block permutes its tile,
// and cuts are corrected until they fit each other (merge_cuts.cuh).
//
// Source: Green, McColl, Bader, "GPU Merge Path", ICS 2012.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block_sort.cuh"
#include "evenfold/backend/cuda/device/merge_own_span.cuh"
#include "evenfold/backend/cuda/device/merge_spans.cuh"
#include "evenfold/backend/cuda/device/merge_tiles.cuh"
#include "evenfold/backend/cuda/device/radix_sort.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of the merge sort: threads per block that sorts a tile, items per thread (an odd
/// number avoids bank conflicts), and threads per block that merges. Large tiles save passes, and
/// small blocks merge faster; the first number of threads is a multiple of the second.
template <int Threads = 512, int Items = 23, int MergeThreads = 256>
struct sort_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int merge_threads = MergeThreads;
  static_assert(Threads % MergeThreads == 0, "a tile is merged by whole blocks");
};

namespace device {

/// Tiles of about 45 KiB of keys.
template <class Key, class Value>
using default_sort_tuning = std::conditional_t<
    sizeof(Key) <= 4,
    std::conditional_t<std::is_same_v<Value, detail::no_value>, sort_tuning<512, 23>,
                       sort_tuning<512, 17>>,
    std::conditional_t<
        sizeof(Key) <= 8, sort_tuning<512, 11, 256>,
        std::conditional_t<sizeof(Key) <= 16, sort_tuning<256, 7, 256>, sort_tuning<128, 5, 128>>>>;

/// The tile of a block with a number of threads.
template <int Threads, int Items>
struct sort_tile_sizes {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int tile = threads * items;
  static_assert(tile < 65536, "slots of a tile are 16-bit numbers");
};

/// The tile for few elements: the fewer items a thread merges one after another, the sooner it
/// ends.
template <class Tuning>
using small_sort_tile = sort_tile_sizes<(Tuning::threads < 256 ? Tuning::threads : 256),
                                        (Tuning::items < 7 ? Tuning::items : 7)>;

/// The same as the spans of several blocks, for so few elements that each multiprocessor has at
/// most one.
template <class Tuning>
struct small_span : small_sort_tile<Tuning> {
  static constexpr int span = small_span::tile;
};

/// Tiles of half the size, with which twice as many multiprocessors work where there are too few
/// tiles for all of them. This is faster than the additional pass takes. Spans are whole tiles.
template <class Tuning>
struct half_tile : sort_tile_sizes<Tuning::threads, (Tuning::items / 2 | 1)> {
  static constexpr int span = half_tile::tile;
};

/// Keys and values in one of the two buffers between which they move.
template <class Key, class Value>
struct sort_side {
  uninitialized<Key>* keys;
  uninitialized<Value>* values;
};

/// Sorts the tile of the block from `from` into `to`, which may be the same, by comparing keys of
/// the type `Held`, to which those of `from` are converted, and which are converted to those of
/// `to`. Called by all threads of the block.
template <class Sizes, class Held, class From, class To, class Value, class Less>
__device__ void sort_own_tile(
    sort_shared<Sizes, Held, !std::is_same_v<Value, detail::no_value>>& shared,
    const sort_side<From, Value>& from, const sort_side<To, Value>& to, std::uint64_t count,
    Less less) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  constexpr int items = Sizes::items;
  const std::uint64_t base = std::uint64_t{blockIdx.x} * Sizes::tile;
  const auto held = [&](int slot) {
    return uninitialized<Held>(static_cast<Held>(from.keys[base + slot].value));
  };
  const int filled = count - base < Sizes::tile ? static_cast<int>(count - base) : Sizes::tile;
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (slot < filled) shared.keys[slot] = held(slot);
  }
  __syncthreads();
  if (!sort_tile<Sizes, indexed, false>(shared, filled, threadIdx.x == 0 ? 1u : 0u, less)) {
#pragma unroll 1
    for (int slot = static_cast<int>(threadIdx.x); slot < filled; slot += Sizes::threads) {
      shared.keys[slot] = held(slot);
    }
    keep_sources<indexed>(shared.source, filled);
  }
  if constexpr (indexed) {
    uninitialized<Value> value[items];
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
      if (slot < filled) value[j] = from.values[base + shared.source[slot]];
    }
    __syncthreads();  // values are sorted in place
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
      if (slot < filled) to.values[base + slot] = value[j];
    }
  }
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int slot = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (slot < filled) {
      to.keys[base + slot] = uninitialized<To>(static_cast<To>(shared.keys[slot].value));
    }
  }
}

/// Sorts each tile of `from` into `to`. Unless it is nullptr, sets zeros[k] to 0 for each tile k
/// and two more: the state of the merges that follow, which takes no further work on the stream.
template <class Sizes, class Held, class From, class To, class Value, class Less>
__global__ void __launch_bounds__(Sizes::threads, min_blocks<Sizes, Held, Value>(1536))
    sort_tile_kernel(sort_side<From, Value> from, sort_side<To, Value> to, std::uint64_t count,
                     unsigned long long* zeros, Less less) {
  auto& shared = shared_as<sort_shared<Sizes, Held, !std::is_same_v<Value, detail::no_value>>>();
  if (zeros != nullptr && threadIdx.x < (blockIdx.x == 0 ? 3 : 1)) {
    zeros[threadIdx.x == 0 ? blockIdx.x : gridDim.x + threadIdx.x - 1] = 0;
  }
  sort_own_tile<Sizes, Held>(shared, from, to, count, less);
}

/// Sorts the keys of `from`, a tile per block, into the user's buffer, and merges the tiles in the
/// same launch, which is cooperative.
template <class Sizes, class Held, class Key, class Value, class Less>
__global__ void __launch_bounds__(Sizes::threads, min_blocks<Sizes, Held, Value>(1024))
    sort_together_kernel(sort_side<Key, Value> from, sort_buffers<Held, Value> buffers, int count,
                         span_words state, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, detail::no_value>;
  auto& shared = shared_as<tile_and_span_shared<Sizes, Held, int, indexed>>();
  const whole_cuts<int> cuts{count, Sizes::span};
  const int buffer = cuts.passes() % 2;
  sort_own_tile<Sizes, Held>(shared.sort, from,
                             sort_side<Held, Value>{buffers.keys(buffer), buffers.values(buffer)},
                             static_cast<std::uint64_t>(count), less);
  merge_own_span<Sizes>(shared.merge, buffers, cuts[blockIdx.x], cuts[blockIdx.x + 1], state, less);
  if constexpr (!std::is_same_v<Held, Key>) {
    __syncthreads();
    const int base = static_cast<int>(blockIdx.x) * Sizes::tile;
    const int end = min(base + Sizes::tile, count);
#pragma unroll 4
    for (int i = base + static_cast<int>(threadIdx.x); i < end; i += Sizes::threads) {
      from.keys[i] = uninitialized<Key>(static_cast<Key>(buffers.user_keys[i].value));
    }
  }
}

/// The pair of runs whose merge has a tile of results. All pairs have `pair_tiles` tiles.
template <class Sizes, class Key, class Value>
struct tile_pair {
  std::uint64_t begin;
  merge_inputs<const Key*, const Key*> in;

  __device__ tile_pair(const sort_side<Key, Value>& from, std::uint64_t count, unsigned pair_tiles,
                       unsigned tile)
      : begin(std::uint64_t{tile / pair_tiles * pair_tiles} * Sizes::tile) {
    const std::uint64_t width = std::uint64_t{pair_tiles / 2} * Sizes::tile;
    const std::uint64_t middle = min(begin + width, count);
    const std::uint64_t end = min(middle + width, count);
    const Key* const keys = reinterpret_cast<const Key*>(from.keys);
    in = {keys + begin, middle - begin, keys + middle, end - middle};
  }
};

/// The number of lanes that search for a cut together. They wait for memory half as often as a
/// single lane; more lanes would wait less often, but read more and take longer.
inline constexpr int cut_lanes = 4;

/// The number of cuts that a block finds.
inline constexpr int cuts_per_block = 64;

/// Finds the cuts: cuts[k] of the results before tile k, within its pair, come from the first run.
/// With `blocks_meet`, the cuts of a pair may be found by two blocks.
template <class Sizes, class Key, class Value, class Less>
__global__ void __launch_bounds__(cuts_per_block* cut_lanes)
    cut_runs_kernel(sort_side<Key, Value> from, std::uint64_t count, unsigned pair_tiles,
                    unsigned tiles, std::uint64_t* cuts, bool blocks_meet, unsigned* arrived,
                    Less less) {
  __shared__ std::uint64_t found[cuts_per_block];
  const unsigned k = blockIdx.x * cuts_per_block + threadIdx.x / cut_lanes;
  const unsigned tile = min(k, tiles - 1);
  const tile_pair<Sizes, Key, Value> pair(from, count, pair_tiles, tile);
  const std::uint64_t diagonal = std::uint64_t{tile} * Sizes::tile - pair.begin;
  const std::uint64_t low = diagonal > pair.in.b_count ? diagonal - pair.in.b_count : 0;
  const std::uint64_t high = diagonal < pair.in.a_count ? diagonal : pair.in.a_count;
  const std::uint64_t cut = group_partition_point<cut_lanes, 1>(low, high, [&](std::uint64_t at) {
    return !less(pair.in.b[diagonal - 1 - at], pair.in.a[at]);
  });
  if (threadIdx.x % cut_lanes == 0) found[threadIdx.x / cut_lanes] = cut;
  store_cuts(found, tiles, cuts, blocks_meet, arrived,
             [=](std::uint64_t of, std::uint64_t cut_of_tile, std::uint64_t before) {
               return static_cast<unsigned>(of) % pair_tiles == 0
                          ? cut_of_tile
                          : detail::fit_cut(cut_of_tile, before, Sizes::tile);
             });
}

/// Merges pairs of runs, one tile of results per block.
template <class Sizes, class Key, class Value, class Less>
__global__ void __launch_bounds__(Sizes::threads, min_blocks<Sizes, Key, Value>(1024))
    merge_runs_kernel(sort_side<Key, Value> from, sort_side<Key, Value> to, std::uint64_t count,
                      unsigned pair_tiles, const std::uint64_t* cuts, Less less) {
  using values_type = merge_values<const uninitialized<Value>*, const uninitialized<Value>*,
                                   std::conditional_t<std::is_same_v<Value, detail::no_value>,
                                                      detail::no_value*, uninitialized<Value>*>>;
  auto& shared = shared_as<merge_tile_shared<Sizes, Key, values_type::present>>();
  const tile_pair<Sizes, Key, Value> pair(from, count, pair_tiles, blockIdx.x);
  const std::uint64_t diagonal = std::uint64_t{blockIdx.x} * Sizes::tile - pair.begin;
  const std::uint64_t left = pair.in.count() - diagonal;
  const int steps = left < Sizes::tile ? static_cast<int>(left) : Sizes::tile;
  const std::uint64_t a_from = cuts[blockIdx.x];
  // The last tile of a pair takes all that is left of the first run.
  const std::uint64_t a_to = left <= Sizes::tile ? pair.in.a_count : cuts[blockIdx.x + 1];
  const merge_tile tile{a_from, diagonal - a_from, static_cast<int>(a_to - a_from), steps};
  values_type values{};
  if constexpr (values_type::present) {
    values = {from.values + pair.begin, from.values + pair.begin + pair.in.a_count,
              to.values + pair.begin};
  }
  merge_one_tile<Sizes>(pair.in, tile, shared, reinterpret_cast<Key*>(to.keys) + pair.begin, values,
                        less);
}

}  // namespace device

}  // namespace evenfold
