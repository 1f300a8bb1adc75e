#pragma once
// The first k of the sorted keys of segments on a GPU, for a small k: one kernel that reads each
// key once.
//
// A warp takes a segment piece by piece, and holds the radix keys of a piece in registers. It keeps
// the first k keys of the pieces so far in shared memory. The keys of the next piece that may come
// before one of these are candidates: the warp appends them in their order, and ranks the kept keys
// and the candidates by counting. In the first piece, the candidates are the keys up to a
// threshold. The items are dealt out to 64 groups, and the threshold is the k-th of the first keys
// of the groups, so that k keys of the piece are not after it.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/segment_candidates.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

struct first_of_segments_sizes {
  /// The largest k, and the most candidates of a piece beside the keys kept before.
  static constexpr int most_results = warp_threads;
  static constexpr int most_candidates = 4 * warp_threads;
  static constexpr int groups = 2;  // per lane
  static constexpr int threads = 128;
};

/// Radix keys with their positions in the segment.
template <class Held, int Count>
struct positioned_keys {
  Held key[Count];
  std::uint32_t position[Count];
};

template <class Held>
struct first_of_segment_shared {
  using sizes = first_of_segments_sizes;
  positioned_keys<Held, sizes::most_results + sizes::most_candidates> candidates;
};

template <class Held>
class first_of_segment {
 public:
  using sizes = first_of_segments_sizes;

  __device__ first_of_segment(first_of_segment_shared<Held>& shared, int k)
      : keys_(shared.candidates), k_(k) {}

  /// Takes a piece of `items` keys, which begins at a position of the segment; keys of a lane past
  /// the last item are the largest possible.
  template <class Firsts>
  __device__ void take(const Held (&held)[piece_sizes::rows], const Firsts& firsts,
                       std::uint32_t position, int items) {
    // A kept key comes before an equivalent candidate. No key is before the least one.
    const bool is_full = num_kept_ == k_;
    if (is_full && last_ == 0) return;
    Held threshold = is_full ? Held(last_ - 1) : items > k_ ? kth_of_warp(firsts, k_) : Held(-1);
    int added = store(held, position, items, sizes::most_candidates,
                      [&](Held key) { return key <= threshold; });
    if (added > sizes::most_candidates) {
      const Held kth = kth_of_warp(held, k_);
      threshold = kth < threshold ? kth : threshold;
      added = store(held, position, items, k_, [&](Held key) { return key < threshold; });
      num_kept_ += added;
      const int more = store(held, position, items, k_, [&](Held key) { return key == threshold; });
      num_kept_ -= added;
      added += more < k_ ? more : k_;
    }
    if (added > 0) rank(num_kept_ + added);
  }

  /// Calls emit(rank, position) for the keys kept.
  template <class Emit>
  __device__ void emit_kept(const Emit& emit) const {
    if (lane_id() < num_kept_) emit(lane_id(), keys_.position[lane_id()]);
  }

 private:
  /// Appends the first `most` of the keys for which the predicate holds to the kept keys, and
  /// returns the number of all such keys.
  template <class Predicate>
  __device__ int store(const Held (&held)[piece_sizes::rows], std::uint32_t position, int items,
                       int most, Predicate holds) const {
    int stored = 0;
#pragma unroll
    for (int first = 0; first < piece_sizes::rows; first += piece_sizes::batch) {
      if (first * warp_threads >= items) break;
#pragma unroll
      for (int r = first; r < first + piece_sizes::batch; ++r) {
        const int slot = r * warp_threads + lane_id();
        const bool mine = slot < items && holds(held[r]);
        const unsigned row = __ballot_sync(whole_warp, mine);
        const int at = stored + __popc(row & ((1u << lane_id()) - 1));
        if (mine && at < most) {
          keys_.key[num_kept_ + at] = held[r];
          keys_.position[num_kept_ + at] = position + static_cast<unsigned>(slot);
        }
        stored += __popc(row);
      }
    }
    return stored;
  }

  /// Brings the first k of the stored keys to the beginning, in order.
  __device__ void rank(int count) {
    constexpr int parts = (sizes::most_results + sizes::most_candidates) / warp_threads;
    Held mine[parts];
    std::uint32_t position[parts];
    int rank_of[parts];
    __syncwarp();
#pragma unroll
    for (int p = 0; p < parts; ++p) {
      const int c = p * warp_threads + lane_id();
      rank_of[p] = k_;
      if (p * warp_threads >= count) break;
      if (c < count) {
        mine[p] = keys_.key[c];
        position[p] = keys_.position[c];
        int before = 0;
        for (int i = 0; i < c; ++i) before += keys_.key[i] <= mine[p];
        for (int i = c + 1; i < count; ++i) before += keys_.key[i] < mine[p];
        rank_of[p] = before;
      }
    }
    __syncwarp();
#pragma unroll
    for (int p = 0; p < parts; ++p) {
      if (p * warp_threads >= count) break;
      if (rank_of[p] < k_) {
        keys_.key[rank_of[p]] = mine[p];
        keys_.position[rank_of[p]] = position[p];
      }
    }
    __syncwarp();
    num_kept_ = count < k_ ? count : k_;
    last_ = warp_uniform(keys_.key[num_kept_ - 1]);
  }

  positioned_keys<Held, sizes::most_results + sizes::most_candidates>& keys_;
  int k_;
  int num_kept_ = 0;
  Held last_{};
};

/// Calls emit(result, index, key) for the first k keys of every segment, whose results begin at
/// begins[s]. No segment has 2^32 items.
template <class Less, class Keys, class Size, class Offsets, class Index, class Emit>
__global__ void __launch_bounds__(first_of_segments_sizes::threads)
    first_of_segments_kernel(Keys keys, detail::segment_view<Size, Offsets, Index> segments,
                             const Size* begins, int k, Emit emit) {
  using Key = element_t<Keys>;
  using Held = held_key<Key>;
  using sizes = first_of_segments_sizes;
  using wide = decltype(+Size{});
  constexpr int warps = sizes::threads / warp_threads;
  __shared__ first_of_segment_shared<Held> shared[warps];
  const int warp_of_block = uniform_warp_id();
  const auto warp = std::uint64_t{blockIdx.x} * warps + static_cast<unsigned>(warp_of_block);
  if (warp >= static_cast<std::uint64_t>(segments.num_segments)) return;
  const auto s = static_cast<Index>(warp);
  const wide begin = segments.begin(s);
  const wide length = warp_uniform(segments.end(s) - begin);
  first_of_segment<Held> first(shared[warp_of_block], k);
  for (wide from = 0; from < length; from += piece_sizes::items) {
    const wide left = length - from;
    const int items = left < piece_sizes::items ? static_cast<int>(left) : piece_sizes::items;
    Held held[piece_sizes::rows];
    Held firsts[sizes::groups];
    load_piece<Less>(keys, static_cast<Size>(begin + from), items, held, firsts);
    first.take(held, firsts, static_cast<std::uint32_t>(from), items);
  }
  first.emit_kept([&](int rank, std::uint32_t position) {
    const auto index = static_cast<Size>(begin + position);
    emit(static_cast<Size>(begins[s] + rank), index, static_cast<Key>(keys[index]));
  });
}

}  // namespace evenfold::device
