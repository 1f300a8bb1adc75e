#pragma once
// The candidates for the first k keys of segments on a GPU: one kernel that reads each key once.
//
// Each warp takes a piece of a segment, whose radix keys it holds in registers. The items are dealt
// out to groups in turn, a few groups per lane. The k-th of the first keys of the groups is a
// threshold: k keys of the piece are not after it. The warp finds it bit by bit, counts by ballots,
// and stores the positions of the keys up to it, in order. In random order these are about 1.4 k at
// most; where many keys equal the threshold, only as many of these as may be needed are stored.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

/// The items of a piece, the threads per block, and the rows of 32 items of which the loads are
/// issued together.
struct piece_sizes {
  static constexpr int rows = warp_threads;
  static constexpr int items = rows * warp_threads;
  static constexpr int threads = 128;
  static constexpr int batch = 8;
};

/// The radix key of an item in registers.
template <class Key>
using held_key = std::conditional_t<(sizeof(Key) <= 4), std::uint32_t, std::uint64_t>;

/// The k-th of the keys of all lanes, or a key between it and the next one.
template <int Groups, class Held>
__device__ Held kth_of_warp(const Held (&keys)[Groups], int k) {
  Held found = 0;
  for (Held bit = Held{1} << (8 * sizeof(Held) - 1); bit != 0; bit >>= 1) {
    const Held next = found | bit;
    int before = 0;
#pragma unroll
    for (int g = 0; g < Groups; ++g) before += __popc(__ballot_sync(whole_warp, keys[g] < next));
    if (before == k) return next - 1;
    if (before < k) found = next;
  }
  return found;
}

/// In lane r: a bit for each item of row r whose key holds.
template <class Held, class Predicate>
__device__ unsigned rows_that_hold(const Held (&keys)[piece_sizes::rows], int items,
                                   Predicate holds) {
  unsigned mine = 0;
#pragma unroll
  for (int first = 0; first < piece_sizes::rows; first += piece_sizes::batch) {
    if (first * warp_threads >= items) break;
#pragma unroll
    for (int r = first; r < first + piece_sizes::batch; ++r) {
      const unsigned row = __ballot_sync(whole_warp, holds(keys[r]));
      if (lane_id() == r) mine = row;
    }
  }
  const int left = items - lane_id() * warp_threads;
  return left >= warp_threads ? mine : left > 0 ? mine & ((1u << left) - 1) : 0;
}

/// Loads the radix keys of the items from `begin` on, row by row, and the first key of each group
/// of the lane. What is no item gets the last key.
template <class Less, class Keys, class Size, class Held, int Groups>
__device__ void load_piece(const Keys& keys, Size begin, int items, Held (&held)[piece_sizes::rows],
                           Held (&firsts)[Groups]) {
  using Key = element_t<Keys>;
#pragma unroll
  for (Held& first : firsts) first = Held(-1);
#pragma unroll
  for (int first = 0; first < piece_sizes::rows; first += piece_sizes::batch) {
    if (first * warp_threads >= items) {
#pragma unroll
      for (int r = first; r < first + piece_sizes::batch; ++r) held[r] = Held(-1);
      continue;
    }
    // Loads that do not depend on a condition are issued together.
    Key raw[piece_sizes::batch];
#pragma unroll
    for (int j = 0; j < piece_sizes::batch; ++j) {
      const int slot = (first + j) * warp_threads + lane_id();
      raw[j] = static_cast<Key>(keys[static_cast<Size>(begin + (slot < items ? slot : items - 1))]);
    }
#pragma unroll
    for (int j = 0; j < piece_sizes::batch; ++j) {
      const int r = first + j;
      const bool is_item = r * warp_threads + lane_id() < items;
      held[r] = is_item ? Held{detail::radix_key<Less>(raw[j])} : Held(-1);
      firsts[r % Groups] = firsts[r % Groups] < held[r] ? firsts[r % Groups] : held[r];
    }
  }
}

/// Stores the positions of the candidates of piece p from positions[begins[p]] on, where the piece
/// begins, and their number. `first_pieces` and `piece_segments` tell which pieces a segment has.
template <class Less, int Groups, class Keys, class Size, class Offsets, class Index>
__global__ void __launch_bounds__(piece_sizes::threads)
    keep_candidates_kernel(Keys keys, detail::segment_view<Size, Offsets, Index> segments,
                           const Size* first_pieces, const Index* piece_segments, Size num_pieces,
                           int k, Size* positions, Size* begins, Size* counts) {
  using Held = held_key<element_t<Keys>>;
  using wide = decltype(+Size{});
  constexpr unsigned warps = piece_sizes::threads / warp_threads;
  const auto warp = std::uint64_t{blockIdx.x} * warps + static_cast<unsigned>(uniform_warp_id());
  if (warp >= static_cast<std::uint64_t>(num_pieces)) return;
  const auto piece = static_cast<Size>(warp);
  const Index s = piece_segments[piece];
  const wide begin = segments.begin(s) + (wide{piece} - first_pieces[s]) * piece_sizes::items;
  const wide left = segments.end(s) - begin;
  const int items =
      warp_uniform(left < piece_sizes::items ? static_cast<int>(left) : piece_sizes::items);

  Held held[piece_sizes::rows];
  Held firsts[Groups];
  load_piece<Less>(keys, static_cast<Size>(begin), items, held, firsts);
  const Held threshold = items > k ? kth_of_warp(firsts, k) : Held(-1);
  unsigned kept = rows_that_hold(held, items, [=](Held key) { return key <= threshold; });
  const auto sum = [](int a, int b) { return a + b; };
  int kept_to = warp_inclusive_scan(__popc(kept), sum);
  int total = shuffle_from(kept_to, warp_threads - 1);
  if (items > k && total > 2 * Groups * warp_threads) {
    const unsigned before = rows_that_hold(held, items, [=](Held key) { return key < threshold; });
    unsigned equal = kept & ~before;
    const int before_to = warp_inclusive_scan(__popc(before), sum);
    const int equal_to = warp_inclusive_scan(__popc(equal), sum);
    const int needed = k - shuffle_from(before_to, warp_threads - 1);
    // The last of the equal keys of the row go until none is beyond those that are needed.
    for (int beyond = equal_to - needed; beyond > 0 && equal != 0; --beyond) {
      equal &= ~(1u << (31 - __clz(equal)));
    }
    kept = before | equal;
    kept_to = warp_inclusive_scan(__popc(kept), sum);
    total = shuffle_from(kept_to, warp_threads - 1);
  }

  Size* const to = positions + begin + (kept_to - __popc(kept));
  const auto row = static_cast<Size>(begin + lane_id() * warp_threads);
  for (int j = 0; kept != 0; ++j, kept &= kept - 1) {
    to[j] = static_cast<Size>(row + (__ffs(kept) - 1));
  }
  if (lane_id() == 0) {
    begins[piece] = static_cast<Size>(begin);
    counts[piece] = static_cast<Size>(total);
  }
}

}  // namespace evenfold::device
