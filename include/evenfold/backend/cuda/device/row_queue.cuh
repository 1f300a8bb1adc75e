#pragma once
// A queue of rows of a sparse matrix, filled by warps in any order and then walked in equal shares
// of entries. One atomic addition gives a row both its position in the queue and the number of
// entries before it, so that no scan is needed between filling and walking.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// Packs a number of rows and a number of entries into one word.
struct tally_format {
  using word = unsigned long long;

  int entry_bits;

  EF_HD word pack(word rows, word entries) const { return rows << entry_bits | entries; }
  EF_HD word rows(word tally) const { return tally >> entry_bits; }
  EF_HD word entries(word tally) const { return tally & ((word{1} << entry_bits) - 1); }
};

/// A row whose entries begin at `begin` in the matrix, and after `before` entries in the queue.
template <class Offset>
struct alignas(2 * sizeof(Offset)) queued_row {
  Offset begin;
  std::make_unsigned_t<Offset> before;
};

/// A queue of rows that have entries. New rows are appended at the position that `tally` counts.
template <class Index, class Offset>
struct row_queue {
  queued_row<Offset>* rows;
  /// The number of each row in the matrix; nullptr where it is not needed.
  Index* numbers;
  /// The numbers of rows and of entries that have been appended.
  tally_format::word* tally;
  tally_format format;

  /// The part of this queue from row `first` on.
  template <class Size>
  __device__ row_queue from(Size first) const {
    return {rows + first, numbers + first, tally, format};
  }

  /// Appends up to Items rows per lane: those with `take`, each of which has entries. All lanes of
  /// the warp call it.
  template <int Items>
  __device__ void push(const bool (&take)[Items], const Index (&number)[Items],
                       const Offset (&begin)[Items], const Offset (&end)[Items]) const {
    tally_format::word mine = 0;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (take[i]) mine += format.pack(1, static_cast<tally_format::word>(end[i] - begin[i]));
    }
    if (!__any_sync(whole_warp, mine != 0)) return;
    const tally_format::word through = warp_inclusive_scan(mine, plus{});
    tally_format::word slot = 0;
    if (lane_id() == warp_threads - 1) slot = atomicAdd(tally, through);
    slot = __shfl_sync(whole_warp, slot, warp_threads - 1) + through - mine;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (!take[i]) continue;
      rows[format.rows(slot)] = {begin[i],
                                 static_cast<std::make_unsigned_t<Offset>>(format.entries(slot))};
      if (numbers != nullptr) numbers[format.rows(slot)] = number[i];
      slot += format.pack(1, static_cast<tally_format::word>(end[i] - begin[i]));
    }
  }
};

/// Walks the share of warp `worker` of `workers` in the `entries` entries of `count` queued rows.
/// Calls visit(row, entry, valid) with arrays of Items per lane: the index of the row in the queue,
/// the index of the entry in the matrix, and whether there is one. All lanes of the warp call it,
/// and visit is called equally often in all of them.
template <int Items, std::integral Size, class Offset, class Visit>
__device__ void walk_entries(const queued_row<Offset>* rows, Size count,
                             std::make_unsigned_t<Offset> entries, unsigned worker,
                             unsigned workers, Visit visit) {
  using position = std::make_unsigned_t<Offset>;
  const detail::equal_shares<position> shares(detail::ceil_div(entries, warp_threads), workers);
  position first = warp_uniform(shares.begin(worker) * warp_threads);
  const position end = shares.begin(worker + 1) * warp_threads;
  const position last = warp_uniform(end < entries ? end : entries);
  if (first >= last) return;

  // The warp holds one row per lane; the last of them only tells where the row before it ends.
  Size held = group_partition_point<warp_threads, 1>(
                  Size{0}, count, [&](Size i) { return rows[i].before <= first; }) -
              1;
  for (; first < last; held += warp_threads - 1) {
    const Size own = held + static_cast<Size>(lane_id());
    const queued_row<Offset> row = own < count ? rows[own] : queued_row<Offset>{0, last};
    const position covered = shuffle_from(row.before, warp_threads - 1);
    const position limit = covered < last ? covered : last;
    for (; first < limit; first += Items * warp_threads) {
      Size which[Items];
      Offset entry[Items];
      bool valid[Items];
#pragma unroll
      for (int i = 0; i < Items; ++i) {
        const position at = first + static_cast<position>(i * warp_threads + lane_id());
        valid[i] = at < limit;
        which[i] = 0;
        entry[i] = 0;
        if (first + static_cast<position>(i * warp_threads) >= limit) continue;
        int lane = 0;
#pragma unroll
        for (int half = warp_threads / 2; half > 0; half /= 2) {
          if (shuffle_from(row.before, lane + half) <= at) lane += half;
        }
        which[i] = held + static_cast<Size>(lane);
        entry[i] = shuffle_from(row.begin, lane) +
                   static_cast<Offset>(at - shuffle_from(row.before, lane));
      }
      visit(which, entry, valid);
    }
    first = limit;
  }
}

}  // namespace evenfold::device
