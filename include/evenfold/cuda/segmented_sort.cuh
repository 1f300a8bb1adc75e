#pragma once
// Segmented merge sort on a GPU: stable, balanced however skewed the segments, without asking the
// host.
//
// 1. The sequence is cut into tiles at multiples of a span. A cut that would split a short segment
//    moves to its beginning; a cut inside a long one stays. Tiles so have nearly equal sizes, and
//    only long segments are split.
// 2. A block sorts the pieces of segments in its tile: every thread sorts its run of items, then
//    runs are merged pairwise; only the one segment that reaches over the border of two runs takes
//    part, so the work shrinks where segments are short.
// 3. The pieces of a split segment are merged pairwise, pass by pass, all passes in one launch
//    whose blocks wait for each other between passes. Every block merges spans of equal size (merge
//    path). A segment moves between two buffers in such an order that its last pass ends in the
//    user's.
//
// Source: Baxter, "moderngpu", 2013 (segmented sort); Odeh et al., "Merge Path", 2012.

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>

#include <cuda/std/bit>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/cuda/block.cuh"
#include "evenfold/cuda/context.cuh"

namespace evenfold {

/// Launch tuning of segmented_sort: threads a block, and items a thread (odd keeps a thread's run
/// off its neighbours' banks).
template <int Threads = 256, int Items = 23>
struct segmented_sort_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

namespace device {

/// Sizes that follow from the tuning: a tile has room for a span and one short segment.
template <class Tuning>
struct sort_sizes : Tuning {
  static constexpr int tile = Tuning::threads * Tuning::items;
  static constexpr int short_segment = tile / 8;
  static constexpr int span = tile - short_segment;
  static_assert(tile < 65536, "places in a tile are 16-bit numbers");
};

/// A cut between two tiles, and the segment it splits, if any (begin < end).
template <class Size>
struct sort_cut {
  Size at;
  Size begin;
  Size end;
};

/// How many merge passes the segment [begin, end) takes, cut at every multiple of `span`.
template <class Size>
__host__ __device__ int merge_passes(Size begin, Size end, Size span) {
  if (begin == end) return 0;
  const auto borders = static_cast<std::uint64_t>((end - 1) / span - begin / span);
  return static_cast<int>(::cuda::std::bit_width(borders));
}

/// Sets bit i for every item i that begins a segment.
template <class Size, class Offsets, class SegmentSize>
struct mark_heads {
  segment_view<Size, Offsets, SegmentSize> segments;
  std::uint32_t* heads;

  __device__ void operator()(SegmentSize s) const {
    const Size begin = segments.begin(s);
    if (begin < segments.end(s)) {
      atomicOr(heads + static_cast<std::uint64_t>(begin) / 32,
               1u << static_cast<std::uint64_t>(begin) % 32);
    }
  }
};

/// Finds cut number k, and how many merge passes the segment it splits takes.
template <class Size, class Offsets, class SegmentSize>
struct find_cut {
  segment_view<Size, Offsets, SegmentSize> segments;
  Size span;
  Size short_segment;
  sort_cut<Size>* cuts;
  int* most_passes;

  __device__ void operator()(std::uint64_t k) const {
    const std::uint64_t wanted = k * static_cast<std::uint64_t>(span);
    sort_cut<Size> cut{segments.count, 0, 0};
    if (wanted < static_cast<std::uint64_t>(segments.count)) {
      cut.at = static_cast<Size>(wanted);
      const SegmentSize s = segments.segment_of(cut.at);
      const Size begin = segments.begin(s);
      const Size end = segments.end(s);
      if (end - begin <= short_segment) {
        cut.at = begin;
      } else if (begin < cut.at) {
        cut.begin = begin;
        cut.end = end;
        atomicMax(most_passes, merge_passes(begin, end, span));
      }
    }
    cuts[k] = cut;
  }
};

/// Keys and the values that travel with them, in the user's memory (buffer 0) and in scratch
/// (buffer 1).
template <class Key, class Value>
struct sort_buffers {
  maybe<Key>* user_keys;
  maybe<Key>* more_keys;
  maybe<Value>* user_values;
  maybe<Value>* more_values;

  __device__ maybe<Key>* keys(int buffer) const { return buffer == 0 ? user_keys : more_keys; }
  __device__ maybe<Value>* values(int buffer) const {
    return buffer == 0 ? user_values : more_values;
  }
};

/// Compares the values of two places.
template <class Less>
struct on_value {
  Less less;
  template <class Place>
  __device__ bool operator()(const Place& a, const Place& b) const {
    return less(a.value, b.value);
  }
};

/// Merges sorted places [a, a_end) and [b, b_end), Items results from the merge-path point `a`, `b`
/// on; `source` gets the places they came from. Past the last result it goes on with any key, so
/// `places` has Items spare ones, and no branch is taken; but it never compares what is not there.
template <int Items, bool Indexed, class Key, class Less>
__device__ void serial_merge(const maybe<Key>* places, int a, int a_end, int b, int b_end,
                             maybe<Key> (&merged)[Items], int (&source)[Items], Less less) {
  maybe<Key> key_a = places[a];
  maybe<Key> key_b = places[b];
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const bool take_b = a >= a_end || (b < b_end && less(key_b.value, key_a.value));
    merged[k] = take_b ? key_b : key_a;
    if constexpr (Indexed) source[k] = take_b ? b : a;
    a += !take_b;
    b += take_b;
    const maybe<Key> loaded = places[take_b ? b : a];
    if (take_b) {
      key_b = loaded;
    } else {
      key_a = loaded;
    }
  }
}

template <class Sizes, class Key, bool Indexed>
struct sort_shared {
  static constexpr int warps = Sizes::threads / warp_threads;
  maybe<Key> keys[Sizes::tile + Sizes::items + 1];
  std::uint16_t source[Indexed ? Sizes::tile : 1];
  // For each thread: where the segment of its first item begins, and where it ends in the tile.
  std::uint16_t segment_begin[Sizes::threads];
  std::uint16_t segment_end[Sizes::threads];
  int warp_begin[warps];
  int warp_end[warps];
  std::uint32_t heads[Sizes::tile / 32 + 2];
};

/// Writes a thread's run of `results` keys, and where they come from, to the places from `from` on.
template <bool Indexed, class Key, int Items>
__device__ void store_run(maybe<Key>* keys, std::uint16_t* sources, int from, int results,
                          const maybe<Key> (&key)[Items], const int (&source)[Items]) {
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    if (k < results) {
      keys[from + k] = key[k];
      if constexpr (Indexed) sources[from + k] = static_cast<std::uint16_t>(source[k]);
    }
  }
}

/// Sorts the `count` items in shared.keys by pieces of segments. Bit k of `heads` tells that a
/// piece begins at this thread's k-th item.
template <class Sizes, bool Indexed, class Key, class Less>
__device__ void sort_tile(sort_shared<Sizes, Key, Indexed>& shared, int count, unsigned heads,
                          Less less) {
  constexpr int items = Sizes::items;
  constexpr int threads = Sizes::threads;
  constexpr int warps = threads / warp_threads;
  const int thread = static_cast<int>(threadIdx.x);
  const int first = thread * items;
  const int have = min(max(count - first, 0), items);

  // Each thread sorts its own run by odd-even transposition, which is stable and stops at heads.
  maybe<Key> key[items];
  int source[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    if (k < have) key[k] = shared.keys[first + k];
    source[k] = first + k;
  }
  const unsigned fixed = heads | ~((1u << have) - 1);
#pragma unroll
  for (int round = 0; round < items; ++round) {
#pragma unroll
    for (int k = 1 + round % 2; k < items; k += 2) {
      if ((fixed >> k & 1) == 0 && less(key[k].value, key[k - 1].value)) {
        const maybe<Key> lower = key[k];
        key[k] = key[k - 1];
        key[k - 1] = lower;
        if constexpr (Indexed) {
          const int from = source[k];
          source[k] = source[k - 1];
          source[k - 1] = from;
        }
      }
    }
  }
  store_run<Indexed>(shared.keys, shared.source, first, have, key, source);

  // Where the segment of each thread's first item begins and ends: the last head at or before it,
  // and the first head after it.
  const auto later = [](int a, int b) { return max(a, b); };
  int begin = heads != 0 ? first + 31 - __clz(heads) : 0;
  int end = heads != 0 ? first + __ffs(heads) - 1 : count;
  begin = warp_inclusive_scan(begin, later);
#pragma unroll
  for (int delta = 1; delta < warp_threads; delta *= 2) {
    const int after = __shfl_down_sync(whole_warp, end, delta);
    if (lane_id() + delta < warp_threads) end = min(end, after);
  }
  if (lane_id() == warp_threads - 1) shared.warp_begin[warp_id()] = begin;
  if (lane_id() == 0) shared.warp_end[warp_id()] = end;
  int begin_before = __shfl_up_sync(whole_warp, begin, 1);
  int end_after = __shfl_down_sync(whole_warp, end, 1);
  if (lane_id() == 0) begin_before = 0;
  if (lane_id() == warp_threads - 1) end_after = count;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < warps; ++w) {
    if (w < warp_id()) begin_before = max(begin_before, shared.warp_begin[w]);
    if (w > warp_id()) end_after = min(end_after, shared.warp_end[w]);
  }
  // Heads after the first item count as its end; a head at the first item is its beginning.
  const unsigned later_heads = heads & ~1u;
  shared.segment_begin[thread] =
      static_cast<std::uint16_t>((heads & 1) != 0 ? first : begin_before);
  shared.segment_end[thread] =
      static_cast<std::uint16_t>(later_heads != 0 ? first + __ffs(later_heads) - 1 : end_after);
  __syncthreads();

#pragma unroll 1
  for (int run = 1; run < threads; run *= 2) {
    // The border between the two runs that this thread's run belongs to, and who reaches over it.
    const int border_thread = (thread & ~(2 * run - 1)) + run;
    const int border = border_thread * items;
    int from = first;
    int results = 0;
    if (border < count) {
      const int a_begin =
          max(static_cast<int>(shared.segment_begin[border_thread]), border - run * items);
      const int b_end =
          min(static_cast<int>(shared.segment_end[border_thread]), border + run * items);
      from = max(first, a_begin);
      results = a_begin < border ? min(first + items, b_end) - from : 0;
      if (results > 0) {
        const int diagonal = from - a_begin;
        const int a = merge_path(shared.keys + a_begin, border - a_begin, shared.keys + border,
                                 b_end - border, diagonal, on_value<Less>{less});
        serial_merge<items, Indexed>(shared.keys, a_begin + a, border, border + diagonal - a, b_end,
                                     key, source, less);
        if constexpr (Indexed) {
#pragma unroll
          for (int k = 0; k < items; ++k) {
            if (k < results) source[k] = shared.source[source[k]];
          }
        }
      }
    }
    __syncthreads();
    store_run<Indexed>(shared.keys, shared.source, from, results, key, source);
    __syncthreads();
  }
}

/// Step 2: block k sorts the tile between cuts k and k + 1.
template <class Sizes, class Size, class Key, class Value, class Sources, class Less>
__global__ void __launch_bounds__(Sizes::threads)
    sort_tiles_kernel(sort_buffers<Key, Value> buffers, Sources sources, const std::uint32_t* heads,
                      const sort_cut<Size>* cuts, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, no_value>;
  constexpr int items = Sizes::items;
  constexpr int threads = Sizes::threads;
  using shared_type = sort_shared<Sizes, Key, indexed>;
  shared_type& shared = shared_as<shared_type>();
  const int thread = static_cast<int>(threadIdx.x);

  const sort_cut<Size> left = cuts[blockIdx.x];
  const sort_cut<Size> right = cuts[blockIdx.x + 1];
  const Size base = left.at;
  const int count = static_cast<int>(right.at - base);
  if (count == 0) return;

#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int place = j * threads + thread;
    if (place < count) shared.keys[place] = buffers.keys(0)[base + place];
  }
  const std::uint64_t first_word = static_cast<std::uint64_t>(base) / 32;
  for (int w = thread; w < count / 32 + 2; w += threads) {
    // One word past the last item's may lie past the bitmap, whose last word is spare.
    shared.heads[w] = heads[first_word + w];
  }
  __syncthreads();
  const int bit = static_cast<int>(static_cast<std::uint64_t>(base) % 32) + thread * items;
  unsigned mine = 0;
  if (thread * items < count) {
    const std::uint64_t words =
        shared.heads[bit / 32] | static_cast<std::uint64_t>(shared.heads[bit / 32 + 1]) << 32;
    const int have = min(count - thread * items, items);
    mine = static_cast<unsigned>(words >> bit % 32) & ((1u << have) - 1);
  }
  if (thread == 0) mine |= 1;

  sort_tile<Sizes, indexed>(shared, count, mine, less);

  // Whoever belongs to a split segment goes where its first merge pass looks for it.
  constexpr Size span = Sizes::span;
  const int left_end = left.begin < left.end ? static_cast<int>(min(left.end, right.at) - base) : 0;
  const int left_buffer = merge_passes(left.begin, left.end, span) % 2;
  const int right_begin =
      right.begin < right.end ? static_cast<int>(max(right.begin, base) - base) : count;
  const int right_buffer = merge_passes(right.begin, right.end, span) % 2;
  const auto buffer_of = [=](int place) {
    return place < left_end ? left_buffer : place >= right_begin ? right_buffer : 0;
  };
  if constexpr (indexed) {
    maybe<Value> value[items];
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int place = j * threads + thread;
      if (place < count) {
        value[j] = maybe<Value>(sources(base + static_cast<Size>(shared.source[place])));
      }
    }
    __syncthreads();  // values are sorted where they lie
#pragma unroll
    for (int j = 0; j < items; ++j) {
      const int place = j * threads + thread;
      if (place < count) buffers.values(buffer_of(place))[base + place] = value[j];
    }
  }
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int place = j * threads + thread;
    if (place < count) buffers.keys(buffer_of(place))[base + place] = shared.keys[place];
  }
}

/// Two runs that a merge pass merges: [a_begin, b_begin) and [b_begin, b_end).
template <class Size>
struct run_pair {
  Size a_begin;
  Size b_begin;
  Size b_end;
};

/// The pair of runs around `item` in the segment [begin, end). Pieces are numbered from the
/// segment's first; 2^pass of them make a run.
template <class Size>
__device__ run_pair<Size> pair_around(Size item, Size begin, Size end, Size span, int pass) {
  const Size first_piece = begin / span;
  const Size pieces = (end - 1) / span - first_piece + 1;
  const Size pair = (item / span - first_piece) >> (pass + 1) << (pass + 1);
  const auto begin_of = [=](Size piece) {
    return piece == 0 ? begin : piece >= pieces ? end : (first_piece + piece) * span;
  };
  return {begin_of(pair), begin_of(pair + (Size{1} << pass)), begin_of(pair + (Size{2} << pass))};
}

/// How far into the first run the first results of a pair reach, those before `item`; by one warp.
template <class Size, class Key, class Less>
__device__ Size find_split(const maybe<Key>* keys, const run_pair<Size>& pair, Size item,
                           Less less) {
  const Size a_count = pair.b_begin - pair.a_begin;
  const Size b_count = pair.b_end - pair.b_begin;
  const Size diagonal = item - pair.a_begin;
  const Size low = diagonal > b_count ? diagonal - b_count : 0;
  const Size high = diagonal < a_count ? diagonal : a_count;
  return pair.a_begin + group_partition_point<warp_threads, 2>(low, high, [&](Size at) {
           return !less(keys[pair.b_begin + (diagonal - 1 - at)].value,
                        keys[pair.a_begin + at].value);
         });
}

/// What one block does at a time in a merge pass: the results from `from` on of a pair of runs,
/// which take `a_count` keys of the first run and the rest of the second.
template <class Size>
struct merge_job {
  Size from;
  Size a_from;
  Size b_from;
  int a_count;
  int count;  // 0: nothing to do
  int source_buffer;

  /// Where the key of a place lies before the merge: those of the first run come first.
  __device__ Size origin(int place) const {
    return place < a_count ? a_from + place : b_from + (place - a_count);
  }
};

template <class Sizes, class Key, class Size, bool Indexed>
struct merge_shared {
  static constexpr int warps = Sizes::threads / warp_threads;
  static constexpr int batch = warps - 1;  // spans between the cuts that the warps look at
  maybe<Key> keys[2][Sizes::tile + Sizes::items + 1];
  std::uint16_t source[Indexed ? Sizes::tile : 1];
  std::uint64_t split[warps];
  merge_job<Size> jobs[2 * batch];
};

/// The job of one segment in a span, [from, to) of its items; `split_from` and `split_to` are what
/// find_split found there, where it is not a border of the pair.
template <class Size>
__device__ merge_job<Size> job_of(const sort_cut<Size>& cut, Size from, Size to, Size span,
                                  int pass, std::uint64_t split_from, std::uint64_t split_to) {
  const int passes = merge_passes(cut.begin, cut.end, span);
  if (pass >= passes) return {};
  const run_pair<Size> pair = pair_around(from, cut.begin, cut.end, span, pass);
  const Size a_from = from == pair.a_begin ? pair.a_begin : static_cast<Size>(split_from);
  const Size a_to = to == pair.b_end ? pair.b_begin : static_cast<Size>(split_to);
  return {from,
          a_from,
          pair.b_begin + (from - a_from),
          static_cast<int>(a_to - a_from),
          static_cast<int>(to - from),
          (passes - pass) % 2};
}

/// Starts to copy the keys of a job to shared memory.
template <class Sizes, class Size, class Key>
__device__ void load_job(const maybe<Key>* keys, const merge_job<Size>& job, maybe<Key>* to) {
#pragma unroll
  for (int j = 0; j < Sizes::items; ++j) {
    const int place = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (place < job.count) {
      if constexpr (sizeof(Key) == 4 || sizeof(Key) == 8 || sizeof(Key) == 16) {
        __pipeline_memcpy_async(to + place, keys + job.origin(place), sizeof(Key));
      } else {
        to[place] = keys[job.origin(place)];
      }
    }
  }
}

/// Merges the keys of a job, which are in `places`, and writes them, and their values, to the other
/// buffer.
template <class Sizes, class Size, class Key, class Value, class Less>
__device__ void merge_loaded(const sort_buffers<Key, Value>& buffers, const merge_job<Size>& job,
                             maybe<Key>* places, std::uint16_t* sources, Less less) {
  constexpr bool indexed = !std::is_same_v<Value, no_value>;
  constexpr int items = Sizes::items;
  maybe<Key> key[items];
  int source[items];
  const int first = static_cast<int>(threadIdx.x) * items;
  const int results = min(max(job.count - first, 0), items);
  if (results > 0) {
    const int a = merge_path(places, job.a_count, places + job.a_count, job.count - job.a_count,
                             first, on_value<Less>{less});
    serial_merge<items, indexed>(places, a, job.a_count, job.a_count + first - a, job.count, key,
                                 source, less);
  }
  __syncthreads();
  store_run<indexed>(places, sources, first, results, key, source);
  __syncthreads();
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int place = j * Sizes::threads + static_cast<int>(threadIdx.x);
    if (place < job.count) {
      buffers.keys(1 - job.source_buffer)[job.from + place] = places[place];
      if constexpr (indexed) {
        buffers.values(1 - job.source_buffer)[job.from + place] =
            buffers.values(job.source_buffer)[job.origin(sources[place])];
      }
    }
  }
}

/// Step 3: all merge passes. Blocks take batches of spans in turn. A span holds results of at most
/// two split segments: the one that reaches in from the left and the one that begins inside and
/// reaches out to the right. The warps first find where the cuts between the spans of the batch
/// split their pairs of runs, one cut a warp, so that the waits of these searches overlap; then the
/// jobs are worked off, the keys of the next on their way while one is merged.
template <class Sizes, class Size, class Key, class Value, class Less>
__global__ void __launch_bounds__(Sizes::threads, 1024 / Sizes::threads)
    merge_spans_kernel(sort_buffers<Key, Value> buffers, const sort_cut<Size>* cuts,
                       std::size_t spans, const int* most_passes, Less less) {
  using shared_type = merge_shared<Sizes, Key, Size, !std::is_same_v<Value, no_value>>;
  shared_type& shared = shared_as<shared_type>();
  constexpr Size span = Sizes::span;
  constexpr int batch = shared_type::batch;
  const int passes = *most_passes;
  const int thread = static_cast<int>(threadIdx.x);

  for (int pass = 0; pass < passes; ++pass) {
    if (pass > 0) cooperative_groups::this_grid().sync();
    for (std::size_t begin = std::size_t{blockIdx.x} * batch; begin < spans;
         begin += std::size_t{gridDim.x} * batch) {
      if (begin + warp_id() <= spans) {
        const sort_cut<Size> cut = cuts[begin + warp_id()];
        const int own_passes = merge_passes(cut.begin, cut.end, span);
        if (pass < own_passes) {
          const run_pair<Size> pair = pair_around(cut.at, cut.begin, cut.end, span, pass);
          const Size split = find_split(buffers.keys((own_passes - pass) % 2), pair, cut.at, less);
          if (lane_id() == 0) shared.split[warp_id()] = static_cast<std::uint64_t>(split);
        }
      }
      __syncthreads();
      if (thread < 2 * batch) {
        const int k = thread / 2;
        merge_job<Size> job{};
        if (begin + k < spans) {
          const Size from = static_cast<Size>(begin + k) * span;
          const sort_cut<Size> left = cuts[begin + k];
          const sort_cut<Size> right = cuts[begin + k + 1];
          if (thread % 2 == 0) {
            const Size to = left.end - from < span ? left.end : from + span;
            job = job_of(left, from, to, span, pass, shared.split[k], shared.split[k + 1]);
          } else if (right.begin < right.end && right.begin >= from) {
            job = job_of(right, right.begin, from + span, span, pass, 0, shared.split[k + 1]);
          }
        }
        shared.jobs[thread] = job;
      }
      __syncthreads();

      const auto next_job = [&](int j) {
        while (j < 2 * batch && shared.jobs[j].count == 0) ++j;
        return j;
      };
      const auto start = [&](int j, int stage) {
        if (j < 2 * batch) {
          const merge_job<Size> job = shared.jobs[j];
          load_job<Sizes>(buffers.keys(job.source_buffer), job, shared.keys[stage]);
        }
        __pipeline_commit();
      };
      int stage = 0;
      int j = next_job(0);
      start(j, stage);
      while (j < 2 * batch) {
        const int after = next_job(j + 1);
        start(after, 1 - stage);
        __pipeline_wait_prior(1);
        __syncthreads();
        merge_loaded<Sizes>(buffers, shared.jobs[j], shared.keys[stage], shared.source, less);
        __syncthreads();
        j = after;
        stage = 1 - stage;
      }
    }
  }
}

/// Items a thread that keep a tile near 24 KiB of keys, or 48 KiB for the largest; fewer where
/// registers hold the places of values as well.
template <class Key, class Value>
using default_segmented_sort_tuning =
    segmented_sort_tuning<(sizeof(Key) <= 16 ? 256 : 128),
                          (sizeof(Key) <= 4    ? (std::is_same_v<Value, no_value> ? 23 : 15)
                           : sizeof(Key) <= 8  ? 11
                           : sizeof(Key) <= 16 ? 7
                                               : 5)>;

/// Reads the values that are sorted along.
template <class Value>
struct read_value {
  const maybe<Value>* values;
  template <class Size>
  __device__ Value operator()(Size i) const {
    return values[i].value;
  }
};

/// Makes the positions that segmented_sort_indices sorts along.
template <class Index>
struct position_value {
  template <class Size>
  __device__ Index operator()(Size i) const {
    return static_cast<Index>(i);
  }
};

template <class Tuning, class Key, class Value, class Sources, class Size, class Offsets,
          class SegmentSize, class Less>
void sort_segments(cuda_context& ctx, Key* keys, Value* values, Sources sources,
                   segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  using sizes = sort_sizes<tuning_or<Tuning, default_segmented_sort_tuning<Key, Value>>>;
  constexpr bool indexed = !std::is_same_v<Value, no_value>;
  constexpr std::size_t shared_bytes = sizeof(sort_shared<sizes, Key, indexed>);
  const auto count = static_cast<std::size_t>(segments.count);
  const std::size_t tiles = ceil_div(count, sizes::span);
  const bool may_split = tiles > 1;

  // The bitmap of heads has two spare words: one that a tile may read, one for the most passes.
  const std::size_t words = count / 32 + 3;
  array<std::uint32_t> heads(ctx, words);
  array<sort_cut<Size>> cuts(ctx, tiles + 1);
  array<maybe<Key>> more_keys(ctx, may_split ? count : 0);
  array<maybe<Value>> more_values(ctx, may_split && indexed ? count : 0);
  const sort_buffers<Key, Value> buffers{reinterpret_cast<maybe<Key>*>(keys), more_keys.data(),
                                         reinterpret_cast<maybe<Value>*>(values),
                                         more_values.data()};
  int* most_passes = reinterpret_cast<int*>(heads.data() + words - 1);

  ctx.fill_bytes(heads.data(), 0, words * sizeof(std::uint32_t));
  transform(ctx, segments.num_segments,
            mark_heads<Size, Offsets, SegmentSize>{segments, heads.data()});
  transform(ctx, static_cast<std::uint64_t>(tiles + 1),
            find_cut<Size, Offsets, SegmentSize>{segments, sizes::span, sizes::short_segment,
                                                 cuts.data(), most_passes});
  ctx.launch("segmented_sort", sort_tiles_kernel<sizes, Size, Key, Value, Sources, Less>, tiles,
             sizes::threads, shared_bytes, buffers, sources, heads.data(), cuts.data(), less);
  if (may_split) {
    const auto kernel = merge_spans_kernel<sizes, Size, Key, Value, Less>;
    constexpr std::size_t merge_bytes = sizeof(merge_shared<sizes, Key, Size, indexed>);
    const std::size_t grid =
        std::min(tiles, ctx.resident_blocks(kernel, sizes::threads, merge_bytes));
    ctx.launch_together("segmented_sort", kernel, grid, sizes::threads, merge_bytes, buffers,
                        cuts.data(), tiles, most_passes, less);
  }
}

}  // namespace device

namespace backend {

template <class Tuning, class Key, class Value, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort(cuda_context& ctx, Key* keys, Value* values,
                    segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  device::sort_segments<Tuning>(
      ctx, keys, values,
      device::read_value<Value>{reinterpret_cast<const device::maybe<Value>*>(values)}, segments,
      less);
}

template <class Tuning, class Key, class Index, class Size, class Offsets, class SegmentSize,
          class Less>
void segmented_sort_indices(cuda_context& ctx, Key* keys, Index* indices,
                            segment_view<Size, Offsets, SegmentSize> segments, Less less) {
  device::sort_segments<Tuning>(ctx, keys, indices, device::position_value<Index>{}, segments,
                                less);
}

}  // namespace backend
}  // namespace evenfold
