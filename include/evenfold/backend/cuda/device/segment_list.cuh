#pragma once
// The segments that are too long for one block of threads: each block lists those of its own, and
// when all have done so, they fold the pages of all of them together.

#include <cstddef>
#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/launch_counter.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::device {

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
  static_assert(end_folds <= warp_threads, "each has a lane that writes it");
  static constexpr std::size_t bytes =
      most_segments * (sizeof(listed_segment) + sizeof(unsigned)) +
      (most_pages + 2 * end_folds * most_segments) * sizeof(uninitialized<T>);

  /// How many blocks have listed segments of theirs, how many segments these are, and how many
  /// pages they have; and how many pages blocks have taken.
  launch_counter state;
  launch_counter taken;
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

  /// Counts a block that has listed its segments. Returns the state after that.
  __device__ unsigned add_block() const { return state.add(one_block) + one_block; }

  /// The number of pages that have items of a segment.
  __device__ static unsigned pages_of(unsigned begin, unsigned end) {
    return (end - 1) / page - begin / page + 1;
  }

  /// Called by one thread.
  __device__ void append(unsigned number, unsigned begin, unsigned end) const {
    const unsigned before = state.add(one_segment + pages_of(begin, end) * one_page);
    segments()[segments_in(before)] = {begin, end, number, pages_in(before)};
    folded()[segments_in(before)] = 0;
  }
};

}  // namespace evenfold::device
