#pragma once
// The bound of the first k of the sorted keys on a GPU, from a sample of the keys.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/grid_barrier.cuh"
#include "evenfold/backend/cuda/device/numbered_keys.cuh"

namespace evenfold::device {

struct first_keys_sizes {
  static constexpr int threads = 512;
  static constexpr int warps = threads / warp_threads;
  /// How many keys next to each other a thread samples, and how many keys a bound is chosen from.
  static constexpr int each = 8;
  static constexpr int sampled = threads * each;
  /// The candidates that a warp holds before it appends them.
  static constexpr int held = 64;
  /// The most candidates that are ranked.
  static constexpr int most_ranked = 4096;
};

/// How the bound is chosen: it is one of a list of up to `sampled` keys. In a large input each of
/// these is the first of a group of keys, which the lanes of a warp sample far from each other; in
/// a small one each block samples the keys of the list itself.
struct bound_choice {
  /// The number of keys in the list, or 0 if the block samples them.
  int listed;
  /// How many lanes sample a group, a power of two, and how many keys each.
  int lanes;
  int rounds;
  /// The number of keys in the list that are before the bound.
  int rank;
};

/// The index of a sampled key: a random one of a share of `count` keys.
EF_HD inline std::uint64_t sampled_index(std::uint64_t count, std::uint64_t share,
                                         std::uint64_t shares) {
  // The finalizer of MurmurHash3, whose quality is enough for a sample.
  auto bits = static_cast<std::uint32_t>(share) * 0x9E3779B9u;
  bits = (bits ^ bits >> 16) * 0x85EBCA6Bu;
  bits = (bits ^ bits >> 13) * 0xC2B2AE35u;
  bits ^= bits >> 16;
  const double at = (static_cast<double>(share) + bits * 0x1p-32) *
                    (static_cast<double>(count) / static_cast<double>(shares));
  const auto index = static_cast<std::uint64_t>(at);
  return index < count ? index : count - 1;
}

/// Finds the bound, which is the same in all blocks, of the keys of an Input.
template <class Input>
class sampled_bound {
 public:
  using sizes = first_keys_sizes;
  using item = typename Input::item;
  using bits_type = typename Input::bits_type;
  using index_type = typename Input::index_type;
  using shared_type = unsigned[2][sizes::warps];

  __device__ sampled_bound(shared_type& folds, grid_barrier& barrier, const Input& keys,
                           const bound_choice& choice, item* list)
      : folds_(folds), barrier_(barrier), keys_(keys), choice_(choice), list_(list) {}

  /// The bound: one of the list, or, if there is none, of keys that the block samples.
  __device__ item operator()() {
    const int listed = choice_.listed;
    item sample[sizes::each];
    if (listed > 0) {
      const auto warp = static_cast<int>(blockIdx.x) * sizes::warps + warp_id();
      if (warp < listed) {
        const item first = first_of_group(warp);
        if (lane_id() == 0) list_[warp] = first;
      }
      barrier_([] {});
#pragma unroll
      for (int j = 0; j < sizes::each; ++j) {
        const int i = j * sizes::threads + static_cast<int>(threadIdx.x);
        sample[j] = i < listed ? list_[i] : item::last();
      }
    } else {
      const std::uint64_t at =
          sampled_index(keys_.count - sizes::each + 1, threadIdx.x, sizes::threads);
#pragma unroll
      for (int j = 0; j < sizes::each; ++j)
        sample[j] = keys_.numbered(at + static_cast<unsigned>(j));
    }
    int rank = choice_.rank;
    const auto bits = nth<bits_type>(
        rank, [&](int j) { return sample[j].bits; }, [](int) { return true; });
    if (rank < 0) return {index_type(-1), bits};
    const auto index = nth<index_type>(
        rank, [&](int j) { return sample[j].index; },
        [&](int j) { return sample[j].bits == bits; });
    return {index, bits};
  }

 private:
  /// The fold of a number of each thread, in all threads; `fold` is that of a warp, of which 0 is
  /// the identity.
  template <class Fold>
  __device__ unsigned block_fold_all(unsigned value, Fold fold) {
    value = fold(value);
    turn_ ^= 1;
    if (lane_id() == 0) folds_[turn_][warp_id()] = value;
    __syncthreads();
    return fold(lane_id() < sizes::warps ? folds_[turn_][lane_id()] : 0u);
  }

  /// The `rank`-th of the words of the block, or a word between it and one a little after it; then
  /// `rank` is -1. Otherwise `rank` becomes its rank among the words that equal it. word(j) is one
  /// of the words of a thread, and takes(j) whether it counts.
  template <class Word, class GetWord, class Takes>
  __device__ Word nth(int& rank, GetWord word, Takes takes) {
    Word found = 0;
    Word bit = Word{1} << (8 * sizeof(Word) - 1);
    if constexpr (sizeof(Word) == sizeof(unsigned)) {
      // The words agree in all bits above the highest one that is set in some, but not in all.
      const auto any = [](unsigned bits) { return __reduce_or_sync(whole_warp, bits); };
      unsigned ones = 0, zeros = 0;
#pragma unroll
      for (int j = 0; j < sizes::each; ++j) {
        ones |= takes(j) ? word(j) : 0;
        zeros |= takes(j) ? ~word(j) : 0;
      }
      ones = block_fold_all(ones, any);
      zeros = block_fold_all(zeros, any);
      const int highest = highest_bit(ones & zeros);
      if (highest < 0) return ones;
      bit = 1u << highest;
      found = ones & ~(2 * bit - 1);
    }
    int skipped = 0;
    for (; bit != 0; bit >>= 1) {
      const Word next = found | bit;
      unsigned before = 0;
#pragma unroll
      for (int j = 0; j < sizes::each; ++j) before += takes(j) && word(j) < next;
      const auto count = static_cast<int>(
          block_fold_all(before, [](unsigned sum) { return __reduce_add_sync(whole_warp, sum); }));
      if (count > rank && count <= rank + 1 + rank / 16) {
        rank = -1;
        return next - 1;
      }
      if (count <= rank) {
        found = next;
        skipped = count;
      }
    }
    rank -= skipped;
    return found;
  }

  /// In lane 0: the first key of the group of a warp.
  __device__ item first_of_group(int warp) const {
    const auto lanes = static_cast<std::uint64_t>(choice_.lanes);
    const auto rounds = static_cast<std::uint64_t>(choice_.rounds);
    const auto listed = static_cast<std::uint64_t>(choice_.listed);
    const auto lane = static_cast<std::uint64_t>(lane_id());
    item first = item::last();
#pragma unroll 4
    for (std::uint64_t r = 0; lane < lanes && r < rounds; ++r) {
      const std::uint64_t share = (r * lanes + lane) * listed + static_cast<std::uint64_t>(warp);
      const item one = keys_.numbered(sampled_index(keys_.count, share, lanes * rounds * listed));
      first = one < first ? one : first;
    }
#pragma unroll
    for (int delta = 1; delta < warp_threads; delta *= 2) {
      const item other = shuffle_xor(first, delta);
      first = other < first ? other : first;
    }
    return first;
  }

  shared_type& folds_;
  grid_barrier& barrier_;
  const Input& keys_;
  const bound_choice& choice_;
  item* list_;
  int turn_ = 0;
};

}  // namespace evenfold::device
