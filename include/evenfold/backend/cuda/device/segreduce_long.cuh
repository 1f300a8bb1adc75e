#pragma once
// Segmented reduction of few long segments in the canonical order of folds
// (balance/fold_order.hpp): what takes the time is how often threads wait for memory, so that
// nothing is searched, and only very long segments are cut.
//
// Each thread block takes a few segments, and its warps fold the groups of these in turn. But one
// segment may have most of the items, which is not known before the launch. So each block first
// lists its very long segments. When all blocks have done this, and have folded their other
// segments, they fold the pages of the listed ones together. They wait for each other: a
// cooperative launch. Of few segments, each block looks at all lengths, and no block waits where
// none is very long.

#include <cstddef>
#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/group_parts.cuh"
#include "evenfold/backend/cuda/device/segreduce_few.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/partition_point.hpp"

namespace evenfold {

/// Launch tuning of the fold of long segments: threads per block, the number of blocks per
/// multiprocessor that the compiler leaves registers for, the most items of a segment that one
/// block folds, and the most items of all segments.
template <int Threads = 256, int Blocks = 3, unsigned ByBlock = 1u << 15, unsigned Most = 1u << 23>
struct segreduce_long_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = detail::fold_run;
  static constexpr int blocks = Blocks;
  static constexpr unsigned by_block = ByBlock;
  static constexpr unsigned most = Most;
};

namespace device {

/// Of so many segments per thread of a block, each block looks at all lengths.
inline constexpr unsigned looked_at_by_thread = 2;

/// The most segments of a block: one for each lane of the warp that looks at them.
inline constexpr unsigned most_long_segments = warp_threads;

/// A segment whose pages all blocks fold. A page is what a block folds at once.
struct listed_segment {
  unsigned begin, end;  ///< its items
  unsigned number;      ///< that of the segment
  unsigned first_page;  ///< the number of its first page among those of all listed segments
};

/// The list of a launch.
template <class Tuning, class T>
struct segment_list {
  static constexpr unsigned warps = Tuning::threads / warp_threads;
  static constexpr unsigned page = warps * detail::fold_group;
  static constexpr unsigned most_segments = Tuning::most / Tuning::by_block;
  static constexpr unsigned most_pages = Tuning::most / page;
  /// What a page in which a segment begins or ends folds to: its groups, and the items after the
  /// last run.
  static constexpr unsigned end_folds = warps + 1;
  static constexpr std::size_t bytes =
      most_segments * (sizeof(listed_segment) + sizeof(unsigned)) +
      (most_pages + 2 * end_folds * most_segments) * sizeof(uninitialized<T>);

  /// How many blocks have listed segments of theirs, how many segments these are, and how many
  /// pages they have; and how many pages blocks have taken. The upper half of each word is the
  /// generation of the launch, since an earlier one has left its own numbers.
  unsigned long long* state;
  unsigned long long* taken;
  std::uint32_t generation;
  void* memory;

  static constexpr int block_bits = 10;
  static constexpr int segment_bits = 9;
  static constexpr unsigned one_block = 1;
  static constexpr unsigned one_segment = 1u << block_bits;
  static constexpr unsigned one_page = 1u << (block_bits + segment_bits);
  static_assert(most_segments < one_page / one_segment &&
                (most_pages + 2 * most_segments) <= (1ull << 32) / one_page);
  __device__ static unsigned blocks_in(unsigned state) { return state % one_segment; }
  __device__ static unsigned segments_in(unsigned state) { return state % one_page / one_segment; }
  __device__ static unsigned pages_in(unsigned state) { return state / one_page; }

  __device__ listed_segment* segments() const { return static_cast<listed_segment*>(memory); }
  /// For each listed segment: how many of its pages have been folded.
  __device__ unsigned* folded() const {
    return reinterpret_cast<unsigned*>(segments() + most_segments);
  }
  /// The folds of whole pages.
  __device__ uninitialized<T>* pages() const {
    return reinterpret_cast<uninitialized<T>*>(folded() + most_segments);
  }
  /// The folds of the first page of a listed segment, if it is not whole, or of the last one.
  __device__ uninitialized<T>* ends(unsigned number, bool last) const {
    return pages() + most_pages + (2 * number + (last ? 1 : 0)) * end_folds;
  }

  /// Adds to one of these, and returns what it was before.
  __device__ unsigned add(unsigned long long* to, unsigned amount) const {
    atomicMax(to, static_cast<unsigned long long>(generation) << 32);
    return static_cast<unsigned>(atomicAdd(to, static_cast<unsigned long long>(amount)));
  }
  __device__ unsigned look() const {
    const unsigned long long now = *static_cast<volatile unsigned long long*>(state);
    return static_cast<std::uint32_t>(now >> 32) == generation ? static_cast<unsigned>(now) : 0;
  }

  /// Called by one thread.
  __device__ void append(unsigned number, unsigned begin, unsigned end) const {
    const unsigned pages = (end - 1) / page - begin / page + 1;
    const unsigned before = add(state, one_segment + pages * one_page);
    segments()[segments_in(before)] = {begin, end, number, pages_in(before)};
    folded()[segments_in(before)] = 0;
  }
};

template <class Tuning, class T>
struct segreduce_long_shared {
  typename fold_tiles<Tuning, T>::shared_type tiles;
  /// The folds of the groups of all segments of the block, and of the items after the last run of
  /// each.
  uninitialized<T> folds[most_long_segments * (Tuning::by_block / detail::fold_group + 1)];
  uninitialized<T> rests[most_long_segments];
  unsigned begin[most_long_segments];
  unsigned end[most_long_segments];
  /// The number of the first group of a segment among those of the block, and of all of them.
  unsigned first[most_long_segments + 1];
  unsigned state;  ///< that of the list
  unsigned page;   ///< of those of the listed segments, the one that the block folds
  listed_segment listed[segment_list<Tuning, T>::most_segments];
};

/// Folds the segments of a block. Calls look() when there is time for an access to memory.
template <class Size, class Tuning, class T, class F, class Op, class Write, class Look>
__device__ void fold_long_segments(segreduce_long_shared<Tuning, T>& shared, const F& f,
                                   const Op& op, const uninitialized<T>& init, const Write& write,
                                   const Look& look) {
  constexpr unsigned group = detail::fold_group;
  constexpr unsigned warps = Tuning::threads / warp_threads;
  const fold_tiles<Tuning, T> tiles(shared.tiles);
  const auto warp = static_cast<unsigned>(uniform_warp_id());
  // Each lane has one of the segments.
  const unsigned begin = shared.begin[lane_id()];
  const unsigned end = shared.end[lane_id()];
  const unsigned first = shared.first[lane_id()];
  const auto segment_of = [&](unsigned k) {
    return __popc(__ballot_sync(whole_warp, first <= k)) - 1;
  };
  fold_parts<Size>(
      tiles, warp, shared.first[most_long_segments], warps, f, op,
      [&](unsigned k) {
        const int s = segment_of(k);
        const unsigned from = __shfl_sync(whole_warp, begin, s);
        const unsigned before = __shfl_sync(whole_warp, first, s);
        return group_part((from / group + k - before) * group, from,
                          __shfl_sync(whole_warp, end, s));
      },
      [&](unsigned k, const group_part& part, const part_folds<T>& folds) {
        const int s = segment_of(k);
        if (lane_id() != 0) return;
        shared.folds[k] = folds.runs;
        if (part.has_rest()) shared.rests[s] = folds.rest;
      });
  look();
  __syncthreads();
  for (unsigned s = warp; s < most_long_segments; s += warps) {
    if (shared.first[s] == shared.first[s + 1]) continue;
    const uninitialized<T> fold = join_groups(init, shared.begin[s], shared.end[s],
                                              shared.folds + shared.first[s], shared.rests[s], op);
    if (lane_id() == 0) write(s, fold);
  }
}

/// init (+) the listed segment whose pages have all been folded, by one warp.
template <class Tuning, class T, class Op>
__device__ uninitialized<T> join_pages(segreduce_long_shared<Tuning, T>& shared,
                                       const segment_list<Tuning, T>& list, unsigned number,
                                       const Op& op, uninitialized<T> init) {
  using list_type = segment_list<Tuning, T>;
  constexpr unsigned page = list_type::page;
  const listed_segment& segment = shared.listed[number];
  uninitialized<T>* const folds = shared.folds;
  static_assert(sizeof(shared.folds) >= list_type::most_pages * sizeof(*folds));
  const auto read = [&](const uninitialized<T>* from, unsigned count) {
    // The lanes have used what was there.
    __syncwarp();
    for (auto k = static_cast<unsigned>(lane_id()); k < count; k += warp_threads) {
      folds[k] = from[k];
    }
    __syncwarp();
  };
  const unsigned first_whole = (segment.begin + page - 1) / page;
  const unsigned after_whole = segment.end / page;
  if (const unsigned inside = segment.begin % page; inside != 0) {
    read(list.ends(number, false), list_type::warps);
    init = join_groups(init, segment.begin, first_whole * page, folds + inside / detail::fold_group,
                       init, op);
  }
  read(list.pages() + first_whole, after_whole - first_whole);
  init = fold_groups(init, std::uint64_t{first_whole}, static_cast<int>(after_whole - first_whole),
                     folds, op);
  if (segment.end % page != 0) {
    read(list.ends(number, true), list_type::end_folds);
    init = join_groups(init, after_whole * page, segment.end, folds, folds[list_type::warps], op);
  }
  return init;
}

/// Folds a page of a listed segment, and the segment if its other pages have been folded. Called by
/// all threads of a block; the result goes to write(fold) in one lane.
template <class Size, class Tuning, class T, class F, class Op, class Write>
__device__ void fold_page(segreduce_long_shared<Tuning, T>& shared,
                          const segment_list<Tuning, T>& list, unsigned number,
                          unsigned page_number, const F& f, const Op& op,
                          const uninitialized<T>& init, const Write& write) {
  using list_type = segment_list<Tuning, T>;
  constexpr unsigned warps = list_type::warps;
  const listed_segment& segment = shared.listed[number];
  const unsigned first = segment.begin / list_type::page;
  const unsigned pages = (segment.end - 1) / list_type::page - first + 1;
  const unsigned base = (first + page_number) * list_type::page;
  const auto warp = static_cast<unsigned>(uniform_warp_id());
  const unsigned group = base + warp * detail::fold_group;
  if (group < segment.end && group + detail::fold_group > segment.begin) {
    using tiles_type = fold_tiles<Tuning, T>;
    const tiles_type tiles(shared.tiles);
    const group_part part(group, segment.begin, segment.end);
    typename tiles_type::tile_values values;
    load_part<Size, Op>(tiles, part, f, values);
    const part_folds<T> folds = fold_part<F>(tiles, part, values, op, [] {});
    if (lane_id() == 0) {
      shared.folds[warp] = folds.runs;
      if (part.has_rest()) shared.folds[warps] = folds.rest;
    }
  }
  __syncthreads();
  if (warp != 0) return;
  if (segment.begin <= base && base + list_type::page <= segment.end) {
    const uninitialized<T>& fold = shared.folds[lane_id() % static_cast<int>(warps)];
    const auto blocks = fold_lanes<exponent_of(warps)>(fold.value, op);
    if (lane_id() == 0) list.pages()[base / list_type::page] = uninitialized<T>(blocks.all.value);
  } else if (static_cast<unsigned>(lane_id()) < list_type::end_folds) {
    list.ends(number, page_number > 0)[lane_id()] = shared.folds[lane_id()];
  }
  __threadfence();
  __syncwarp();
  const unsigned before = lane_id() == 0 ? atomicAdd(list.folded() + number, 1u) : 0;
  if (__shfl_sync(whole_warp, before, 0) != pages - 1) return;
  __threadfence();
  const uninitialized<T> fold = join_pages(shared, list, number, op, init);
  if (lane_id() == 0) write(fold);
}

template <class Tuning, class T, class Size, class F, class Offsets, class SegmentSize,
          class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segreduce_long_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                          Output out, Op op, uninitialized<T> init, segment_list<Tuning, T> list) {
  using list_type = segment_list<Tuning, T>;
  constexpr unsigned group = detail::fold_group;
  auto& shared = shared_as<segreduce_long_shared<Tuning, T>>();
  const auto lane = static_cast<unsigned>(lane_id());
  const bool is_first_warp = uniform_warp_id() == 0;
  const auto number_of = [&](unsigned k) { return k * gridDim.x + blockIdx.x; };
  const auto write = [&](unsigned k, const uninitialized<T>& fold) {
    out[static_cast<SegmentSize>(number_of(k))] = fold.value;
  };
  const auto count = static_cast<std::uint64_t>(segments.num_segments);
  const bool exists = number_of(lane) < count;
  bool may_have_long = count > looked_at_by_thread * Tuning::threads;
  if (is_first_warp) {
    unsigned begin = 0;
    unsigned end = 0;
    if (exists) {
      begin = static_cast<unsigned>(segments.begin(static_cast<SegmentSize>(number_of(lane))));
      end = static_cast<unsigned>(segments.end(static_cast<SegmentSize>(number_of(lane))));
    }
    const unsigned items = end - begin;
    const bool has_groups = items >= detail::fold_run && items <= Tuning::by_block;
    const unsigned groups = has_groups ? (end - 1) / group - begin / group + 1 : 0;
    const unsigned after = warp_inclusive_scan(groups, plus{});
    shared.begin[lane] = begin;
    shared.end[lane] = end;
    shared.first[lane + 1] = after;
    if (lane == 0) shared.first[0] = 0;
  } else if (!may_have_long) {
#pragma unroll 4
    for (unsigned s = threadIdx.x - warp_threads; s < count; s += Tuning::threads - warp_threads) {
      const auto number = static_cast<SegmentSize>(s);
      const auto items = static_cast<std::uint64_t>(segments.end(number) - segments.begin(number));
      may_have_long |= items > Tuning::by_block;
    }
  }
  may_have_long = __syncthreads_or(may_have_long);
  unsigned state = 0;
  if (is_first_warp) {
    const unsigned begin = shared.begin[lane];
    const unsigned end = shared.end[lane];
    const bool is_listed = end - begin > Tuning::by_block;
    if (is_listed) list.append(number_of(lane), begin, end);
    if (__any_sync(whole_warp, is_listed)) __threadfence();
    __syncwarp();
    // The answer is awaited after the folds.
    if (may_have_long && lane == 0 && exists) {
      state = list.add(list.state, list_type::one_block) + list_type::one_block;
    }
    if (exists && end - begin < detail::fold_run) {
      write(lane, fold_short_segment(static_cast<Size>(begin), static_cast<int>(end - begin), f, op,
                                     init));
    }
  }
  // Those that have a segment.
  const unsigned blocks = count < gridDim.x ? static_cast<unsigned>(count) : gridDim.x;
  const auto look = [&] {
    if (may_have_long && threadIdx.x == 0 && list_type::blocks_in(state) < blocks) {
      state = list.look();
    }
  };
  fold_long_segments<Size>(shared, f, op, init, write, look);
  if (!may_have_long) return;
  if (threadIdx.x == 0) {
    while (list_type::blocks_in(state) < blocks) state = list.look();
    if (list_type::segments_in(state) > 0) __threadfence();
    shared.state = state;
  }
  __syncthreads();
  const unsigned listed = list_type::segments_in(shared.state);
  if (listed == 0) return;
  for (unsigned s = threadIdx.x; s < listed; s += Tuning::threads) {
    shared.listed[s] = list.segments()[s];
  }
  while (true) {
    if (threadIdx.x == 0) shared.page = list.add(list.taken, 1);
    __syncthreads();
    const unsigned page = shared.page;
    if (page >= list_type::pages_in(shared.state)) return;
    const unsigned s =
        detail::partition_point(0u, listed,
                                [&](unsigned k) { return shared.listed[k].first_page <= page; }) -
        1;
    fold_page<Size>(shared, list, s, page - shared.listed[s].first_page, f, op, init,
                    [&](const uninitialized<T>& fold) {
                      out[static_cast<SegmentSize>(shared.listed[s].number)] = fold.value;
                    });
    __syncthreads();
  }
}

}  // namespace device

}  // namespace evenfold
