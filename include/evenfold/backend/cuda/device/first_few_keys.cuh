#pragma once
// The first few of the sorted keys on a GPU, at most one per lane of a warp: one pass over the keys
// in which no block waits for another.
//
// A warp reads tiles, and keeps of them no more than their first keys. When all are read, those of
// them that may be among the first k are listed. The block that ends last takes the first k of the
// list, reads the tiles that they are from again, and ranks the keys up to the k-th of the list:
// these contain the first k keys, since k keys are not behind it.
//
// What is listed: the keys are dealt to groups, of which there are k or a few more. At least k keys
// are not behind the last of the first keys of the groups, whichever keys these have got so far.
// Blocks offer theirs when they have read half of their tiles, and take the bound when they have
// read all of them, so that the list has about 7 k keys. Lanes take keys of another group in each
// tile, and a random one of two neighbours is read in the first half. Therefore keys in any order
// are as good as random ones. The list has room for all tiles.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/numbered_keys.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/shares.hpp"

namespace evenfold::device {

struct first_few_sizes {
  static constexpr int threads = 512;
  static constexpr int warps = threads / warp_threads;
  static constexpr int blocks = 3;  // per multiprocessor, at least
  /// The keys of a tile that a lane reads, all keys of a tile, and those that a block reads at
  /// once.
  static constexpr int items = 16;
  static constexpr unsigned tile = warp_threads * items;
  static constexpr unsigned unit = warps * tile;
  /// The most items of a list that are ranked without being reduced to fewer before.
  static constexpr int most_ranked = 256;
  /// Below so many keys, and for more results, a sample is faster.
  static constexpr std::uint64_t least_keys = std::uint64_t{1} << 23;
  static constexpr int most_results = 16;
  /// The largest number of keys whose tiles can be numbered.
  static constexpr std::uint64_t most_keys = std::uint64_t{tile} << 31;
};

/// What the blocks share; all of it is zero between kernels. A word is a radix key and the number
/// of its tile, in the order of keys and indices.
struct first_few_state {
  using word = unsigned long long;
  word not_first[warp_threads];  // of each group: the complement of its first word
  unsigned listed;
  unsigned blocks_done;
};

template <class Item>
struct first_few_task {
  int k;
  int groups;  // a power of two, at least k
  Item* list;
  first_few_state* state;
};

/// How units of tiles are dealt to a number of blocks. In the first half of all turns one unit of
/// each pair is taken.
struct unit_turns {
  unsigned count;
  unsigned blocks;

  EF_HD unsigned pairs() const { return count - count / 2; }
  EF_HD unsigned rounds() const { return detail::ceil_div(count, blocks); }
  /// How many rounds in a row a lane keeps the first key of, and how many it takes until half of
  /// the units are read.
  EF_HD unsigned rounds_of_lane() const {
    return detail::ceil_div(rounds(), unsigned{warp_threads});
  }
  EF_HD unsigned first_half() const { return detail::ceil_div(pairs(), blocks); }

  EF_HD unsigned unit_of(unsigned turn) const {
    const bool is_second_half = turn >= pairs();
    const unsigned pair = is_second_half ? turn - pairs() : turn;
    return 2 * pair + static_cast<unsigned>(is_turned(pair) != is_second_half);
  }
  EF_HD unsigned turn_of(unsigned unit) const {
    const unsigned pair = unit / 2;
    return is_turned(pair) == (unit % 2 != 0) ? pair : pair + pairs();
  }

 private:
  EF_HD bool is_turned(unsigned pair) const {
    return 2 * pair + 1 < count && pair * 0x9E3779B9u >> 31 != 0;
  }
};

template <class Item>
struct first_few_shared {
  using sizes = first_few_sizes;
  first_few_state::word first[warp_threads];  // of each group, in the tiles of this block
  first_few_state::word bound;
  int warps_offered;
  int last;
  int kept;
  Item first_of_threads[sizes::threads];
  Item ranked[sizes::most_ranked];
  Item first_of_list[warp_threads];
};

template <class Less, class Keys, class Size>
class first_few_block {
 public:
  using sizes = first_few_sizes;
  using input = numbered_input<Less, Keys, Size>;
  using key_type = typename input::key_type;
  using item = typename input::item;
  using bits_type = typename input::bits_type;
  using index_type = typename input::index_type;
  using word = first_few_state::word;
  static_assert(sizeof(bits_type) == sizeof(std::uint32_t));

  __device__ first_few_block(first_few_shared<item>& shared, Keys keys, Size count,
                             const first_few_task<item>& task)
      : shared_(shared),
        input_{{keys}, static_cast<std::uint64_t>(count)},
        task_(task),
        turns_{static_cast<unsigned>((input_.count + sizes::unit - 1) / sizes::unit), gridDim.x} {
    if (threadIdx.x < warp_threads) shared_.first[threadIdx.x] = no_word;
    if (threadIdx.x == 0) shared_.warps_offered = 0;
    __syncthreads();
  }

  /// Reads the share of this block, and appends to the list.
  __device__ void read() {
    const auto whole_tiles = static_cast<unsigned>(input_.count / sizes::tile);
    const unsigned first_half = turns_.first_half();
    const unsigned rounds_of_lane = turns_.rounds_of_lane();
    word first_of_group = no_word;        // in this lane
    item first_of_rounds = item::last();  // those of this lane, with the number of the tile
    int lane_of_round = 0;
    unsigned rounds_left = rounds_of_lane;
    unsigned round = 0;
    for (unsigned turn = blockIdx.x; turn < turns_.count; turn += gridDim.x, ++round) {
      if (round == first_half) offer(first_of_group);
      const unsigned tile = turns_.unit_of(turn) * sizes::warps + static_cast<unsigned>(warp_id());
      if (std::uint64_t{tile} * sizes::tile < input_.count) {
        const bits_type first =
            tile < whole_tiles ? first_of_tile(tile, first_of_group) : first_of_last_tile(tile);
        const item mine{tile, first};
        if (lane_id() == lane_of_round && mine < first_of_rounds) first_of_rounds = mine;
      }
      if (--rounds_left == 0) {
        rounds_left = rounds_of_lane;
        ++lane_of_round;
      }
    }
    if (round <= first_half) offer(first_of_group);
    if (warp_id() == 0) {
      const word known = bound();
      if (lane_id() == 0) shared_.bound = known;
    }
    __syncthreads();
    append(first_of_rounds);
  }

  /// Called by the last block: calls emit(rank, index, key) for the first k keys.
  template <class Emit>
  __device__ void rank(const Emit& emit) {
    const auto listed =
        static_cast<int>(*const_cast<const volatile unsigned*>(&task_.state->listed));
    const int count = narrowed(listed);
    for_first(count, [&](int rank, const item& first) { shared_.first_of_list[rank] = first; });
    __syncthreads();
    if (threadIdx.x < warp_threads) task_.state->not_first[threadIdx.x] = 0;
    if (threadIdx.x == 0) task_.state->listed = 0;
    const int length = count < task_.k ? count : task_.k;
    // Of fewer than k tiles all keys up to the bound of the list may be among the first k.
    const item bound = count < task_.k ? end_of_tile(shared_.bound)
                                       : end_of_tile(word_of(shared_.first_of_list[length - 1]));
    const int kept = narrowed(keep(length, bound));
    for_first(kept, [&](int rank, const item& one) {
      emit(rank, one.index, input_.keys(static_cast<Size>(one.index)));
    });
  }

 private:
  static constexpr word no_word = ~word{0};

  __device__ static word word_of(const item& of_tile) {
    return word{of_tile.bits} << 32 | static_cast<unsigned>(of_tile.index);
  }
  /// The last key of a tile that is not behind a word.
  __device__ static item end_of_tile(word last) {
    if (last == no_word) return item::last();
    const word next_tile = (last & 0xffffffffu) + 1;
    return {static_cast<index_type>(next_tile * sizes::tile - 1),
            static_cast<bits_type>(last >> 32)};
  }

  /// The first key of a whole tile. The lanes take keys of one group each.
  __device__ bits_type first_of_tile(unsigned tile, word& first_of_group) const {
    uninitialized<key_type> loaded[sizes::items];
    load_tile<warp_threads, sizes::items, key_type, Size>(std::uint64_t{tile} * sizes::tile,
                                                          input_.keys, lane_id(), loaded);
    // NaN are behind all numbers, and are not compared unless there may be no others.
    key_type first = last_number<Less, key_type>();
#pragma unroll
    for (const uninitialized<key_type>& one : loaded) {
      first = Less{}(one.value, first) ? one.value : first;
    }
    bits_type bits = input::bits_of(first);
    if (bits == input::bits_of(last_number<Less, key_type>())) {
      bits = bits_type(-1);
#pragma unroll
      for (const uninitialized<key_type>& one : loaded) {
        const bits_type other = input::bits_of(one.value);
        bits = other < bits ? other : bits;
      }
    }
    const int turn = static_cast<int>(tile * 0x9E3779B9u >> 27);
    const word other = word{__shfl_sync(whole_warp, bits, lane_id() + turn)} << 32 | tile;
    first_of_group = other < first_of_group ? other : first_of_group;
    return __reduce_min_sync(whole_warp, bits);
  }

  __device__ bits_type first_of_last_tile(unsigned tile) const {
    bits_type bits = bits_type(-1);
    for (std::uint64_t i = std::uint64_t{tile} * sizes::tile + static_cast<unsigned>(lane_id());
         i < input_.count; i += warp_threads) {
      const bits_type other = input_.numbered(i).bits;
      bits = other < bits ? other : bits;
    }
    return __reduce_min_sync(whole_warp, bits);
  }

  /// Offers the first keys of the lanes as those of groups; the last warp of the block does so for
  /// the block.
  __device__ void offer(word first) {
    for (int delta = warp_threads / 2; delta >= task_.groups; delta /= 2) {
      const word other = shuffle_xor(first, delta);
      first = other < first ? other : first;
    }
    const bool is_group = lane_id() < task_.groups;
    if (is_group) atomicMin(&shared_.first[lane_id()], first);
    __threadfence_block();
    __syncwarp();
    int before = 0;
    if (lane_id() == 0) before = atomicAdd(&shared_.warps_offered, 1);
    if (__shfl_sync(whole_warp, before, 0) != sizes::warps - 1) return;
    __threadfence_block();
    if (is_group) {
      atomicMax(&task_.state->not_first[lane_id()], ~atomicMin(&shared_.first[lane_id()], no_word));
    }
  }

  /// The bound by what has been offered so far, or no_word.
  __device__ word bound() const {
    word last = 0;
    if (lane_id() < task_.groups) {
      last = ~*const_cast<const volatile word*>(&task_.state->not_first[lane_id()]);
    }
#pragma unroll
    for (int delta = warp_threads / 2; delta > 0; delta /= 2) {
      const word other = shuffle_xor(last, delta);
      last = other > last ? other : last;
    }
    return last;
  }

  /// Appends the first keys that the lanes hold and that are not behind the bound to the list.
  __device__ void append(const item& mine) {
    const bool is_listed = mine.index != index_type(-1) && word_of(mine) <= shared_.bound;
    const unsigned lanes = __ballot_sync(whole_warp, is_listed);
    if (lanes == 0) return;
    unsigned to = 0;
    if (lane_id() == 0) to = atomicAdd(&task_.state->listed, static_cast<unsigned>(__popc(lanes)));
    to = __shfl_sync(whole_warp, to, 0);
    if (is_listed) task_.list[to + __popc(lanes & ((1u << lane_id()) - 1))] = mine;
  }

  /// Replaces the list by the keys up to the bound in the tiles that its first `length` stand for,
  /// and returns their number.
  __device__ int keep(int length, const item& bound) {
    const auto rounds = static_cast<int>(turns_.rounds_of_lane());
    if (threadIdx.x == 0) shared_.kept = 0;
    __syncthreads();
    for (int i = warp_id(); i < length * rounds; i += sizes::warps) {
      const auto tile = static_cast<unsigned>(shared_.first_of_list[i / rounds].index);
      const unsigned turn = turns_.turn_of(tile / sizes::warps);
      const unsigned first_round =
          turn / turns_.blocks / turns_.rounds_of_lane() * turns_.rounds_of_lane();
      const unsigned at =
          (first_round + static_cast<unsigned>(i % rounds)) * turns_.blocks + turn % turns_.blocks;
      if (at >= turns_.count) continue;
      keep_of_tile(turns_.unit_of(at) * sizes::warps + tile % sizes::warps, bound);
    }
    __syncthreads();
    return shared_.kept;
  }

  __device__ void keep_of_tile(unsigned tile, const item& bound) {
    const std::uint64_t begin =
        std::uint64_t{tile} * sizes::tile + static_cast<unsigned>(lane_id());
    item mine[sizes::items];
#pragma unroll
    for (int j = 0; j < sizes::items; ++j) {
      const std::uint64_t i = begin + static_cast<unsigned>(j * warp_threads);
      mine[j] = input_.numbered(i < input_.count ? i : 0);
    }
#pragma unroll
    for (int j = 0; j < sizes::items; ++j) {
      const std::uint64_t i = begin + static_cast<unsigned>(j * warp_threads);
      if (i < input_.count && !(bound < mine[j])) task_.list[atomicAdd(&shared_.kept, 1)] = mine[j];
    }
  }

  /// Reduces the list to a few items that contain the first k of it, and returns their number.
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

  /// Calls f(rank, item) for the first k of the list.
  template <class F>
  __device__ void for_first(int count, const F& f) {
    const auto thread = static_cast<int>(threadIdx.x);
    item mine{};
    if (thread < count) {
      mine = task_.list[thread];
      shared_.ranked[thread] = mine;
    }
    __syncthreads();
    if (thread >= count) return;
    int before = 0;
#pragma unroll 4
    for (int i = 0; i < count; ++i) before += shared_.ranked[i] < mine;
    if (before < task_.k) f(before, mine);
  }

  first_few_shared<item>& shared_;
  input input_;
  const first_few_task<item>& task_;
  unit_turns turns_;
};

/// Calls emit(rank, index, key) for the first k of the sorted keys.
template <class Less, class Keys, class Size, class Item, class Emit>
__global__ void __launch_bounds__(first_few_sizes::threads, first_few_sizes::blocks)
    first_few_keys_kernel(Keys keys, Size count, first_few_task<Item> task, Emit emit) {
  auto& shared = shared_as<first_few_shared<Item>>();
  first_few_block<Less, Keys, Size> block(shared, keys, count, task);
  block.read();
  if (!arrive_last(&task.state->blocks_done, &shared.last)) return;
  block.rank([&](int rank, auto index, const auto& key) {
    emit(static_cast<Size>(rank), static_cast<Size>(index), key);
  });
}

}  // namespace evenfold::device
