#pragma once
// Segmented data, tile by tile: what transform_lbs and segreduce share on a GPU.
//
// A block takes one equal share of the walk along items and segment ends (balance/merge_path.hpp), which it
// finds by itself with a 256-way search. It walks its share in tiles: a tile ends after `tile` item places,
// or where the window of segment ends that the block has loaded is used up. The window adapts to the
// density of the segments, so a tile costs one load of each end it closes and little more, whether a
// segment is empty or spans the whole share. While a tile is worked on, the next one's window is on its way.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/cuda/block.cuh"

namespace evenfold::device {

/// segment_view::position by one warp, with a few rounds of loads that do not wait for each other.
template <class Size, class Offsets, class SegmentSize>
__device__ segment_position<Size, SegmentSize> warp_position(
    const segment_view<Size, Offsets, SegmentSize>& segments, std::uint64_t diagonal) {
  const std::uint64_t most = static_cast<std::uint64_t>(segments.num_segments);
  const std::uint64_t closed = warp_partition_point<8>(
      std::uint64_t{0}, diagonal < most ? diagonal : most, [&](std::uint64_t s) {
        return static_cast<std::uint64_t>(segments.end(static_cast<SegmentSize>(s))) + s < diagonal;
      });
  return {static_cast<Size>(diagonal - closed), static_cast<SegmentSize>(closed)};
}

/// Where a tile begins, and where it ends if its window of segment ends does not end it.
template <class Size, class SegmentSize>
struct tile_start {
  Size item;            ///< the first item
  Size base;            ///< the item of place 0: a multiple of 32, so that rows of places are whole lines
  SegmentSize segment;  ///< the segment that is open
  int limit;            ///< places [first(), limit) hold the items
  __device__ int first() const { return static_cast<int>(item - base); }
};

/// One block's walk through its share. `Tuning` has `threads`, `items` (item places a thread) and `rows`
/// (most window entries a thread); `Cached` is a tuple of iterators read once a segment and tile.
template <class Tuning, class Size, class Offsets, class SegmentSize, class Cached>
class segment_tiles {
 public:
  using view_type = segment_view<Size, Offsets, SegmentSize>;
  using start_type = tile_start<Size, SegmentSize>;
  using values_type = std::remove_cvref_t<decltype(load_at(std::declval<Cached>(), 0))>;
  static constexpr int threads = Tuning::threads;
  static constexpr int tile = threads * Tuning::items;
  static constexpr int capacity = threads * Tuning::rows;
  static constexpr int words = tile / 32 + 1;
  static constexpr bool has_cached = !std::is_same_v<Cached, tuple<>>;
  static_assert(tile < 65536, "places in a tile are 16-bit numbers");

  struct shared_type {
    segment_position<Size, SegmentSize> share[2];
    Size open_begin;                   // where the segment open at the tile's beginning begins
    int closed;                        // segments that end in the tile
    std::uint32_t boundary[words];     // bit p: a segment ends before place p
    std::uint32_t ends_in_word[words];  // ends among the places of a word; then those before the word
    std::uint16_t ends[capacity];      // their places, in order
    maybe<values_type> cached[has_cached ? capacity : 1];
  };

  /// Finds the share of this block and starts to load its first window. Synchronises.
  __device__ segment_tiles(const view_type& segments, const Cached& cached, shared_type& shared)
      : segments_(segments), cached_(cached), shared_(shared) {
    if (warp_id() < 2) {
      const auto found = warp_position(
          segments, share_begin(segments.steps(), gridDim.x, blockIdx.x + warp_id()));
      if (lane_id() == 0) shared_.share[warp_id()] = found;
    }
    clear();
    __syncthreads();
    const std::uint64_t density =
        static_cast<std::uint64_t>(segments.num_segments) * tile / segments.steps();
    rows_ = rows_for(static_cast<int>(density));
    next_ = start_at(shared_.share[0].item, shared_.share[0].segment);
    load_window();
    advance();
  }

  __device__ bool done() const {
    return now_.item == shared_.share[1].item && now_.segment == shared_.share[1].segment;
  }

  /// The tile at hand, and the one after it once settle() was called.
  __device__ const start_type& now() const { return now_; }
  __device__ const start_type& next() const { return next_; }

  /// Places [now().first(), last()) hold the tile's items; `closed()` segments end in it.
  __device__ int last() const { return last_; }
  __device__ int closed() const { return closed_; }
  __device__ bool first_of_share() const { return now_.segment == shared_.share[0].segment; }
  /// Whether the last item of the tile is the last of its segment.
  __device__ bool ends_closed() const {
    return closed_ > 0 && shared_.ends[closed_ - 1] == last_;
  }

  /// Puts the window into shared memory. The block synchronises before settle().
  __device__ void store_window() {
    const Size most = now_.base + now_.limit;
    int closed = 0;
#pragma unroll
    for (int r = 0; r < Tuning::rows; ++r) {
      if (r >= rows_) break;
      const bool in_tile = window_[r] <= most;
      const int at = r * threads + static_cast<int>(threadIdx.x);
      if (in_tile) {
        const auto place = static_cast<std::uint32_t>(window_[r] - now_.base);
        shared_.ends[at] = static_cast<std::uint16_t>(place);
        atomicOr(&shared_.boundary[place / 32], 1u << place % 32);
        if constexpr (Tuning::finds_segments) atomicAdd(&shared_.ends_in_word[place / 32], 1u);
      }
      closed += __popc(__ballot_sync(whole_warp, in_tile));
      if constexpr (has_cached) shared_.cached[at] = window_cached_[r];
    }
    if (lane_id() == 0 && closed > 0) atomicAdd(&shared_.closed, closed);
    if (threadIdx.x == 0) shared_.open_begin = open_begin_;
  }

  /// Learns where the tile ends and starts to load the window of the next one.
  __device__ void settle() {
    closed_ = shared_.closed;
    const bool used_up = closed_ == rows_ * threads;
    last_ = used_up ? shared_.ends[closed_ - 1] : now_.limit;
    rows_ = used_up ? Tuning::rows : rows_for(closed_);
    next_ = start_at(now_.base + last_, now_.segment + static_cast<SegmentSize>(closed_));
    load_window();
  }

  /// Goes to the next tile.
  __device__ void advance() { now_ = next_; }

  /// Empties the shared memory for the next tile, once no thread reads it any more.
  __device__ void clear() {
    for (int w = threadIdx.x; w < words; w += threads) {
      shared_.boundary[w] = 0;
      if constexpr (Tuning::finds_segments) shared_.ends_in_word[w] = 0;
    }
    if (threadIdx.x == 0) shared_.closed = 0;
  }

  /// Makes segment_at() ready: counts the ends before each word. The block synchronises before and after.
  __device__ void count_ends_before() {
    if (warp_id() != 0) return;
    constexpr int each = (words + warp_threads - 1) / warp_threads;
    std::uint32_t mine[each];
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int w = lane_id() * each + k;
      mine[k] = w < words ? shared_.ends_in_word[w] : 0;
      sum += mine[k];
    }
    std::uint32_t before =
        warp_inclusive_scan(sum, [](std::uint32_t a, std::uint32_t b) { return a + b; }) - sum;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int w = lane_id() * each + k;
      if (w < words) shared_.ends_in_word[w] = before;
      before += mine[k];
    }
  }

  /// The segments of the items of N consecutive places in one word, counted from now().segment: how many
  /// segments of the tile end at or before each. Where no place of the word has two ends, a population
  /// count answers.
  template <int N>
  __device__ void segments_at(int place, int (&found)[N]) const {
    const int word = place / 32;
    const int before = static_cast<int>(shared_.ends_in_word[word]);
    const int after = static_cast<int>(shared_.ends_in_word[word + 1]);
    const std::uint32_t bits = shared_.boundary[word];
    if (__popc(bits) == after - before) {
      found[0] = before + __popc(bits & ((2u << place % 32) - 1));
#pragma unroll
      for (int n = 1; n < N; ++n) {
        found[n] = found[n - 1] + static_cast<int>(bits >> (place + n) % 32 & 1);
      }
    } else {
#pragma unroll
      for (int n = 0; n < N; ++n) {
        found[n] = partition_point(before, after,
                                   [&](int s) { return shared_.ends[s] <= place + n; });
      }
    }
  }

  /// First item of the tile's s-th segment.
  __device__ Size begin_of(int s) const {
    return s > 0 ? now_.base + shared_.ends[s - 1] : shared_.open_begin;
  }

  /// f(index, seg, rank [, cached]) for the item of a place in the tile's s-th segment.
  template <class F>
  __device__ decltype(auto) call(const F& f, int place, int s) const {
    const Size index = now_.base + static_cast<Size>(place);
    return call_lbs(f, index, now_.segment + static_cast<SegmentSize>(s), index - begin_of(s),
                    shared_.cached[has_cached ? s : 0].value);
  }
  template <class F>
  __device__ decltype(auto) call(const F& f, int place) const {
    int s[1];
    segments_at(place, s);
    return call(f, place, s[0]);
  }

 private:
  static constexpr Size never = std::numeric_limits<Size>::max();

  /// Rows that hold `closed` ends and a quarter more, and the open segment.
  __device__ static int rows_for(int closed) {
    const int rows = (closed + closed / 4) / threads + 1;
    return rows < Tuning::rows ? rows : Tuning::rows;
  }

  __device__ start_type start_at(Size item, SegmentSize segment) const {
    const Size base = item - item % 32;
    const Size left = shared_.share[1].item - base;
    return {item, base, segment, left < static_cast<Size>(tile) ? static_cast<int>(left) : tile};
  }

  /// Starts to load the segment ends, and what is cached of the segments, that the next tile may need.
  __device__ void load_window() {
#pragma unroll
    for (int r = 0; r < Tuning::rows; ++r) {
      if (r >= rows_) break;
      const std::uint64_t s = static_cast<std::uint64_t>(next_.segment) + r * threads + threadIdx.x;
      const bool closes = s < static_cast<std::uint64_t>(shared_.share[1].segment);
      window_[r] = closes ? segments_.end(static_cast<SegmentSize>(s)) : never;
      if constexpr (has_cached) {
        if (s < static_cast<std::uint64_t>(segments_.num_segments)) {
          window_cached_[r] = maybe<values_type>(load_at(cached_, static_cast<SegmentSize>(s)));
        }
      }
    }
    if (threadIdx.x == 0 && next_.segment < segments_.num_segments) {
      open_begin_ = segments_.begin(next_.segment);
    }
  }


  view_type segments_;
  Cached cached_;
  shared_type& shared_;
  start_type now_;
  start_type next_;
  int rows_;
  int last_ = 0;
  int closed_ = 0;
  Size open_begin_ = 0;
  Size window_[Tuning::rows];
  maybe<values_type> window_cached_[has_cached ? Tuning::rows : 1];
};

}  // namespace evenfold::device
