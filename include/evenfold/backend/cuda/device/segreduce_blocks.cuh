#pragma once
// Segmented reduction of long segments by a thread block each, in the canonical order of folds
// (balance/fold_order.hpp) unless any order gives the same bits.
//
// The blocks start one after the other, so that nothing is searched, and a multiprocessor that is
// faster than others takes more segments. A segment that is too long for one block is cut into
// pages, which its block lists. Behind the blocks of the segments there are others that fold these
// pages: they wait until each of the segments has been looked at, which requires that blocks start
// in the order of their indices.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/block_segments.cuh"
#include "evenfold/backend/cuda/device/cut_segments.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/fold_tiles.cuh"
#include "evenfold/backend/cuda/device/group_parts.cuh"
#include "evenfold/backend/cuda/device/join_segments.cuh"
#include "evenfold/backend/cuda/device/launch_counter.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/uniform_offsets.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// Launch tuning of the fold of segments by a thread block each: threads per block, the number of
/// blocks per multiprocessor that the compiler leaves registers for, and the most items of a
/// segment that one block folds.
template <int Threads, int Blocks, unsigned ByBlock>
struct segreduce_blocks_tuning {
  static constexpr int threads = Threads;
  static constexpr int items = detail::fold_run;
  static constexpr int blocks = Blocks;
  static constexpr unsigned by_block = ByBlock;
};

namespace device {

/// Whether threads fold what they read of a sequence in any order, from an operand that changes
/// nothing.
template <class F, class Op, class T>
inline constexpr bool folds_in_any_order =
    detail::is_exact_fold<Op, T> && detail::has_unchanging<Op, T> && is_one_sequence<F>;

/// Items that are folded in any order are read as fast as their bytes allow, so that a block folds
/// more of them.
template <class F, class Op, class T>
inline constexpr unsigned most_items_of_block =
    folds_in_any_order<F, Op, T> && sizeof(T) < 4 ? (1u << 17) / sizeof(T) : 1u << 15;
template <class F, class Op, class T>
using segreduce_blocks_tuning_for = segreduce_blocks_tuning<128, 8, most_items_of_block<F, Op, T>>;

/// A page of a segment that is too long for one block.
struct listed_page {
  unsigned segment;
  unsigned number;  ///< the page has the items from number * page_items on
};

/// The pages of the segments that are too long for one block.
template <class Tuning, class T>
struct page_list {
  /// Such a segment has at least one whole page.
  static constexpr unsigned page_items = Tuning::by_block / 4;
  static constexpr unsigned groups = page_items / detail::fold_group;
  static constexpr int level = exponent_of(groups);

  /// Segment s that has been looked at is counted in seen[s % 32]. The atomic operations of all
  /// blocks on one word would take longer than the folds.
  launch_counter seen;
  launch_counter listed;  ///< pages
  launch_counter taken;   ///< pages, by the blocks that fold them
  listed_page* pages;
  cut_segments<T> cuts;  ///< a unit is a page

  /// The counters lie in lines of their own.
  static constexpr unsigned line = 16;
  static constexpr unsigned words = (warp_threads + 2) * line;
  page_list(unsigned long long* counters, std::uint32_t generation, listed_page* list,
            const cut_segments<T>& folds)
      : seen{counters, generation},
        listed{counters + warp_threads * line, generation},
        taken{counters + (warp_threads + 1) * line, generation},
        pages(list),
        cuts(folds) {}

  __device__ launch_counter seen_by(unsigned lane) const {
    return {seen.word + lane * line, seen.generation};
  }
  /// Called by one thread.
  __device__ void count_segment(unsigned number) const { seen_by(number % warp_threads).add(1); }
  /// Waits until all segments have been looked at. Called by one warp.
  __device__ void wait_for_segments(unsigned count) const {
    const auto lane = static_cast<unsigned>(lane_id());
    const launch_counter mine = seen_by(lane);
    const unsigned all = (count + warp_threads - 1 - lane) / warp_threads;
    while (!__all_sync(whole_warp, mine.acquired() == all)) {
    }
  }

  /// The most pages of so many items.
  static std::size_t most(std::uint64_t items) {
    return items / page_items + 2 * (items / Tuning::by_block) + 1;
  }
  /// The number of pages that have items of a segment.
  __device__ static unsigned pages_of(unsigned begin, unsigned end) {
    return (end - 1) / page_items - begin / page_items + 1;
  }
};

template <class Tuning, class T>
struct segreduce_blocks_shared {
  typename fold_tiles<Tuning, T>::shared_type tiles;
  /// The folds of the parts of a segment, and of the items after the last run.
  uninitialized<T> folds[Tuning::by_block / detail::fold_group + 2];
  uninitialized<T> rest;
  unsigned listed;   ///< the first page that is listed, or how many are
  unsigned page[2];  ///< the page that the block folds, and the one that it folds next
  bool is_last;      ///< whether the block has folded the last page of a segment
};

/// Writes the folds of the parts of [begin, end) to shared memory. Synchronises the block
/// afterwards.
template <class Size, class Tuning, class T, class F, class Op>
__device__ void fold_groups_of_block(segreduce_blocks_shared<Tuning, T>& shared, unsigned begin,
                                     unsigned end, const F& f, const Op& op) {
  constexpr unsigned group = detail::fold_group;
  const fold_tiles<Tuning, T> tiles(shared.tiles);
  const unsigned first = begin / group;
  const unsigned parts = (end - 1) / group - first + 1;
  for (auto k = static_cast<unsigned>(uniform_warp_id()); k < parts;
       k += Tuning::threads / warp_threads) {
    const group_part part((first + k) * group, begin, end);
    typename fold_tiles<Tuning, T>::tile_values values;
    load_part<Size, Op>(tiles, part, f, values);
    const part_folds<T> folds = fold_part<F>(tiles, part, values, op, [] {});
    if (lane_id() == 0) {
      shared.folds[k] = folds.runs;
      if (part.has_rest()) shared.rest = folds.rest;
    }
    // The lanes have read their tile before the next one is written there.
    __syncwarp();
  }
  __syncthreads();
}

/// The fold of those of the items [begin, end) that a thread of a block takes, in any order.
template <int Threads, class T, class Size, class F, class Op>
__device__ T fold_items_of_thread(unsigned begin, unsigned end, const F& f, const Op& op) {
  constexpr unsigned width = reader<F>::widest;
  T fold = detail::unchanging<Op, T>;
  const auto append = [&](const T& value) { fold = static_cast<T>(op(fold, value)); };
  const auto append_item = [&](unsigned k) { append(static_cast<T>(f(static_cast<Size>(k)))); };
  const auto lane = static_cast<unsigned>(lane_id());
  // The first item at which a pack may begin.
  const unsigned aligned = __ballot_sync(
      whole_warp, lane < width && reader<F>::template aligned<width>(f, begin + lane));
  const unsigned first = begin + static_cast<unsigned>(__ffs(static_cast<int>(aligned)) - 1);
  if (first + width > end) {
    if (threadIdx.x < end - begin) append_item(begin + threadIdx.x);
    return fold;
  }
  const unsigned packs = (end - first) / width;
  // The first and the last warp take the items beside the packs.
  const unsigned last = first + packs * width;
  if (threadIdx.x < first - begin) append_item(begin + threadIdx.x);
  if (Threads - 1 - threadIdx.x < end - last) append_item(last + Threads - 1 - threadIdx.x);
  // So many packs are read before the first of them is used.
  constexpr unsigned at_once = width < 16 ? 4 : 2;
  for (unsigned k = threadIdx.x; k < packs; k += at_once * Threads) {
    decltype(reader<F>::template fetch<width>(f, 0)) read[at_once];
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      const unsigned pack = k + j * Threads;
      if (pack < packs) {
        read[j] = reader<F>::template fetch<width>(f, first + std::uint64_t{pack} * width);
      }
    }
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      if (k + j * Threads >= packs) break;
#pragma unroll
      for (unsigned i = 0; i < width; ++i) {
        append(static_cast<T>(reader<F>::value(f, read[j], static_cast<int>(i))));
      }
    }
  }
  return fold;
}

/// The fold of the items [begin, end) in any order, by all threads of a block. Synchronises the
/// block, which does so again before it folds others.
template <class Size, class Tuning, class T, class F, class Op>
__device__ T fold_in_any_order(segreduce_blocks_shared<Tuning, T>& shared, unsigned begin,
                               unsigned end, const F& f, const Op& op) {
  constexpr int warps = Tuning::threads / warp_threads;
  const int warp = uniform_warp_id();
  const T mine = fold_items_of_thread<Tuning::threads, T, Size>(begin, end, f, op);
  const uninitialized<T> of_warp = fold_lanes(mine, op).all;
  if (lane_id() == 0) shared.folds[warp] = of_warp;
  __syncthreads();
  return fold_lanes<exponent_of(warps)>(shared.folds[lane_id() % warps].value, op).all.value;
}

/// init (+) the items [begin, end) by all threads of a block; the result is valid in its first
/// warp. Synchronises the block.
template <class Size, class Tuning, class T, class F, class Op>
__device__ uninitialized<T> fold_segment_by_block(segreduce_blocks_shared<Tuning, T>& shared,
                                                  unsigned begin, unsigned end, const F& f,
                                                  const Op& op, const uninitialized<T>& init) {
  if constexpr (folds_in_any_order<F, Op, T>) {
    const T fold = fold_in_any_order<Size>(shared, begin, end, f, op);
    return uninitialized<T>(static_cast<T>(op(init.value, fold)));
  } else {
    if (end - begin < detail::fold_run) {
      return fold_short_segment(static_cast<Size>(begin), static_cast<int>(end - begin), f, op,
                                init);
    }
    fold_groups_of_block<Size>(shared, begin, end, f, op);
    if (uniform_warp_id() != 0) return init;
    return join_groups(init, begin, end, shared.folds, shared.rest, op);
  }
}

/// Leaves what follows the last whole page of a segment that ends at item `end`: the page begins at
/// `base`, and the folds of its groups are in shared memory. Called by one warp.
template <class Tuning, class T, class Op>
__device__ void leave_end(const segreduce_blocks_shared<Tuning, T>& shared, unsigned base,
                          unsigned end, const Op& op, uninitialized<T>* trailing) {
  const auto lane = static_cast<unsigned>(lane_id());
  const unsigned whole = (end - base) / detail::fold_group;
  const auto blocks =
      fold_lanes<page_list<Tuning, T>::level>(shared.folds[lane < whole ? lane : 0].value, op);
  if (lane == whole) write_blocks_before<page_list<Tuning, T>::level>(blocks, trailing);
  if (lane != 0) return;
  const group_part tail(base + whole * detail::fold_group, base, end);
  uninitialized<T>* after = trailing + __popc(whole);
  if (tail.has_runs()) *after++ = shared.folds[whole];
  if (tail.has_rest()) *after = shared.rest;
}

/// Folds the items that page `number` has of a segment, and leaves the result where join_pages()
/// looks for it. Called by all threads of a block, which synchronises before it folds others.
template <class Size, class Tuning, class T, class F, class Op>
__device__ void fold_page(segreduce_blocks_shared<Tuning, T>& shared,
                          const page_list<Tuning, T>& list, unsigned number,
                          const lane_segment& segment, const F& f, const Op& op,
                          const uninitialized<T>& init) {
  using list_type = page_list<Tuning, T>;
  const unsigned base = number * list_type::page_items;
  const unsigned from = max(segment.begin, base);
  const unsigned to = min(segment.end, base + list_type::page_items);
  uninitialized<T>& head = list.cuts.head(segment.begin);
  uninitialized<T>& whole = list.cuts.rows[0][number];
  if constexpr (folds_in_any_order<F, Op, T>) {
    const T fold = fold_in_any_order<Size>(shared, from, to, f, op);
    // Two segments may have items of a page: one that ends in it, and one that begins in it.
    if (threadIdx.x == 0) (from == segment.begin ? head : whole) = uninitialized<T>(fold);
  } else {
    fold_groups_of_block<Size>(shared, from, to, f, op);
    if (uniform_warp_id() != 0) return;
    if (from > base) {
      const uninitialized<T> fold = join_groups(init, from, to, shared.folds, shared.rest, op);
      if (lane_id() == 0) head = fold;
    } else if (to - from == list_type::page_items) {
      constexpr int groups = list_type::groups;
      const uninitialized<T> fold =
          fold_lanes<list_type::level>(shared.folds[lane_id() % groups].value, op).all;
      if (lane_id() == 0) whole = fold;
      if (lane_id() == 0 && segment.begin == base) head = init;
    } else {
      leave_end(shared, base, to, op, list.cuts.trailing_of(to));
    }
  }
}

/// The fold of a segment of which all pages have been folded, in thread 0. Called by all threads of
/// a block, which it synchronises.
template <class F, class Tuning, class T, class Op>
__device__ T join_pages(segreduce_blocks_shared<Tuning, T>& shared,
                        const page_list<Tuning, T>& list, const lane_segment& segment, const Op& op,
                        const uninitialized<T>& init) {
  const cut_segments<T>& cuts = list.cuts;
  if constexpr (folds_in_any_order<F, Op, T>) {
    const unsigned first = segment.begin / list.page_items;
    const T others = fold_in_any_order<unsigned>(shared, first + 1,
                                                 first + list.pages_of(segment.begin, segment.end),
                                                 element_of<T, const T*>{&cuts.rows[0]->value}, op);
    return static_cast<T>(op(init.value, op(cuts.head(segment.begin).value, others)));
  } else {
    fold_all_rows<Tuning::threads / warp_threads>(cuts, segment.begin, segment.end, op);
    if (uniform_warp_id() != 0) return init.value;
    return join_segment(cuts, segment.begin, segment.end, cuts.trailing_of(segment.end), op);
  }
}

/// Folds listed pages, together with the other blocks behind those of the `count` segments; the
/// block that folds the last page of a segment joins it.
template <class Size, class Tuning, class T, class SegmentAt, class F, class Op, class Write>
__device__ void fold_listed_pages(segreduce_blocks_shared<Tuning, T>& shared,
                                  const page_list<Tuning, T>& list, unsigned count,
                                  const SegmentAt& segment_at, const F& f, const Op& op,
                                  const uninitialized<T>& init, const Write& write) {
  const bool is_first_warp = uniform_warp_id() == 0;
  if (is_first_warp) {
    list.wait_for_segments(count);
    if (lane_id() == 0) {
      shared.listed = list.listed.look();
      if (shared.listed > 0) shared.page[0] = list.taken.add(1);
    }
  }
  __syncthreads();
  const unsigned listed = shared.listed;
  if (listed == 0) return;
  for (int turn = 0;; turn ^= 1) {
    const unsigned k = shared.page[turn];
    if (k >= listed) break;
    // The answer is awaited after the folds.
    const unsigned next = threadIdx.x == 0 ? list.taken.add(1) : 0;
    const listed_page page = list.pages[k];
    const lane_segment segment = segment_at(page.segment);
    fold_page<Size>(shared, list, page.number, segment, f, op, init);
    if (is_first_warp) {
      __threadfence();
      __syncwarp();
      if (lane_id() == 0) {
        unsigned long long* const folded = list.cuts.folded_of(segment.begin);
        shared.is_last = atomicAdd(folded, 1ull) + 1 == list.pages_of(segment.begin, segment.end);
        if (shared.is_last) *folded = 0;
        shared.page[1 - turn] = next;
      }
    }
    __syncthreads();
    if (!shared.is_last) continue;
    __threadfence();
    const T fold = join_pages<F>(shared, list, segment, op, init);
    if (threadIdx.x == 0) write(page.segment, fold);
    __syncthreads();
  }
}

/// Lists the pages of a segment. Called by all threads of a block.
template <class Tuning, class T>
__device__ void list_pages(segreduce_blocks_shared<Tuning, T>& shared,
                           const page_list<Tuning, T>& list, unsigned number,
                           const lane_segment& segment) {
  const unsigned pages = list.pages_of(segment.begin, segment.end);
  if (threadIdx.x == 0) shared.listed = list.listed.add(pages);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < pages; k += Tuning::threads) {
    list.pages[shared.listed + k] = {number, segment.begin / list.page_items + k};
  }
  __threadfence();
  __syncthreads();
}

template <class Tuning, class T, class Size, class F, class Offsets, class SegmentSize,
          class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segreduce_blocks_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                            Output out, Op op, uninitialized<T> init, page_list<Tuning, T> list) {
  // Segments of equal length are folded so if they are short enough for one block.
  constexpr bool may_be_long = !std::is_same_v<Offsets, detail::uniform_offsets>;
  auto& shared = shared_as<segreduce_blocks_shared<Tuning, T>>();
  const auto segment_at = [&](unsigned number) {
    const auto s = static_cast<SegmentSize>(number);
    return lane_segment{static_cast<unsigned>(segments.begin(s)),
                        static_cast<unsigned>(segments.end(s))};
  };
  const auto write = [&](unsigned number, const T& fold) {
    out[static_cast<SegmentSize>(number)] = fold;
  };
  const auto count = static_cast<unsigned>(segments.num_segments);
  const unsigned number = blockIdx.x;
  if constexpr (may_be_long) {
    if (number >= count) {
      fold_listed_pages<Size>(shared, list, count, segment_at, f, op, init, write);
      return;
    }
  }
  const lane_segment segment = segment_at(number);
  if constexpr (may_be_long) {
    const bool is_long = segment.items() > Tuning::by_block;
    if (is_long) list_pages(shared, list, number, segment);
    if (threadIdx.x == 0) list.count_segment(number);
    if (is_long) return;
  }
  const uninitialized<T> fold =
      fold_segment_by_block<Size>(shared, segment.begin, segment.end, f, op, init);
  if (threadIdx.x == 0) write(number, fold.value);
}

}  // namespace device

}  // namespace evenfold
