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
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/block_segments.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/group_parts.cuh"
#include "evenfold/backend/cuda/device/segment_list.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/partition_point.hpp"

namespace evenfold {

/// Launch tuning of the fold of long segments: threads per block, the number of blocks per
/// multiprocessor that the compiler leaves registers for, the most items of a segment that one
/// block folds, and the most items of all segments.
template <int Threads, int Blocks, unsigned ByBlock = 1u << 17, unsigned Most = 1u << 24>
struct segreduce_long_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = detail::fold_run;
  static constexpr int blocks = Blocks;
  static constexpr unsigned by_block = ByBlock;
  static constexpr unsigned most = Most;
};

namespace device {

/// Blocks as large as the registers allow where a multiprocessor has one or two of them: a segment
/// has one block, which folds as many of its groups at once as it has warps.
template <class T>
using segreduce_long_tuning_for =
    std::conditional_t<sizeof(T) <= 4, segreduce_long_tuning<512, 2>,
                       std::conditional_t<sizeof(T) <= 8, segreduce_long_tuning<512, 1>,
                                          segreduce_long_tuning<256, 1, 1u << 14, 1u << 22>>>;

/// Of so many segments per thread of a block, each block looks at all lengths.
inline constexpr unsigned looked_at_by_thread = 2;

template <class Tuning, class T>
struct segreduce_long_shared
    : block_segments_shared<Tuning, T,
                            most_block_segments*(Tuning::by_block / detail::fold_group + 2)> {
  unsigned state;  ///< that of the list
  /// The page that the block folds, of those of the listed segments, and the one that it folds
  /// next.
  unsigned page[2];
  listed_segment listed[segment_list<Tuning, T>::most_segments];
  /// How many pages of a listed segment this block has folded.
  unsigned folded[segment_list<Tuning, T>::most_segments];
};

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

/// Folds a page of a listed segment. Called by all threads of a block, which synchronises before it
/// folds another page.
template <class Size, class Tuning, class T, class F, class Op>
__device__ void fold_page(segreduce_long_shared<Tuning, T>& shared,
                          const segment_list<Tuning, T>& list, unsigned number,
                          unsigned page_number, const F& f, const Op& op) {
  using list_type = segment_list<Tuning, T>;
  constexpr unsigned warps = list_type::warps;
  const listed_segment& segment = shared.listed[number];
  const unsigned base = (segment.begin / list_type::page + page_number) * list_type::page;
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
  if (lane_id() == 0) ++shared.folded[number];
}

/// Folds those of the listed segments of which this block has folded the last page; called by one
/// warp. The results go to write(number, fold) in one lane.
template <class Tuning, class T, class Op, class Write>
__device__ void join_folded(segreduce_long_shared<Tuning, T>& shared,
                            const segment_list<Tuning, T>& list, unsigned listed, const Op& op,
                            const uninitialized<T>& init, const Write& write) {
  for (unsigned base = 0; base < listed; base += warp_threads) {
    const unsigned mine = base + static_cast<unsigned>(lane_id());
    const unsigned folded = mine < listed ? shared.folded[mine] : 0;
    bool is_last = false;
    if (folded > 0) {
      const unsigned pages = list.pages_of(shared.listed[mine].begin, shared.listed[mine].end);
      is_last = atomicAdd(list.folded() + mine, folded) + folded == pages;
    }
    for (unsigned last = __ballot_sync(whole_warp, is_last); last != 0; last &= last - 1) {
      __threadfence();
      const unsigned number = base + static_cast<unsigned>(__ffs(static_cast<int>(last)) - 1);
      const uninitialized<T> fold = join_pages(shared, list, number, op, init);
      if (lane_id() == 0) write(shared.listed[number].number, fold);
    }
  }
}

/// Folds the listed segments, together with the other blocks. Called by all threads of a block when
/// all segments are listed; the results go to write(number, fold) in one lane.
template <class Size, class Tuning, class T, class F, class Op, class Write>
__device__ void fold_listed(segreduce_long_shared<Tuning, T>& shared,
                            const segment_list<Tuning, T>& list, const F& f, const Op& op,
                            const uninitialized<T>& init, const Write& write) {
  using list_type = segment_list<Tuning, T>;
  const unsigned listed = list_type::segments_in(shared.state);
  if (listed == 0) return;
  for (unsigned s = threadIdx.x; s < listed; s += Tuning::threads) {
    shared.listed[s] = list.segments()[s];
    shared.folded[s] = 0;
  }
  if (threadIdx.x == 0) shared.page[0] = list.taken.add(1);
  for (int turn = 0;; turn ^= 1) {
    __syncthreads();
    const unsigned page = shared.page[turn];
    if (page >= list_type::pages_in(shared.state)) break;
    // The answer is awaited after the folds.
    const unsigned next = threadIdx.x == 0 ? list.taken.add(1) : 0;
    const unsigned s =
        detail::partition_point(0u, listed,
                                [&](unsigned k) { return shared.listed[k].first_page <= page; }) -
        1;
    fold_page<Size>(shared, list, s, page - shared.listed[s].first_page, f, op);
    if (threadIdx.x == 0) shared.page[1 - turn] = next;
  }
  if (uniform_warp_id() != 0) return;
  // The folds of pages are there before their number is.
  __threadfence();
  __syncwarp();
  join_folded(shared, list, listed, op, init, write);
}

template <class Tuning, class T, class Size, class F, class Offsets, class SegmentSize,
          class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segreduce_long_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                          Output out, Op op, uninitialized<T> init, segment_list<Tuning, T> list) {
  using list_type = segment_list<Tuning, T>;
  constexpr unsigned warps = Tuning::threads / warp_threads;
  auto& shared = shared_as<segreduce_long_shared<Tuning, T>>();
  const auto lane = static_cast<unsigned>(lane_id());
  const auto warp = static_cast<unsigned>(uniform_warp_id());
  const auto count = static_cast<std::uint64_t>(segments.num_segments);
  const auto segment_at = [&](unsigned number) {
    const auto s = static_cast<SegmentSize>(number);
    return lane_segment{static_cast<unsigned>(segments.begin(s)),
                        static_cast<unsigned>(segments.end(s))};
  };
  // Those that have a segment. A block without segments folds pages, if there are any.
  const unsigned blocks = count < gridDim.x ? static_cast<unsigned>(count) : gridDim.x;
  const unsigned number = blockIdx.x + lane * gridDim.x;
  const bool exists = number < count;
  const lane_segment mine = exists ? segment_at(number) : lane_segment{};
  bool may_have_long = count > looked_at_by_thread * Tuning::threads;
  if (!may_have_long) {
#pragma unroll
    for (unsigned k = 0; k < looked_at_by_thread; ++k) {
      const unsigned s = threadIdx.x + k * Tuning::threads;
      if (s < count) may_have_long |= segment_at(s).items() > Tuning::by_block;
    }
  }
  may_have_long = __syncthreads_or(may_have_long);
  const bool is_listed = mine.items() > Tuning::by_block;
  unsigned state = 0;
  if (warp == 0) {
    if (is_listed) list.append(number, mine.begin, mine.end);
    if (__any_sync(whole_warp, is_listed)) __threadfence();
    __syncwarp();
    // The answer is awaited after the folds.
    if (may_have_long && lane == 0 && exists) state = list.add_block();
  }
  const auto write = [&](const uninitialized<T>& fold) {
    out[static_cast<SegmentSize>(number)] = fold.value;
  };
  const bool is_short = mine.items() < detail::fold_run;
  if (exists && is_short && lane % warps == warp) {
    write(fold_short_segment(static_cast<Size>(mine.begin), static_cast<int>(mine.items()), f, op,
                             init));
  }
  fold_block_segments<Size>(
      shared, mine, exists && !is_short && !is_listed, count > gridDim.x, f, op, init,
      [&] {
        if (may_have_long && threadIdx.x == 0 && list_type::blocks_in(state) < blocks) {
          state = list.state.look();
        }
      },
      write);
  if (!may_have_long) return;
  if (threadIdx.x == 0) {
    while (list_type::blocks_in(state) < blocks) state = list.state.look();
    if (list_type::segments_in(state) > 0) __threadfence();
    shared.state = state;
  }
  __syncthreads();
  fold_listed<Size>(shared, list, f, op, init, [&](unsigned number, const uninitialized<T>& fold) {
    out[static_cast<SegmentSize>(number)] = fold.value;
  });
}

}  // namespace device

}  // namespace evenfold
