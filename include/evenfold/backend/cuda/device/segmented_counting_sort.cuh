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
#include "evenfold/backend/cuda/device/counting_sort.cuh"
#include "evenfold/backend/cuda/device/segment_heads.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/partition_point.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::device {

inline constexpr int byte_numbers = 256;

/// The slots [begin, end) of a tile, which have keys of one segment.
struct tile_part {
  int begin, end;
};

/// The parts of a tile that belong to segments with other parts in other tiles: its first slots, up
/// to `left_end`, and its last ones, from `right_begin` on. A tile in the middle of a segment has
/// only a left part.
template <class Size>
struct split_parts {
  Size left_segment;  ///< where the segment of the left part begins
  int left_end;
  int right_begin;
};

/// The sizes of a tile. Each thread has a word of the heads.
struct counting_sizes {
  static constexpr int threads = 256;
  static constexpr int warps = threads / warp_threads;
  static constexpr int tile = threads * 32;
  static constexpr int most_of_warp = 2048;  ///< the longest segment that one warp sorts
  static constexpr int most_parts = tile / most_of_warp + 2;  ///< longer ones, and split ones
  static constexpr int blocks = 1536 / threads;
};

/// The keys of a tile.
struct alignas(widest_access) tile_bytes {
  std::uint8_t key[counting_sizes::tile + widest_access];  // and what is read with the last of them
};

/// The counts of 256 numbers and, in their place, the runs of equal keys, in order: where a run
/// begins, and its number in the last 8 bits. No run begins at `no_run`, which follows the last
/// one.
struct alignas(widest_access) byte_runs {
  static constexpr std::uint32_t no_run = ~0u;

  std::uint32_t run[byte_numbers + 1];
};

struct counting_shared {
  tile_bytes tile;
  tile_heads<counting_sizes::tile> heads;
  byte_runs of_warp[counting_sizes::warps];
  byte_runs of_part[counting_sizes::most_parts];
  tile_part part[counting_sizes::most_parts];
  int runs[counting_sizes::most_parts];  // how many runs a part has
  int parts;
  split_parts<std::uint64_t> split;
};

/// Replaces the counts of a part by its runs. Returns how many there are. By a warp, which has to
/// be synchronised before and after.
__device__ inline int list_runs(byte_runs& of_part) {
  constexpr int each = byte_numbers / warp_threads;
  static_assert(each == 8);
  const int first = lane_id() * each;
  std::uint32_t count[each];
#pragma unroll
  for (int k = 0; k < each; ++k) count[k] = of_part.run[first + k];
  // Keys in the lower half of a word, and runs in the upper one: a tile has fewer than 2^16 keys.
  std::uint32_t sums = 0;
#pragma unroll
  for (int k = 0; k < each; ++k) sums += count[k] + (count[k] > 0 ? 1u << 16 : 0u);
  const std::uint32_t to_here =
      warp_inclusive_scan(sums, [](std::uint32_t a, std::uint32_t b) { return a + b; });
  std::uint32_t slot = (to_here - sums) % (1u << 16);
  std::uint32_t run = (to_here - sums) >> 16;
  __syncwarp();
#pragma unroll
  for (int k = 0; k < each; ++k) {
    if (count[k] > 0) of_part.run[run++] = slot << 8 | static_cast<unsigned>(first + k);
    slot += count[k];
  }
  const auto runs = static_cast<int>(__shfl_sync(whole_warp, to_here, warp_threads - 1) >> 16);
  of_part.run[runs] = byte_runs::no_run;
  return runs;
}

/// Counts the keys at positions [from, from + length) of a sorted segment, of which the counts of
/// all keys are known. By a warp.
template <class Count>
__device__ void count_sorted_keys(const Count* counts, Count from, std::uint32_t length,
                                  byte_runs& of_part) {
  constexpr int each = byte_numbers / warp_threads;
  const int first = lane_id() * each;
  Count count[each];
  Count sum = 0;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    count[k] = counts[first + k];
    sum += count[k];
  }
  Count end = warp_inclusive_scan(sum, [](Count a, Count b) { return a + b; }) - sum;
  const auto slot_of = [=](Count position) {
    return static_cast<std::uint32_t>(min(max(position, from) - from, Count{length}));
  };
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const std::uint32_t begin_slot = slot_of(end);
    end += count[k];
    of_part.run[first + k] = slot_of(end) - begin_slot;
  }
}

/// Writes the keys of a part from its runs; thread `thread` of `threads` writes neighbouring words.
/// Returns how many threads had some to write.
template <class Less, class Key>
__device__ int write_runs(const byte_runs& from, int runs, tile_part part, std::uint8_t* keys,
                          int thread, int threads) {
  const int first_word = part.begin / 4;
  const int words = (part.end + 3) / 4 - first_word;
  const int each = (words + threads - 1) / threads | 1;  // odd: no bank conflicts
  const int first = first_word + thread * each;
  const int last = min(first + each, first_word + words);
  if (first < last) {
    // Runs that begin at or before a slot are at most this.
    const auto limit_at = [&](int slot) {
      return static_cast<std::uint32_t>(max(slot - part.begin, 0)) << 8 | 255;
    };
    const std::uint32_t limit = limit_at(first * 4);
    int run = detail::partition_point(1, runs, [&](int r) { return from.run[r] <= limit; });
    std::uint32_t number = from.run[run - 1] % 256;
    std::uint32_t next = from.run[run];
    for (int word = first; word < last; ++word) {
      std::uint32_t bytes = 0;
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (next <= limit_at(word * 4 + k)) {
          number = next % 256;
          next = from.run[++run];
        }
        const Key key = detail::key_of_radix<Less, Key>(static_cast<std::uint8_t>(number));
        bytes |= std::uint32_t{detail::bit_cast<std::uint8_t>(key)} << 8 * k;
      }
      if (word * 4 >= part.begin && word * 4 + 4 <= part.end) {
        *reinterpret_cast<std::uint32_t*>(keys + word * 4) = bytes;
      } else {  // other warps write the other keys of the word
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          const int slot = word * 4 + k;
          if (slot >= part.begin && slot < part.end) {
            keys[slot] = static_cast<std::uint8_t>(bytes >> 8 * k);
          }
        }
      }
    }
  }
  return (words + each - 1) / each;
}

/// Counts the keys of a part; thread `thread` of `threads`.
template <class Less, class Key>
__device__ void count_part(tile_part part, const std::uint8_t* keys, std::uint32_t* counts,
                           int thread, int threads) {
#pragma unroll 4
  for (int slot = part.begin + thread; slot < part.end; slot += threads) {
    const Key key = detail::bit_cast<Key>(keys[slot]);
    atomicAdd(counts + detail::radix_key<Less>(key), 1u);
  }
}

/// How many of `count` items the tile of this block has.
__device__ inline int items_of_tile(std::uint64_t count) {
  const std::uint64_t left = count - std::uint64_t{blockIdx.x} * counting_sizes::tile;
  return static_cast<int>(min(left, std::uint64_t{counting_sizes::tile}));
}

/// Reads the first `items` keys of a tile.
__device__ inline void load_bytes(const std::uint8_t* keys, int items, tile_bytes& tile) {
  constexpr int width = widest_access;
  // A pack that is not aligned is read with some bytes after it.
  const bool aligned = lies_at_multiple(keys, width);
  const int packs = max((aligned ? items : items - width) / width, 0);
#pragma unroll
  for (int j = 0; j < counting_sizes::tile / width / counting_sizes::threads; ++j) {
    const int p = j * counting_sizes::threads + static_cast<int>(threadIdx.x);
    if (p < packs) {
      const auto bytes = load_shifted_pack<width>(keys + p * width);
      *reinterpret_cast<pack<std::uint8_t, width>*>(tile.key + p * width) = bytes;
    }
  }
  const int slot = packs * width + static_cast<int>(threadIdx.x);
  if (slot < items) tile.key[slot] = keys[slot];
}

/// Writes the keys of a part of a tile to memory.
__device__ inline void store_bytes(const tile_bytes& tile, tile_part part, std::uint8_t* keys) {
  constexpr int width = widest_access;
  const int thread = static_cast<int>(threadIdx.x);
  const int place = static_cast<int>(bytes_after_multiple(keys + part.begin, width));
  const int first = min(part.begin + (place == 0 ? 0 : width - place), part.end);
  const int packs = (part.end - first) / width;
  for (int p = thread; p < packs; p += counting_sizes::threads) {
    const int slot = first + p * width;
    store_pack(keys + slot, load_shifted_pack<width>(tile.key + slot));
  }
  const int last = first + packs * width;
  if (part.begin + thread < first) keys[part.begin + thread] = tile.key[part.begin + thread];
  if (last + thread < part.end) keys[last + thread] = tile.key[last + thread];
}

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

/// The heads among the items from `begin`, which is one, up to `limit`, where a segment ends: bit k
/// for item begin + k, up to 63 items later.
__device__ inline std::uint64_t heads_of_row(const tile_heads<counting_sizes::tile>& heads,
                                             int begin, int limit) {
  const auto word = [&](int w) { return w < heads.words ? heads.bits[w] : 0u; };
  const int w = begin / 32;
  const std::uint32_t middle = word(w + 1);
  const std::uint64_t row = __funnelshift_r(word(w), middle, begin % 32) |
                            std::uint64_t{__funnelshift_r(middle, word(w + 2), begin % 32)} << 32;
  const int left = limit - begin;
  if (left > 63) return row;
  const std::uint64_t end = std::uint64_t{1} << left;
  return (row & (end - 1)) | end;
}

/// Sorts `count` keys of whole segments, at most 63, by a bitonic network whose items are the
/// halves of a word in each lane: item k is a half of lane k % 32. Bit k of `heads` is set where a
/// segment begins with key k. By a warp.
template <class Less, class Key>
__device__ void sort_row(std::uint8_t* keys, int count, std::uint64_t heads) {
  const int lane = lane_id();
  // The number of its segment, and the number of the key in the last 8 bits.
  const auto item = [&](int k, int segments_before, std::uint32_t half) {
    const int segment = segments_before + __popc(half & ((2u << lane) - 1)) - 1;
    const Key key = detail::bit_cast<Key>(keys[min(k, count - 1)]);
    return k < count ? static_cast<unsigned>(segment) << 8 | detail::radix_key<Less>(key) : 0xffffu;
  };
  const auto low_heads = static_cast<std::uint32_t>(heads);
  const auto high_heads = static_cast<std::uint32_t>(heads >> 32);
  constexpr std::uint32_t high = 0xffff0000;
  std::uint32_t both =
      item(lane, 0, low_heads) | item(lane + warp_threads, __popc(low_heads), high_heads) << 16;
  const auto exchange = [&](int distance, bool takes_less) {
    const std::uint32_t other = __shfl_xor_sync(whole_warp, both, distance);
    both = takes_less ? __vminu2(both, other) : __vmaxu2(both, other);
  };
  const auto merge_halves = [&] {
#pragma unroll
    for (int d = warp_threads / 2; d > 0; d /= 2) exchange(d, (lane & d) == 0);
  };
#pragma unroll
  for (int length = 2; length < warp_threads; length *= 2) {
#pragma unroll
    for (int d = length / 2; d > 0; d /= 2)
      exchange(d, ((lane & d) == 0) == ((lane & length) == 0));
  }
  if (count > warp_threads) {
    // The upper half is sorted in descending order, and then both are merged.
    both ^= high;
    merge_halves();
    both ^= high;
    const std::uint32_t turned = __byte_perm(both, both, 0x1032);
    both = (__vminu2(both, turned) & ~high) | (__vmaxu2(both, turned) & high);
  }
  merge_halves();
  const auto write = [&](int k, std::uint32_t number) {
    if (k < count) {
      const Key key = detail::key_of_radix<Less, Key>(static_cast<std::uint8_t>(number));
      keys[k] = detail::bit_cast<std::uint8_t>(key);
    }
  };
  write(lane, both);
  write(lane + warp_threads, both >> 16);
}

/// Sorts the segments that begin at the items of a warp: several short ones at a time, longer ones
/// by counting. Adds those of more than `most_of_warp` keys to the parts of the block.
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
    const tile_part part{begin, heads.next(begin)};
    begin = part.end;
    if (part.end - part.begin > counting_sizes::most_of_warp) {
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
  for (int k = static_cast<int>(threadIdx.x); k < counting_sizes::most_parts * byte_numbers;
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
  const tile_part part[] = {{0, split.left_end}, {split.right_begin, items}};
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
