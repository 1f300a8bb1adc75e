#pragma once
// The walk along segments, tile by tile, that the load-balanced kernels share.
//
// Each warp takes an equal share of the items and segment ends (balance/merge_path.hpp) and walks
// it without waiting for other warps. It walks in tiles: a tile ends after `tile` slots for items,
// or with the last segment end of the window that the warp has loaded. The size of the window
// follows the density of the segments, so that a tile loads few more ends than it closes, whether
// segments are empty or span the whole share. The window of the next tile is loaded while a tile is
// processed.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/prefetch.cuh"
#include "evenfold/backend/cuda/device/tile_ends.cuh"
#include "evenfold/backend/cuda/device/warp_shares.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::device {

/// Where a tile begins, and where it ends unless its window of segment ends is used up before.
template <class Size, class SegmentSize>
struct tile_start {
  Size item;            ///< the first item
  Size base;            ///< the item of slot 0: a multiple of `alignment`
  SegmentSize segment;  ///< the first segment that has not ended
  int limit;            ///< slots [first(), limit) hold the items
  __device__ int first() const { return static_cast<int>(item - base); }
};

/// The walk of one warp through its share. `Tuning` has `threads` (per block), `items` (slots per
/// lane) and `rows` (the largest number of window entries per lane). `Cached` is a tuple of
/// iterators that are read once per segment and tile.
template <class Tuning, class Size, class Offsets, class SegmentSize, class Cached>
class segment_tiles {
 public:
  using view_type = detail::segment_view<Size, Offsets, SegmentSize>;
  using start_type = tile_start<Size, SegmentSize>;
  using position_type = detail::segment_position<Size, SegmentSize>;
  /// Holds every segment end and a number larger than any of them, also where the count is the
  /// largest number of Size.
  using end_type =
      std::conditional_t<std::is_signed_v<Size> || sizeof(Size) == 8, std::make_unsigned_t<Size>,
                         std::conditional_t<sizeof(Size) == 4, std::uint64_t, std::uint32_t>>;
  using values_type = std::remove_cvref_t<decltype(detail::load_at(std::declval<Cached>(), 0))>;
  static constexpr int warps = Tuning::threads / warp_threads;
  static constexpr int tile = warp_threads * Tuning::items;
  static constexpr int search_lanes = warp_threads / 2;
  /// At least 32, so that rows of slots are whole cache lines.
  static constexpr int alignment = folds_runs<Tuning> ? tile : 32;
  static constexpr bool has_cached = !std::is_same_v<Cached, tuple<>>;
  /// Whether a tile in which no segment ends leaves its window to the next tile.
  static constexpr bool keeps_windows =
      folds_runs<Tuning> && !Tuning::finds_segments && !has_cached;
  static_assert(tile < 65536, "slots of a tile are 16-bit numbers");

  /// How many thread blocks have a tile for each warp. Called on the host.
  static std::size_t full_blocks(const view_type& segments) {
    return detail::ceil_div(segments.steps(), std::uint64_t{tile * warps});
  }

  using tile_type = tile_ends<Tuning, Size, values_type, has_cached>;
  struct shared_type {
    block_shares<Size, SegmentSize, warps, folds_runs<Tuning>> shares;
    tile_type tiles[warps];
  };

  /// Finds the share of this warp and starts to load the first window. Synchronises the block.
  __device__ segment_tiles(const view_type& segments, const Cached& cached,
                           const warp_shares& shares, shared_type& shared)
      : segments_(segments), cached_(cached), tile_(shared.tiles[warp_id()]) {
    // Half a warp searches for each border between the shares of two warps.
    const int border = static_cast<int>(threadIdx.x) / search_lanes;
    if (warp_id() * 2 <= warps) {
      const std::uint64_t diagonal =
          shares.begin(std::uint64_t{blockIdx.x} * warps + (border < warps ? border : warps));
      const std::uint64_t most = static_cast<std::uint64_t>(segments.num_segments);
      const std::uint64_t closed = group_partition_point<search_lanes, 1>(
          std::uint64_t{0}, diagonal < most ? diagonal : most,
          [&](std::uint64_t s) { return segments.closed_after(diagonal, s); });
      if (lane_id() % search_lanes == 0 && border <= warps) {
        const position_type at{static_cast<Size>(diagonal - closed),
                               static_cast<SegmentSize>(closed)};
        if constexpr (folds_runs<Tuning>) {
          const open_items<Size> open = open_at(at);
          shared.shares.open[border] = open;
          shared.shares.share[border] =
              at_unit(at, open, border % warps == 0 ? shares.page : shares.unit, shares.whole);
        } else {
          shared.shares.share[border] = at;
        }
      }
    }
    tile_.clear();
    __syncthreads();
    // The compiler then keeps the state of the walk in uniform registers.
    begin_ = warp_uniform(shared.shares.share[warp_id()]);
    end_ = warp_uniform(shared.shares.share[warp_id() + 1]);

    rows_ = rows_for(shares.density);
    next_ = start_at(begin_.item, begin_.segment);
    load_window();
    advance();
  }

  __device__ bool done() const { return now_.item == end_.item && now_.segment == end_.segment; }

  /// The current tile, and after open_tile() the next one.
  __device__ const start_type& now() const { return now_; }
  __device__ const start_type& next() const { return next_; }

  /// Slots [now().first(), last()) hold the items of the tile; `closed()` segments end in it.
  __device__ int last() const { return last_; }
  __device__ int closed() const { return closed_; }
  __device__ bool first_of_share() const { return now_.segment == begin_.segment; }
  /// The slot before which the s-th segment of the tile ends.
  __device__ int end_of(int s) const { return tile_.ends[s]; }
  /// Whether the last item of the tile is the last of its segment. Called by all lanes.
  __device__ bool ends_closed() const {
    return closed_ > 0 && __any_sync(whole_warp, end_of(closed_ - 1) == last_);
  }

  /// Stores the window in shared memory, finds the end of the tile, and starts to load the next
  /// window. Synchronises the warp.
  __device__ void open_tile() {
    const auto most = static_cast<end_type>(now_.base + now_.limit);
    closed_ = 0;
    if constexpr (keeps_windows) {
      if (!__any_sync(whole_warp, window_[0] <= most)) {
        last_ = now_.limit;
        closed_before_ = 0;
        next_ = start_at(static_cast<Size>(now_.base + last_), now_.segment);
        __syncwarp();
        return;
      }
    }
#pragma unroll
    for (int r = 0; r < Tuning::rows; ++r) {
      if (r >= rows_) break;
      const bool in_tile = window_[r] <= most;
      const int at = r * warp_threads + lane_id();
      if (in_tile) {
        const auto slot = static_cast<std::uint32_t>(window_[r] - static_cast<end_type>(now_.base));
        tile_.add(at, slot);
      }
      closed_ += __popc(__ballot_sync(whole_warp, in_tile));
      if constexpr (has_cached) tile_.cached[at] = window_cached_[r];
    }
    bool used_up = closed_ == rows_ * warp_threads;
    if constexpr (most_rows<Tuning> > Tuning::rows) {
#pragma unroll 1
      while (used_up && closed_ + refill * warp_threads <= tile_type::capacity && has_items()) {
        used_up = add_rows(most);
      }
    }
    if (lane_id() == 0) tile_.open_begin = open_begin_;
    __syncwarp();
    last_ = used_up ? warp_uniform(end_of(closed_ - 1)) : now_.limit;
    if constexpr (Tuning::finds_segments) {
      has_empty_ = tile_.count_boundaries() != closed_;
      if (has_empty_) tile_.list_following(closed_);
    }
    count_closed(used_up);
    rows_ = used_up ? min(2 * rows_, Tuning::rows) : rows_for(expected_);
    next_ = start_at(static_cast<Size>(now_.base + last_), segment_at(closed_));
    load_window();
  }

  /// Whether as many segments end in the tile as the largest window has.
  __device__ bool closes_most() const { return closed_ >= Tuning::rows * warp_threads; }

  /// After open_tile(), where the tile has no items: passes over all empty segments that follow it,
  /// [segment_at(closed()), next().segment). Synchronises the warp.
  __device__ void skip_empty() {
    const std::uint64_t filled = group_partition_point<warp_threads, 1>(
        static_cast<std::uint64_t>(next_.segment), static_cast<std::uint64_t>(end_.segment),
        [&](std::uint64_t s) { return segments_.end(static_cast<SegmentSize>(s)) <= next_.item; });
    next_ = start_at(next_.item, static_cast<SegmentSize>(warp_uniform(filled)));
    load_window();
  }

  /// Clears the shared memory and advances to the next tile. Synchronises the warp.
  __device__ void close_tile() {
    __syncwarp();
    if constexpr (keeps_windows) {
      // The compiler cannot follow a number that is kept in one branch and changed in another.
      rows_ = warp_uniform(rows_);
      if (closed_ > 0) tile_.clear();
    } else {
      tile_.clear();
    }
    __syncwarp();
    advance();
  }

  /// The boundaries between segments, see tile_ends.
  __device__ unsigned ends_of_lane() const { return tile_.of_lane(); }
  template <int N>
  __device__ void boundaries_at(int slot, int (&found)[N]) const {
    tile_.boundaries_at(slot, found);
  }

  /// The s-th segment of the tile.
  __device__ SegmentSize segment_at(int s) const {
    return static_cast<SegmentSize>(now_.segment + static_cast<SegmentSize>(s));
  }

  /// The first item of the s-th segment of the tile.
  __device__ Size begin_of(int s) const {
    return s > 0 ? now_.base + tile_.ends[s - 1] : tile_.open_begin;
  }

  /// f(index, seg, rank [, cached]) for the item in a slot, with `boundaries` at or before it.
  template <class F>
  __device__ decltype(auto) call(const F& f, int slot, int boundaries) const {
    const int s = has_empty_ ? tile_.following[boundaries] : boundaries;
    const auto index = static_cast<Size>(now_.base + static_cast<Size>(slot));
    return detail::call_lbs(f, index, segment_at(s), static_cast<Size>(index - begin_of(s)),
                            tile_.cached[has_cached ? boundaries : 0].value);
  }
  template <class F>
  __device__ decltype(auto) call(const F& f, int slot) const {
    int boundaries[1];
    boundaries_at(slot, boundaries);
    return call(f, slot, boundaries[0]);
  }

 private:
  // A row may reach beyond the largest number of a narrow type.
  using number = decltype(+SegmentSize{});
  static constexpr int refill = 8;
  static constexpr end_type never = std::numeric_limits<end_type>::max();

  __device__ open_items<Size> open_at(const position_type& at) const {
    if (at.segment == segments_.num_segments) return {at.item, at.item};
    return {segments_.begin(at.segment), segments_.end(at.segment)};
  }

  /// The last multiple of `unit` in the segment that is open at a position and begins at `begin`,
  /// or its first item.
  __device__ static position_type at_unit(position_type at, const open_items<Size>& open,
                                          std::uint64_t unit, std::uint64_t whole) {
    const Size begin = open.begin;
    if (begin >= at.item) return at;
    if (static_cast<std::uint64_t>(open.end - begin) < whole) return {begin, at.segment};
    const auto item = static_cast<std::uint64_t>(at.item) & ~(unit - 1);
    return {item > static_cast<std::uint64_t>(begin) ? static_cast<Size>(item) : begin, at.segment};
  }

  /// Whether the tile has items before its last segment end so far. Where all segments are empty,
  /// windows that are loaded ahead are faster than more rows.
  __device__ bool has_items() const {
    __syncwarp();
    return __any_sync(whole_warp, end_of(closed_ - 1) > now_.first());
  }

  /// Adds the next `refill` rows of ends that are at most `most`. Returns whether all of them are.
  __device__ bool add_rows(end_type most) {
    end_type end[refill];
#pragma unroll
    for (int r = 0; r < refill; ++r) {
      end[r] = end_of_segment(now_, closed_ + r * warp_threads + lane_id());
    }
    const int before = closed_;
#pragma unroll
    for (int r = 0; r < refill; ++r) {
      const bool in_tile = end[r] <= most;
      if (in_tile) {
        tile_.add(before + r * warp_threads + lane_id(),
                  static_cast<std::uint32_t>(end[r] - static_cast<end_type>(now_.base)));
      }
      closed_ += __popc(__ballot_sync(whole_warp, in_tile));
    }
    return closed_ == before + refill * warp_threads;
  }

  /// How many rows hold `closed` ends, a few more, and the segment after them.
  __device__ static int rows_for(int closed) {
    const int rows = (closed + closed / 8 + 8) / warp_threads + 1;
    return rows < Tuning::rows ? rows : Tuning::rows;
  }

  /// Estimates how many segments end in the next tile: as many as in this one, or a little fewer
  /// than in the tiles before. Tiles that begin at a multiple of their length are counted whole:
  /// the rest of a tile whose window was used up says little of the tile after it.
  __device__ void count_closed(bool used_up) {
    int closed = closed_;
    if constexpr (folds_runs<Tuning>) {
      closed += closed_before_;
      closed_before_ = used_up && last_ < tile ? closed : 0;
    }
    expected_ = max(closed, expected_ - expected_ / 4);
  }

  __device__ start_type start_at(Size item, SegmentSize segment) const {
    const auto slot = static_cast<std::make_unsigned_t<Size>>(item) % alignment;
    const auto base = static_cast<Size>(item - static_cast<Size>(slot));
    const auto left = end_.item - base;
    return {item, base, segment,
            left < static_cast<decltype(left)>(tile) ? static_cast<int>(left) : tile};
  }

  __device__ void advance() { now_ = next_; }

  /// The end of the segment `ahead` segments after the first of a tile, if it is in the share.
  __device__ end_type end_of_segment(const start_type& at, int ahead) const {
    // The last segment ends at the count, each other where the next one begins.
    const bool closes_last = end_.segment == segments_.num_segments && at.segment < end_.segment;
    const number known = end_.segment - at.segment - static_cast<number>(closes_last);
    const auto next = static_cast<number>(ahead);
    if (next < known) return static_cast<end_type>(segments_.offsets[at.segment + next + 1]);
    return closes_last && next == known ? static_cast<end_type>(segments_.count) : never;
  }

  /// Starts to load the segment ends that the next tile may need, and the cached values of their
  /// segments.
  __device__ void load_window() {
    if constexpr (most_rows<Tuning> > Tuning::rows && std::is_pointer_v<Offsets>) {
      // What a refill of the window will read.
      constexpr int line = 128 / static_cast<int>(sizeof(segments_.offsets[0]));
      const int ahead = Tuning::rows * warp_threads + lane_id() * line;
      if (ahead < expected_ && ahead < end_.segment - next_.segment) {
        prefetch(segments_.offsets + next_.segment + ahead);
      }
    }
#pragma unroll
    for (int r = 0; r < Tuning::rows; ++r) {
      if (r >= rows_) break;
      const int ahead = r * warp_threads + lane_id();
      window_[r] = end_of_segment(next_, ahead);
      if constexpr (has_cached) {
        if (static_cast<number>(ahead) < segments_.num_segments - next_.segment) {
          window_cached_[r] =
              uninitialized<values_type>(detail::load_at(cached_, next_.segment + ahead));
        }
      }
    }
    if (Tuning::finds_segments && lane_id() == 0 && next_.segment < segments_.num_segments) {
      open_begin_ = segments_.begin(next_.segment);
    }
  }

  view_type segments_;
  Cached cached_;
  tile_type& tile_;
  position_type begin_;
  position_type end_;
  start_type now_;
  start_type next_;
  int rows_;
  int last_ = 0;
  int closed_ = 0;
  int closed_before_ = 0;  // in the part of an aligned tile before this one
  int expected_ = 0;       // how many segments may end in the next tile
  bool has_empty_ = false;
  Size open_begin_ = 0;
  end_type window_[Tuning::rows];
  uninitialized<values_type> window_cached_[has_cached ? Tuning::rows : 1];
};

}  // namespace evenfold::device
