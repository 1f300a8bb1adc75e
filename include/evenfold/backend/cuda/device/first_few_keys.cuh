#pragma once
// The first few of the sorted keys on a GPU, at most one per lane of a warp: one pass over the keys
// in which no block waits for another.
//
// A warp reads tiles, and keeps of them no more than their first keys. When all are read, those of
// them that may be among the first k are listed. The block that ends last takes the first k of the
// list, reads the tiles that they are from again, and ranks the keys up to the k-th of the list:
// these contain the first k keys, since k keys are not behind it (first_few_ranks.cuh).
//
// What is listed: the keys are dealt to 32 groups. At least k keys are not behind the k-th of the
// first keys of the groups, whichever keys these have got so far. Blocks offer theirs when they
// have read half of their tiles, and take the bound when they have read all of them, so that the
// list has about 3 k keys. Lanes take keys of another group in each tile, and a random one of two
// neighbours is read in the first half. Therefore keys in any order are as good as random ones. The
// list has room for all tiles.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/first_few_ranks.cuh"
#include "evenfold/backend/cuda/device/first_few_turns.cuh"
#include "evenfold/backend/cuda/device/numbered_keys.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"

namespace evenfold::device {

/// Reads the share of a block, and appends to the list.
template <class Less, class Keys, class Size>
class first_few_block {
 public:
  using sizes = first_few_sizes;
  using input = numbered_input<Less, Keys, Size>;
  using key_type = typename input::key_type;
  using item = typename input::item;
  using bits_type = typename input::bits_type;
  using index_type = typename input::index_type;
  using ranks = first_few_ranks<Less, Keys, Size>;
  using word = first_few_state::word;
  static_assert(sizeof(bits_type) == sizeof(std::uint32_t));

  struct shared_type {
    word first[warp_threads];  // of each group, in the tiles of this block
    word bound;
    int warps_offered;
  };

  __device__ first_few_block(shared_type& shared, const input& keys,
                             const first_few_task<item>& task)
      : shared_(shared), input_(keys), task_(task) {
    if (threadIdx.x < warp_threads) shared_.first[threadIdx.x] = no_word;
    if (threadIdx.x == 0) shared_.warps_offered = 0;
    __syncthreads();
  }

  /// Returns the bound that was known to this block.
  __device__ word read() {
    const auto warp = static_cast<unsigned>(uniform_warp_id());
    const unit_turns& turns = task_.turns;
    const auto whole_tiles = static_cast<unsigned>(input_.count / sizes::tile);
    word first_of_group = no_word;        // in this lane
    item first_of_rounds = item::last();  // those of this lane, with the number of the tile
    int lane_of_round = 0;
    unsigned rounds_left = turns.rounds_of_lane();
    unsigned round = 0;
    for (unsigned turn = blockIdx.x; turn < turns.count(); turn += gridDim.x, ++round) {
      if (round == turns.first_half()) offer(first_of_group);
      const unsigned tile = turns.unit_of(turn) * sizes::warps + warp;
      if (std::uint64_t{tile} * sizes::tile < input_.count) {
        const bits_type first =
            tile < whole_tiles ? first_of_tile(tile, first_of_group) : first_of_last_tile(tile);
        const item mine{tile, first};
        if (lane_id() == lane_of_round && mine < first_of_rounds) first_of_rounds = mine;
      }
      if (--rounds_left == 0) {
        rounds_left = turns.rounds_of_lane();
        ++lane_of_round;
      }
    }
    if (round <= turns.first_half()) offer(first_of_group);
    if (warp_id() == 0) {
      const word known = bound();
      if (lane_id() == 0) shared_.bound = known;
    }
    __syncthreads();
    append(first_of_rounds);
    return shared_.bound;
  }

 private:
  static constexpr word no_word = first_few_state::no_word;

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
    atomicMin(&shared_.first[lane_id()], first);
    __threadfence_block();
    __syncwarp();
    int before = 0;
    if (lane_id() == 0) before = atomicAdd(&shared_.warps_offered, 1);
    if (__shfl_sync(whole_warp, before, 0) != sizes::warps - 1) return;
    __threadfence_block();
    atomicMax(&task_.state->not_first[lane_id()], ~atomicMin(&shared_.first[lane_id()], no_word));
  }

  /// The bound by what has been offered so far, or no_word.
  __device__ word bound() const {
    const word mine = ~*const_cast<const volatile word*>(&task_.state->not_first[lane_id()]);
    int before = 0;
#pragma unroll
    for (int delta = 1; delta < warp_threads; ++delta) {
      const int lane = (lane_id() + delta) % warp_threads;
      const word other = shuffle_from(mine, lane);
      before += static_cast<int>(other < mine || (other == mine && lane < lane_id()));
    }
    const unsigned lane_of_bound = __ballot_sync(whole_warp, before == task_.k - 1);
    return shuffle_from(mine, __ffs(static_cast<int>(lane_of_bound)) - 1);
  }

  /// Appends the first keys that the lanes hold and that are not behind the bound to the list.
  __device__ void append(const item& mine) {
    const bool is_listed = mine.index != index_type(-1) && ranks::word_of(mine) <= shared_.bound;
    const unsigned lanes = __ballot_sync(whole_warp, is_listed);
    if (lanes == 0) return;
    unsigned to = 0;
    if (lane_id() == 0) to = atomicAdd(&task_.state->listed, static_cast<unsigned>(__popc(lanes)));
    to = __shfl_sync(whole_warp, to, 0);
    if (is_listed) task_.list[to + __popc(lanes & ((1u << lane_id()) - 1))] = mine;
  }

  shared_type& shared_;
  const input& input_;
  const first_few_task<item>& task_;
};

template <class Less, class Keys, class Size>
struct first_few_shared {
  union {
    typename first_few_block<Less, Keys, Size>::shared_type block;
    typename first_few_ranks<Less, Keys, Size>::shared_type ranks;
  };
  int last;
};

/// Calls emit(rank, index, key) for the first k of the sorted keys.
template <class Less, class Keys, class Size, class Item, class Emit>
__global__ void __launch_bounds__(first_few_sizes::threads, first_few_sizes::blocks)
    first_few_keys_kernel(Keys keys, Size count, first_few_task<Item> task, Emit emit) {
  auto& shared = shared_as<first_few_shared<Less, Keys, Size>>();
  const numbered_input<Less, Keys, Size> input{{keys}, static_cast<std::uint64_t>(count)};
  const auto bound = first_few_block<Less, Keys, Size>(shared.block, input, task).read();
  if (!arrive_last(&task.state->blocks_done, &shared.last)) return;
  first_few_ranks<Less, Keys, Size>(shared.ranks, input, task)
      .rank(bound, [&](int rank, auto index, const auto& key) {
        emit(static_cast<Size>(rank), static_cast<Size>(index), key);
      });
}

}  // namespace evenfold::device
