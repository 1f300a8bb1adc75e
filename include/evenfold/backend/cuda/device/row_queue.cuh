#pragma once
// A queue of rows of a sparse matrix whose entries are to be walked, filled by warps in any order
// and walked in equal shares of entries at once: a row learns its place and the number of entries
// before it from the same atomic addition, so no scan comes between filling and walking.

#include <concepts>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/core/functional.hpp"

namespace evenfold::device {

/// A number of rows and a number of entries in one word.
struct tally_format {
  using word = unsigned long long;

  int entry_bits;

  EF_HD word pack(word rows, word entries) const { return rows << entry_bits | entries; }
  EF_HD word rows(word tally) const { return tally >> entry_bits; }
  EF_HD word entries(word tally) const { return tally & ((word{1} << entry_bits) - 1); }
};

/// A row whose entries begin at `begin`; the queue has `before` entries before them.
template <class Offset>
struct alignas(2 * sizeof(Offset)) queued_row {
  Offset begin;
  std::make_unsigned_t<Offset> before;
};

/// Rows that have entries; what is read is from `rows`, what is pushed goes behind `tally` of them.
template <class Index, class Offset>
struct row_queue {
  queued_row<Offset>* rows;
  /// Which row each one is; may be nullptr, where nobody asks.
  Index* numbers;
  /// What has been pushed, in the format's word.
  tally_format::word* tally;
  tally_format format;

  /// The part of this queue from a row on.
  template <class Size>
  __device__ row_queue from(Size first) const {
    return {rows + first, numbers + first, tally, format};
  }

  /// Appends up to Items rows a lane, those with `take`, each of which has entries. All lanes of a
  /// warp call it.
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
    tally_format::word place = 0;
    if (lane_id() == warp_threads - 1) place = atomicAdd(tally, through);
    place = __shfl_sync(whole_warp, place, warp_threads - 1) + through - mine;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (!take[i]) continue;
      rows[format.rows(place)] = {begin[i],
                                  static_cast<std::make_unsigned_t<Offset>>(format.entries(place))};
      if (numbers != nullptr) numbers[format.rows(place)] = number[i];
      place += format.pack(1, static_cast<tally_format::word>(end[i] - begin[i]));
    }
  }
};

/// Walks the share of warp number `worker` of `workers` of the `entries` entries of `count` queued
/// rows: calls visit(row, entry, valid) with arrays of Items a lane: which of the rows, which entry
/// of the matrix, and whether there is one. All lanes call it and all get the same number of calls.
template <int Items, std::integral Size, class Offset, class Visit>
__device__ void walk_entries(const queued_row<Offset>* rows, Size count,
                             std::make_unsigned_t<Offset> entries, unsigned worker,
                             unsigned workers, Visit visit) {
  using position = std::make_unsigned_t<Offset>;
  const detail::equal_shares<position> shares(detail::ceil_div(entries, warp_threads), workers);
  position first = shares.begin(worker) * warp_threads;
  const position end = shares.begin(worker + 1) * warp_threads;
  const position last = end < entries ? end : entries;
  if (first >= last) return;

  // The rows that a warp holds, one a lane; the last of them only says where the one before ends.
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
