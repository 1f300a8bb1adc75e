#pragma once
// The end of first_few_keys.cuh: one block ranks the first keys of the tiles that are listed.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/first_few_turns.cuh"
#include "evenfold/backend/cuda/device/numbered_keys.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"

namespace evenfold::device {

/// What the blocks share; all of it is zero between kernels. A word is a radix key and the number
/// of its tile, in the order of keys and indices.
struct first_few_state {
  using word = unsigned long long;
  static constexpr word no_word = ~word{0};
  word not_first[warp_threads];  // of each group: the complement of its first word
  unsigned listed;
  unsigned blocks_done;
};

template <class Item>
struct first_few_task {
  int k;
  unit_turns turns;
  Item* list;
  first_few_state* state;
};

/// Ranks the listed keys, whose indices are those of tiles, reads the tiles of the first k of them
/// again, and ranks the keys of these. All threads of a block call it.
template <class Less, class Keys, class Size>
class first_few_ranks {
 public:
  using sizes = first_few_sizes;
  using input = numbered_input<Less, Keys, Size>;
  using key_type = typename input::key_type;
  using item = typename input::item;
  using bits_type = typename input::bits_type;
  using index_type = typename input::index_type;
  using word = first_few_state::word;

  struct shared_type {
    int kept;
    item first_of_threads[sizes::threads];
    item ranked[sizes::most_ranked];
    item first_of_list[warp_threads];
  };

  __device__ first_few_ranks(shared_type& shared, const input& keys,
                             const first_few_task<item>& task)
      : shared_(shared), input_(keys), task_(task) {}

  /// Calls emit(rank, index, key) for the first k keys. All of them are in tiles that are listed,
  /// and none is behind `last`.
  template <class Emit>
  __device__ void rank(word last, const Emit& emit) {
    // The list is read before its length is known.
    const item listed_first = task_.list[threadIdx.x];
    auto listed = static_cast<int>(*const_cast<const volatile unsigned*>(&task_.state->listed));
    if (threadIdx.x < sizes::most_ranked) shared_.ranked[threadIdx.x] = listed_first;
    if (threadIdx.x == 0) shared_.kept = 0;
    __syncthreads();
    if (threadIdx.x < warp_threads) task_.state->not_first[threadIdx.x] = 0;
    if (threadIdx.x == 0) task_.state->listed = 0;
    if (listed > sizes::most_ranked) listed = narrowed(listed);
    for_ranks(listed, [&](const item& one, const auto& rank_of) {
      const int at = rank_of();
      if (at < task_.k) shared_.first_of_list[at] = one;
    });
    __syncthreads();
    // Of fewer than k tiles all keys up to the last one may be among the first k.
    const int length = listed < task_.k ? listed : task_.k;
    keep(length, end_of_tile(listed < task_.k ? last : word_of(shared_.first_of_list[length - 1])));
    __syncthreads();
    int kept = shared_.kept;
    if (kept > sizes::most_ranked) kept = narrowed(kept);
    for_ranks(kept, [&](const item& one, const auto& rank_of) {
      // The key is read while its rank is counted.
      const auto key = input_.keys(static_cast<Size>(one.index));
      const int at = rank_of();
      if (at < task_.k) emit(at, one.index, key);
    });
  }

  __device__ static word word_of(const item& of_tile) {
    return word{of_tile.bits} << 32 | static_cast<unsigned>(of_tile.index);
  }

 private:
  static constexpr unsigned in_turns = sizes::threads / sizes::ranking_lanes;

  /// The last key of a tile that is not behind a word.
  __device__ static item end_of_tile(word last) {
    if (last == first_few_state::no_word) return item::last();
    const word next_tile = (last & 0xffffffffu) + 1;
    return {static_cast<index_type>(next_tile * sizes::tile - 1),
            static_cast<bits_type>(last >> 32)};
  }

  /// Calls f(item, rank_of) for the ranked items, in one of the lanes that rank an item, where
  /// rank_of() is the rank of the item or larger than all ranks: once for each item.
  template <class F>
  __device__ void for_ranks(int count, const F& f) {
    const int part = lane_id() % sizes::ranking_lanes;
    for (int base = 0; base < count; base += in_turns) {
      const int i = base + static_cast<int>(threadIdx.x) / sizes::ranking_lanes;
      const item mine = shared_.ranked[i < count ? i : 0];
      f(mine, [&] {
        int before = 0;
#pragma unroll 4
        for (int j = part; j < count; j += sizes::ranking_lanes) {
          before += shared_.ranked[j] < mine;
        }
#pragma unroll
        for (int delta = sizes::ranking_lanes / 2; delta > 0; delta /= 2) {
          before += __shfl_xor_sync(whole_warp, before, delta);
        }
        return i < count && part == 0 ? before : sizes::most_ranked;
      });
    }
  }

  /// Lists the keys up to the bound in the tiles that the first `length` of the list stand for.
  __device__ void keep(int length, const item& bound) {
    const auto rounds = static_cast<int>(task_.turns.rounds_of_lane());
    for (int i = warp_id(); i < length * rounds; i += sizes::warps) {
      const auto first = static_cast<unsigned>(shared_.first_of_list[i / rounds].index);
      const unsigned tile = task_.turns.tile_of_lane(first, static_cast<unsigned>(i % rounds));
      if (tile != unit_turns::none) keep_of_tile(tile, bound);
    }
  }

  __device__ void keep_of_tile(unsigned tile, const item& bound) {
    const std::uint64_t begin = std::uint64_t{tile} * sizes::tile;
    const auto lane = static_cast<unsigned>(lane_id());
    if (input_.count - begin < sizes::tile) {
      for (std::uint64_t i = begin + lane; i < input_.count; i += warp_threads) {
        keep_up_to(bound, input_.numbered(i));
      }
      return;
    }
    // All keys are in flight at once.
    uninitialized<key_type> loaded[sizes::items];
    load_tile<warp_threads, sizes::items, key_type, Size>(begin, input_.keys, lane, loaded);
    constexpr unsigned width = tile_pack<element_of<key_type, Keys>, sizes::items>;
#pragma unroll
    for (unsigned j = 0; j < sizes::items; ++j) {
      const std::uint64_t at = begin + (j / width * warp_threads + lane) * width + j % width;
      keep_up_to(bound, input::numbered(loaded[j].value, at));
    }
  }

  __device__ void keep_up_to(const item& bound, const item& mine) {
    if (bound < mine) return;
    const int to = atomicAdd(&shared_.kept, 1);
    task_.list[to] = mine;
    if (to < sizes::most_ranked) shared_.ranked[to] = mine;
  }

  /// Reduces the list to a few items that contain the first k of it, which are ranked next, and
  /// returns their number.
  __device__ int narrowed(int count) {
    while (count > sizes::most_ranked) {
      const item bound = bound_of_list(count);
      if (threadIdx.x == 0) shared_.kept = 0;
      for (int base = 0; base < count; base += sizes::threads) {
        const int i = base + static_cast<int>(threadIdx.x);
        const item mine = task_.list[i < count ? i : 0];
        __syncthreads();
        if (i < count && !(bound < mine)) task_.list[atomicAdd(&shared_.kept, 1)] = mine;
      }
      __syncthreads();
      count = shared_.kept;
      __syncthreads();
    }
    if (static_cast<int>(threadIdx.x) < count) {
      shared_.ranked[threadIdx.x] = task_.list[threadIdx.x];
    }
    if (threadIdx.x == 0) shared_.kept = 0;
    __syncthreads();
    return count;
  }

  /// At least k of the items, but not all, are not behind this one. The lanes are the groups.
  __device__ item bound_of_list(int count) {
    item first = item::last();
    for (int i = static_cast<int>(threadIdx.x); i < count; i += sizes::threads) {
      const item other = task_.list[i];
      first = other < first ? other : first;
    }
    shared_.first_of_threads[threadIdx.x] = first;
    __syncthreads();
    for (int t = lane_id(); t < sizes::threads; t += warp_threads) {
      const item other = shared_.first_of_threads[t];
      first = other < first ? other : first;
    }
    // Every warp has the first of all now, and folds them to the same bound.
#pragma unroll
    for (int delta = warp_threads / 2; delta > 0; delta /= 2) {
      const item other = shuffle_xor(first, delta);
      first = first < other ? other : first;
    }
    return first;
  }

  shared_type& shared_;
  const input& input_;
  const first_few_task<item>& task_;
};

}  // namespace evenfold::device
