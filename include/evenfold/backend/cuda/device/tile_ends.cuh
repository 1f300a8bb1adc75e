#pragma once
// The segment ends of one tile of a warp, in shared memory, and which segment an item belongs to.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"

namespace evenfold::device {

/// The largest number of rows of segment ends of a tile. Rows beyond Tuning::rows are loaded when
/// the tile is opened.
template <class Tuning>
inline constexpr int most_rows = Tuning::rows;
template <class Tuning>
  requires requires { Tuning::most_rows; }
inline constexpr int most_rows<Tuning> = Tuning::most_rows;

/// The segment ends of a tile. A boundary is a slot before which one or more segments end. `Tuning`
/// and `Values`, the values cached per segment, are those of segment_tiles.
template <class Tuning, class Size, class Values, bool HasCached>
struct tile_ends {
  static constexpr int capacity = warp_threads * most_rows<Tuning>;
  static constexpr int words = warp_threads * Tuning::items / 32 + 1;

  /// The boundaries among 32 slots, read in one access.
  struct alignas(8) boundary_word {
    std::uint32_t bits;    // bit p: a segment ends before slot p of the word
    std::uint32_t before;  // boundaries in earlier words, after count_boundaries()
  };

  Size open_begin;  // where the first segment of the tile begins
  boundary_word boundary[words];
  std::uint16_t ends[capacity];  // the slots before which segments end, in order
  // Where some segments are empty: the segment that follows each boundary.
  std::uint16_t following[Tuning::finds_segments ? capacity + 1 : 1];
  uninitialized<Values> cached[HasCached ? capacity : 1];

  /// Clears the boundaries.
  __device__ void clear() {
    for (int w = lane_id(); w < words; w += warp_threads) boundary[w].bits = 0;
  }

  /// Stores that the s-th segment of the tile ends before a slot.
  __device__ void add(int s, std::uint32_t slot) {
    ends[s] = static_cast<std::uint16_t>(slot);
    atomicOr(&boundary[slot / 32].bits, 1u << slot % 32);
  }

  /// The boundaries in the run of slots of this lane: bit k, 0 <= k <= items, is set where a
  /// segment ends before its k-th slot.
  __device__ unsigned of_lane() const {
    const int first = lane_id() * Tuning::items;
    const std::uint64_t both =
        boundary[first / 32].bits | static_cast<std::uint64_t>(boundary[first / 32 + 1].bits) << 32;
    return static_cast<unsigned>(both >> first % 32) & ((2u << Tuning::items) - 1);
  }

  /// For N consecutive slots of one word: how many boundaries lie at or before each, which is the
  /// number of the item's segment among those that are not empty.
  template <int N>
  __device__ void boundaries_at(int slot, int (&found)[N]) const {
    const boundary_word word = boundary[slot / 32];
    found[0] = boundaries_to(word, slot);
#pragma unroll
    for (int n = 1; n < N; ++n) {
      found[n] = found[n - 1] + static_cast<int>(word.bits >> (slot + n) % 32 & 1);
    }
  }

  /// Counts the boundaries before each word. Returns the number of all. Synchronises the warp.
  __device__ int count_boundaries() {
    constexpr int each = (words + warp_threads - 1) / warp_threads;
    int count[each];
    int sum = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int w = lane_id() * each + k;
      count[k] = w < words ? __popc(boundary[w].bits) : 0;
      sum += count[k];
    }
    const int to_here = warp_inclusive_scan(sum, [](int a, int b) { return a + b; });
    int before = to_here - sum;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int w = lane_id() * each + k;
      if (w < words) boundary[w].before = static_cast<std::uint32_t>(before);
      before += count[k];
    }
    const int all = __shfl_sync(whole_warp, to_here, warp_threads - 1);
    __syncwarp();
    return all;
  }

  /// Where some of the `closed` segments that end in the tile are empty: lists the segment that
  /// follows each boundary, and moves its cached values to the same position. Values only move
  /// towards the beginning, so that rows of segments can be moved one after the other. Synchronises
  /// the warp.
  __device__ void list_following(int closed) {
    if (lane_id() == 0) following[0] = 0;
    for (int row = 0; row < closed; row += warp_threads) {
      const int s = row + lane_id();
      const int slot = s < closed ? ends[s] : 0;
      const bool is_last = s < closed && (s + 1 == closed || ends[s + 1] != slot);
      const int boundaries = is_last ? boundaries_to(boundary[slot / 32], slot) : 0;
      if (is_last) following[boundaries] = static_cast<std::uint16_t>(s + 1);
      if constexpr (HasCached) {
        uninitialized<Values> moved;
        const bool moves = is_last && s + 1 < capacity;
        if (moves) moved = cached[s + 1];
        __syncwarp();
        if (moves) cached[boundaries] = moved;
      }
    }
    __syncwarp();
  }

 private:
  /// The number of boundaries of the tile at or before a slot of the word.
  __device__ static int boundaries_to(const boundary_word& word, int slot) {
    return static_cast<int>(word.before) + __popc(word.bits & ((2u << slot % 32) - 1));
  }
};

}  // namespace evenfold::device
