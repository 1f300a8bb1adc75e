#pragma once
// Candidates for the first k of the sorted keys on a GPU: one kernel of which the host awaits
// nothing, and which ranks the candidates if k is small.
//
// All blocks take the same bound from a sample of the keys, a little behind the expected k-th of
// all keys. Then each block reads its share of the keys once, and its warps append those up to the
// bound, the candidates, to one array, in any order. If they are fewer than k or do not fit, the
// bound is moved halfway to the nearest one that failed on the other side, and the keys are read
// again. The rank of a candidate is the number of candidates before it, which a warp counts.
//
// Keys are compared together with their indices, so no two are equal, the result is unique, and
// many equal keys are no special case.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/grid_barrier.cuh"
#include "evenfold/backend/cuda/device/numbered_keys.cuh"
#include "evenfold/backend/cuda/device/sampled_bound.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/shares.hpp"

namespace evenfold::device {

template <class Item>
struct first_keys_shared {
  using sizes = first_keys_sizes;
  union {
    Item held[sizes::warps][sizes::held];
    Item ranked[sizes::most_ranked];
  };
  unsigned folds[2][sizes::warps];  // for sampled_bound
};

/// What all blocks share.
template <class Item>
struct first_keys_task {
  std::uint64_t k;
  bound_choice choice;
  Item* list;
  Item* candidates;
  std::uint64_t capacity;
  unsigned long long* kept;   // zero between kernels
  unsigned long long* found;  // what `kept` was
};

template <class Less, class Keys, class Size>
class first_keys_block {
 public:
  using sizes = first_keys_sizes;
  using input = numbered_input<Less, Keys, Size>;
  using key_type = typename input::key_type;
  using item = typename input::item;
  using bits_type = typename input::bits_type;
  using index_type = typename input::index_type;
  /// The keys that a lane reads at once, and that the share of a block is a multiple of.
  static constexpr int items = sizeof(key_type) <= 4 ? 16 : 8;
  static constexpr std::uint64_t granule = 64;

  __device__ first_keys_block(first_keys_shared<item>& shared, grid_barrier& barrier, Keys keys,
                              Size count, const first_keys_task<item>& task)
      : shared_(shared),
        barrier_(barrier),
        input_{{keys}, static_cast<std::uint64_t>(count)},
        task_(task) {}

  /// Writes at least the first k keys to the candidates, and returns their number.
  __device__ std::uint64_t keep() {
    item low{}, high = item::last();
    bool has_low = false;
    item bound = high;
    if (input_.count > task_.capacity) {
      sampled_bound<input> sample(shared_.folds, barrier_, input_, task_.choice, task_.list);
      bound = sample();
    }
    for (;;) {
      keep_up_to(bound);
      barrier_([this] {
        if (threadIdx.x == 0) {
          *task_.found = *task_.kept;
          *task_.kept = 0;
        }
      });
      const std::uint64_t found = *const_cast<const volatile unsigned long long*>(task_.found);
      if (found >= task_.k && found <= task_.capacity) return found;
      if (found > task_.capacity) {
        high = bound;
      } else {
        low = bound;
        has_low = true;
      }
      bound = between(low, has_low, high);
    }
  }

  /// Calls emit(rank, index, key) for the first k of the candidates.
  template <class Emit>
  __device__ void rank(int count, const Emit& emit) {
    const int first = static_cast<int>(blockIdx.x) * sizes::warps;
    if (first >= count) return;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += sizes::threads) {
      shared_.ranked[i] = task_.candidates[i];
    }
    __syncthreads();
    for (int c = first + uniform_warp_id(); c < count;
         c += static_cast<int>(gridDim.x) * sizes::warps) {
      const item mine = shared_.ranked[c];
      key_type key{};  // read while the keys before it are counted
      if (lane_id() == 0) key = input_.keys(static_cast<Size>(mine.index));
      int before = 0;
      for (int i = lane_id(); i < count; i += warp_threads) before += shared_.ranked[i] < mine;
      before = __reduce_add_sync(whole_warp, before);
      if (lane_id() == 0 && static_cast<std::uint64_t>(before) < task_.k) {
        emit(before, mine.index, key);
      }
    }
  }

 private:
  /// A bound between two that failed: below `low`, if there is one, there are too few keys.
  __device__ static item between(const item& low, bool has_low, const item& high) {
    constexpr auto end = index_type(-1);
    if (high.bits - low.bits > 1) {
      // Many keys may equal the bound.
      if (high.index != end) return {end, bits_type(high.bits - 1)};
      return {end, bits_type(low.bits + (high.bits - low.bits) / 2)};
    }
    if (low.bits < high.bits && !(has_low && low.index == end)) return {end, low.bits};
    const index_type from = has_low && low.bits == high.bits ? low.index : index_type{0};
    return {index_type(from + (high.index - from) / 2), high.bits};
  }

  /// Appends the keys up to the bound to the candidates. If they do not fit, more than fit are
  /// counted, but not all.
  __device__ void keep_up_to(const item& bound) {
    constexpr std::uint64_t tile = warp_threads * items;
    constexpr int width = tile_pack<element_of<key_type, Keys>, items>;
    const std::uint64_t granules = (input_.count + granule - 1) / granule;
    const auto share = [&](std::uint64_t block) {
      const std::uint64_t at =
          granule * detail::share_begin(granules, std::uint64_t{gridDim.x}, block);
      return at < input_.count ? at : input_.count;
    };
    const std::uint64_t end = share(std::uint64_t{blockIdx.x} + 1);
    int held = 0;
    for (std::uint64_t base = share(blockIdx.x) + static_cast<unsigned>(uniform_warp_id()) * tile;
         base < end; base += sizes::warps * tile) {
      if (base + tile <= end) {
        uninitialized<key_type> loaded[items];
        load_tile<warp_threads, items, key_type, Size>(base, input_.keys, lane_id(), loaded);
        // NaN never are the first of the lane; a bound behind all numbers takes the slow way.
        key_type least = last_number<Less, key_type>();
#pragma unroll
        for (const uninitialized<key_type>& one : loaded) {
          least = Less{}(one.value, least) ? one.value : least;
        }
        const bits_type bits = input::bits_of(least);
        const bool has_equal = bits == bound.bits && base <= bound.index;
        if (!__any_sync(whole_warp, bits < bound.bits || has_equal)) continue;
#pragma unroll
        for (int j = 0; j < items; ++j) {
          const std::uint64_t at =
              base + static_cast<unsigned>((j / width * warp_threads + lane_id()) * width) +
              static_cast<unsigned>(j % width);
          held = append(input::numbered(loaded[j].value, at), bound, true, held);
        }
      } else {
        for (std::uint64_t row = base; row < end; row += warp_threads) {
          const std::uint64_t at = row + static_cast<unsigned>(lane_id());
          const bool is_key = at < end;
          held = append(input_.numbered(is_key ? at : row), bound, is_key, held);
        }
      }
    }
    flush(held);
  }

  /// Takes one key of each lane, and returns how many candidates the warp holds then.
  __device__ int append(const item& mine, const item& bound, bool is_key, int held) {
    const bool kept = is_key && !(bound < mine);
    const unsigned keepers = __ballot_sync(whole_warp, kept);
    if (keepers == 0) return held;
    if (held + __popc(keepers) > sizes::held) {
      flush(held);
      held = 0;
    }
    if (kept) {
      shared_.held[warp_id()][held + __popc(keepers & ((1u << lane_id()) - 1))] = mine;
    }
    return held + __popc(keepers);
  }

  /// Appends what the warp holds.
  __device__ void flush(int held) {
    if (held == 0) return;
    __syncwarp();
    unsigned long long to = 0;
    if (lane_id() == 0 && *const_cast<volatile unsigned long long*>(task_.kept) <= task_.capacity) {
      to = atomicAdd(task_.kept, static_cast<unsigned long long>(held));
    } else if (lane_id() == 0) {
      to = task_.capacity;
    }
    to = __shfl_sync(whole_warp, to, 0);
    for (int i = lane_id(); i < held; i += warp_threads) {
      if (to + static_cast<unsigned>(i) < task_.capacity) {
        task_.candidates[to + static_cast<unsigned>(i)] = shared_.held[warp_id()][i];
      }
    }
    __syncwarp();
  }

  first_keys_shared<item>& shared_;
  grid_barrier& barrier_;
  input input_;
  const first_keys_task<item>& task_;
};

/// Finds the candidates; if they are to be ranked, calls emit(rank, index, key) for the first k of
/// the sorted keys, else delivers the number of candidates.
template <class Less, bool Ranks, class Keys, class Size, class Item, class Result>
__global__ void __launch_bounds__(first_keys_sizes::threads, 2)
    first_keys_kernel(Keys keys, Size count, first_keys_task<Item> task, Result result,
                      grid_barrier barrier) {
  auto& shared = shared_as<first_keys_shared<Item>>();
  first_keys_block<Less, Keys, Size> block(shared, barrier, keys, count, task);
  const std::uint64_t found = block.keep();
  if constexpr (Ranks) {
    block.rank(static_cast<int>(found), [&](int rank, auto index, const auto& key) {
      result(static_cast<Size>(rank), static_cast<Size>(index), key);
    });
  } else {
    if (blockIdx.x == 0 && threadIdx.x == 0) result(found);
  }
  barrier.leave();
}

}  // namespace evenfold::device
