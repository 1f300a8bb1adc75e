#pragma once
// Counting sort of segments of keys of 1 byte on a GPU. A segment of such keys is known by how many
// of them have each of the 256 numbers, so that it is counted and written anew, and no key is
// moved.
//
// 1. Each block has a tile of keys, in shared memory, and finds the segments in it. A warp sorts
//    several of fewer than 64 keys at a time by a network; it counts and writes a longer one, and
//    all threads those of more than 2048 keys. Of a segment that other tiles have parts of, too,
//    the block adds the counts of its part to those in memory.
// 2. Then all counts of such segments are known, and each block writes its parts of them.
//
// A kernel per step; one tile needs the first alone.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/byte_rows.cuh"
#include "evenfold/backend/cuda/device/byte_runs.cuh"
#include "evenfold/backend/cuda/device/byte_tiles.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/balance/merge_path.hpp"

namespace evenfold::device {

/// The parts of a tile that belong to segments with other parts in other tiles: its first slots, up
/// to `left_end`, and its last ones, from `right_begin` on. A tile in the middle of a segment has
/// only a left part.
template <class Size>
struct split_parts {
  Size left_segment;  ///< where the segment of the left part begins
  int left_end;
  int right_begin;
};

/// The longest segment that one warp sorts, and how many longer ones, and split ones, a tile has.
inline constexpr int longest_of_counting_warp = 2048;
inline constexpr int most_counted_parts = counting_sizes::tile / longest_of_counting_warp + 2;

struct counting_shared {
  tile_bytes tile;
  tile_heads<counting_sizes::tile> heads;
  byte_runs of_warp[counting_sizes::warps];
  byte_runs of_part[most_counted_parts];
  slot_range part[most_counted_parts];
  int runs[most_counted_parts];  // how many runs a part has
  int parts;
  split_parts<std::uint64_t> split;
};

/// Finds the segments of a tile: their heads, and the parts of split ones. Synchronises the block.
template <class Size, class Offsets, class SegmentSize>
__device__ void find_segments(const detail::segment_view<Size, Offsets, SegmentSize>& segments,
                              std::uint64_t base, int items, counting_shared& shared) {
  const auto range =
      segments_of_tile(segments, base, static_cast<const SegmentSize*>(nullptr), shared.heads);
  mark_heads<counting_sizes::threads, 1>(segments, range, base, shared.heads);
  if (threadIdx.x == 0) {
    const std::uint64_t tile_end = base + static_cast<unsigned>(items);
    const auto begin = [&](SegmentSize s) { return static_cast<std::uint64_t>(segments.begin(s)); };
    const auto end = [&](SegmentSize s) { return static_cast<std::uint64_t>(segments.end(s)); };
    split_parts<std::uint64_t> split{0, 0, items};
    int parts = 0;
    if (range.from > 0) {
      const auto before = static_cast<SegmentSize>(range.from - 1);
      if (end(before) > base) {
        split.left_segment = begin(before);
        split.left_end = static_cast<int>(min(end(before), tile_end) - base);
        shared.part[parts++] = {0, split.left_end};
      }
    }
    if (range.from < range.to) {
      const auto last = static_cast<SegmentSize>(range.to - 1);
      if (end(last) > tile_end) {
        split.right_begin = static_cast<int>(begin(last) - base);
        shared.part[parts++] = {split.right_begin, items};
      }
    }
    shared.split = split;
    shared.parts = parts;
  }
  __syncthreads();
}

/// The heads among the items of a warp, of which each lane has one word.
class heads_of_warp {
 public:
  __device__ heads_of_warp(const counting_shared& shared, int items)
      : first_word_(uniform_warp_id() * warp_threads),
        own_(shared.heads.bits[threadIdx.x]),
        after_(items) {
    for (int w = first_word_ + warp_threads; w < shared.heads.words && after_ == items;
         w += warp_threads) {
      after_ = first_head(shared.heads.bits[w + lane_id()], w);
    }
  }

  /// The first head of this warp or, if it has none, of later ones, or the end of the items.
  __device__ int first() const { return first_head(own_, first_word_); }
  /// The same after a head of this warp.
  __device__ int next(int head) const {
    const int word = first_word_ + lane_id();
    const std::uint32_t later = word == head / 32 ? ~((2u << head % 32) - 1) : ~0u;
    return first_head(word < head / 32 ? 0 : own_ & later, first_word_);
  }
  /// The first head of later warps, or the end of the items.
  __device__ int after() const { return after_; }

 private:
  /// The first head in the words of the lanes, of which the first is word `first_word`.
  __device__ int first_head(std::uint32_t bits, int first_word) const {
    const unsigned with_heads = __ballot_sync(whole_warp, bits != 0);
    if (with_heads == 0) return after_;
    const int lane = __ffs(static_cast<int>(with_heads)) - 1;
    const int bit = __ffs(static_cast<int>(__shfl_sync(whole_warp, bits, lane))) - 1;
    return (first_word + lane) * 32 + bit;
  }

  int first_word_;
  std::uint32_t own_;
  int after_;
};

/// Sorts the segments that begin at the items of a warp: several short ones at a time, longer ones
/// by counting. Adds those of more than `longest_of_counting_warp` keys to the parts of the block.
template <class Less, class Key>
__device__ void sort_segments_of_warp(int items, counting_shared& shared) {
  byte_runs& own = shared.of_warp[warp_id()];
  const heads_of_warp heads(shared, items);
  const int limit = min(heads.after(), shared.split.right_begin);
  for (int begin = heads.first(); begin < limit;) {
    const std::uint64_t row = heads_of_row(shared.heads, begin, limit);
    if (const int length = highest_bit(row); length > 0) {
      if (__popcll(row) <= length) sort_row<Less, Key>(shared.tile.key + begin, length, row);
      begin += length;
      continue;
    }
    const slot_range part{begin, heads.next(begin)};
    begin = part.end;
    if (part.end - part.begin > longest_of_counting_warp) {
      if (lane_id() == 0) shared.part[atomicAdd(&shared.parts, 1)] = part;
      continue;
    }
#pragma unroll
    for (int k = 0; k < byte_numbers; k += warp_threads) own.run[k + lane_id()] = 0;
    __syncwarp();
    count_part<Less, Key>(part, shared.tile.key, own.run, lane_id(), warp_threads);
    __syncwarp();
    const int runs = list_runs(own);
    __syncwarp();
    write_runs<Less, Key>(own, runs, part, shared.tile.key, lane_id(), warp_threads);
    __syncwarp();
  }
}

/// Counts the parts of the block, and writes those that are whole segments. The counts of the
/// others are added to those of the tile in which the segment begins. Synchronises the block.
template <class Less, class Key, class Count>
__device__ void sort_parts_of_block(counting_shared& shared, int items, Count* counts) {
  const int thread = static_cast<int>(threadIdx.x);
  const int parts = shared.parts;
  const bool has_left = shared.split.left_end > 0;
  const int split_ones = has_left + (shared.split.right_begin < items);
  for (int p = 0; p < parts; ++p) {
    count_part<Less, Key>(shared.part[p], shared.tile.key, shared.of_part[p].run, thread,
                          counting_sizes::threads);
  }
  __syncthreads();
  for (int p = uniform_warp_id(); p < parts; p += counting_sizes::warps) {
    byte_runs& of_part = shared.of_part[p];
    if (p >= split_ones) {
      const int runs = list_runs(of_part);
      if (lane_id() == 0) shared.runs[p] = runs;
      continue;
    }
    const std::uint64_t home =
        p == 0 && has_left ? shared.split.left_segment / counting_sizes::tile : blockIdx.x;
    Count* const to = counts + home * byte_numbers;
    for (int k = lane_id(); k < byte_numbers; k += warp_threads) {
      if (of_part.run[k] > 0) atomicAdd(to + k, static_cast<Count>(of_part.run[k]));
    }
  }
  __syncthreads();
  int next_thread = thread;  // so that each part begins with threads that have no part yet
  for (int p = split_ones; p < parts; ++p) {
    next_thread -= write_runs<Less, Key>(shared.of_part[p], shared.runs[p], shared.part[p],
                                         shared.tile.key, next_thread, counting_sizes::threads);
    if (next_thread < 0) next_thread += counting_sizes::threads;
  }
  __syncthreads();
}

/// Step 1: block k sorts the segments that lie in tile k, and counts its parts of others.
template <class Less, class Key, class Count, class Size, class Offsets, class SegmentSize>
__global__ void __launch_bounds__(counting_sizes::threads, counting_sizes::blocks)
    count_segments_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, Key* keys,
                          Count* counts, split_parts<Size>* splits) {
  auto& shared = shared_as<counting_shared>();
  const std::uint64_t base = std::uint64_t{blockIdx.x} * counting_sizes::tile;
  const int items = items_of_tile(static_cast<std::uint64_t>(segments.count));
  auto* const bytes = reinterpret_cast<std::uint8_t*>(keys) + base;
  load_bytes(bytes, items, shared.tile);
  for (int k = static_cast<int>(threadIdx.x); k < most_counted_parts * byte_numbers;
       k += counting_sizes::threads) {
    shared.of_part[k / byte_numbers].run[k % byte_numbers] = 0;
  }
  find_segments(segments, base, items, shared);
  sort_segments_of_warp<Less, Key>(items, shared);
  __syncthreads();
  if (shared.parts > 0) sort_parts_of_block<Less, Key>(shared, items, counts);
  if (gridDim.x > 1 && threadIdx.x == 0) {
    splits[blockIdx.x] = {static_cast<Size>(shared.split.left_segment), shared.split.left_end,
                          shared.split.right_begin};
  }
  store_bytes(shared.tile, {0, items}, bytes);
}

struct split_shared {
  tile_bytes tile;
  byte_runs of_part[2];
  int runs[2];
};

/// Step 2: block k writes the split parts of tile k.
template <class Less, class Key, class Count, class Size>
__global__ void __launch_bounds__(counting_sizes::threads, counting_sizes::blocks)
    write_split_segments_kernel(std::uint64_t count, Key* keys, const Count* counts,
                                const split_parts<Size>* splits) {
  __shared__ split_shared shared;
  const std::uint64_t base = std::uint64_t{blockIdx.x} * counting_sizes::tile;
  const int items = items_of_tile(count);
  auto* const bytes = reinterpret_cast<std::uint8_t*>(keys) + base;
  const split_parts<Size> split = splits[blockIdx.x];
  const slot_range part[] = {{0, split.left_end}, {split.right_begin, items}};
  const int thread = static_cast<int>(threadIdx.x);
  const auto is_empty = [&](int p) { return part[p].begin == part[p].end; };
  if (is_empty(0) && is_empty(1)) return;

  const auto list = [&](int p, std::uint64_t home, std::uint64_t from) {
    count_sorted_keys(counts + home * byte_numbers, static_cast<Count>(from),
                      static_cast<std::uint32_t>(part[p].end - part[p].begin), shared.of_part[p]);
    __syncwarp();
    const int runs = list_runs(shared.of_part[p]);
    if (lane_id() == 0) shared.runs[p] = runs;
  };
  const auto left_segment = static_cast<std::uint64_t>(split.left_segment);
  if (const int warp = uniform_warp_id(); warp == 0 && !is_empty(0)) {
    list(0, left_segment / counting_sizes::tile, base - left_segment);
  } else if (warp == 1 && !is_empty(1)) {
    list(1, blockIdx.x, 0);
  }
  __syncthreads();
#pragma unroll
  for (int p = 0; p < 2; ++p) {
    if (is_empty(p)) continue;
    write_runs<Less, Key>(shared.of_part[p], shared.runs[p], part[p], shared.tile.key, thread,
                          counting_sizes::threads);
  }
  __syncthreads();
#pragma unroll
  for (int p = 0; p < 2; ++p) store_bytes(shared.tile, part[p], bytes);
}

}  // namespace evenfold::device
