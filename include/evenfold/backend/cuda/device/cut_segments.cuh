#pragma once
// Segments that span several shares, in the canonical order of folds.
//
// A share that begins inside a segment begins at a multiple of a unit, which is 2^k tiles, and the
// share of a thread block at a multiple of a page, which is up to 8 units. The folds of all whole
// units and pages of long segments are written to memory. A segment that spans several shares is
// then the fold of what comes before its first whole unit, of the largest aligned blocks of units,
// and of the blocks and items after its last whole unit (join_segments.cuh).

#include <cstddef>
#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::device {

/// The items of a tile: one run for each lane.
inline constexpr int run_tile_level = 9;
inline constexpr int run_tile = 1 << run_tile_level;
static_assert(run_tile == warp_threads * detail::fold_run);

/// The capacity for what may follow the last whole unit of a segment: blocks of tiles, the whole
/// runs of a tile, and items.
inline constexpr int most_unit_level = 12;
inline constexpr int most_trailing = most_unit_level + 2;

/// A page is 2^most_page_width units or fewer.
inline constexpr int most_page_width = 3;

/// The number of levels of blocks of 32 nodes above pages.
inline constexpr int row_levels = 3;

/// How the memory of one launch is cut.
struct cut_sizes {
  int unit_level;  ///< a unit is 2^unit_level tiles
  int page_level;  ///< a page is 2^page_level tiles
  std::size_t units;
  std::size_t rows[row_levels + 1];

  cut_sizes(std::uint64_t count, int levels_of_unit, int levels_of_page)
      : unit_level(levels_of_unit), page_level(levels_of_page) {
    units = whole_rows(count >> (run_tile_level + unit_level));
    rows[0] = whole_rows(count >> (run_tile_level + page_level));
    for (int k = 1; k <= row_levels; ++k) rows[k] = whole_rows(rows[k - 1] / warp_threads);
  }

  /// A page is at most a quarter of a share of `share` items, so that shares are nearly equal.
  static cut_sizes of_shares(std::uint64_t count, std::uint64_t share) {
    int page = 0;
    while (page < most_unit_level + most_page_width &&
           share >= (std::uint64_t{8} * run_tile << page)) {
      ++page;
    }
    return {count, page > most_page_width ? page - most_page_width : 0, page};
  }

  /// The number of folds in memory.
  std::size_t folds() const {
    std::size_t sum = 2 * units + most_trailing * rows[0];
    for (const std::size_t size : rows) sum += size;
    return sum;
  }

 private:
  /// More than `size`, and a multiple of the length of a row.
  static std::size_t whole_rows(std::size_t size) {
    return (size / warp_threads + 1) * warp_threads;
  }
};

/// The memory of one launch.
template <class T>
struct cut_segments {
  int unit_level;
  int page_level;
  uninitialized<T>* heads;                 ///< for each unit: the open fold before it
  uninitialized<T>* units;                 ///< the folds of units
  uninitialized<T>* rows[row_levels + 1];  ///< rows[k]: the folds of blocks of 32^k pages
  uninitialized<T>* trailing;              ///< for each page: what follows a last whole unit
  unsigned long long* folded;              ///< for each page: how many items have been folded

  cut_segments(const cut_sizes& sizes, uninitialized<T>* folds, unsigned long long* counters)
      : unit_level(sizes.unit_level),
        page_level(sizes.page_level),
        heads(folds),
        units(heads + sizes.units),
        folded(counters) {
    rows[0] = units + sizes.units;
    for (int k = 0; k < row_levels; ++k) rows[k + 1] = rows[k] + sizes.rows[k];
    trailing = rows[row_levels] + sizes.rows[row_levels];
  }

  /// rows[k], from registers: an array of a parameter that is indexed would be copied to memory.
  __device__ uninitialized<T>* row(int k) const {
    uninitialized<T>* found = rows[0];
#pragma unroll
    for (int j = 1; j <= row_levels; ++j) {
      if (k >= j) found = rows[j];
    }
    return found;
  }

  /// An item lies in unit `item >> unit_shift()` and in page `item >> page_shift()`.
  __device__ int unit_shift() const { return run_tile_level + unit_level; }
  __device__ int page_shift() const { return run_tile_level + page_level; }

  /// The head of the segment that begins with an item. Only one of the cut segments begins in a
  /// unit, since shares begin inside segments at units.
  __device__ uninitialized<T>& head(std::uint64_t begin) const {
    return heads[begin >> unit_shift()];
  }
  /// What follows the last whole unit of a segment that spans thread blocks. Only one of them ends
  /// in a page, since thread blocks begin inside segments at pages.
  __device__ uninitialized<T>* trailing_of(std::uint64_t end) const {
    return trailing + (end >> page_shift()) * most_trailing;
  }
  /// The number of folded items of a segment that spans thread blocks.
  __device__ unsigned long long* folded_of(std::uint64_t begin) const {
    return folded + (begin >> page_shift());
  }

  /// Stores the fold of a block of 2^level tiles, of which `tile` is the last, if it is a unit or a
  /// page.
  __device__ void store_block(int level, std::uint64_t tile, const uninitialized<T>& fold) const {
    if (level == unit_level) units[tile >> level] = fold;
    if (level == page_level) rows[0][tile >> level] = fold;
  }
};

/// Where a warp leaves what follows the last whole unit of the segment in which its share begins:
/// in `own`, in shared memory, if the segment begins in the thread block.
template <class T>
struct share_cut {
  uninitialized<T>* trailing;
  uninitialized<T> own[most_trailing];
};

}  // namespace evenfold::device
