#pragma once
// The shares of the items and segment ends that the warps of a load-balanced kernel take.

#include <cstddef>
#include <cstdint>

#include "evenfold/balance/segments.hpp"
#include "evenfold/balance/shares.hpp"

namespace evenfold::device {

/// The items of the segment that is open at a border between shares; none if it is not open.
template <class Size>
struct open_items {
  Size begin, end;
};

/// The shares of the warps of a block: warp w takes [share[w], share[w + 1]). Where the tuning
/// folds runs, the segments that are open there, too.
template <class Size, class SegmentSize, int Warps, bool HasOpen>
struct block_shares {
  detail::segment_position<Size, SegmentSize> share[Warps + 1];
};
template <class Size, class SegmentSize, int Warps>
struct block_shares<Size, SegmentSize, Warps, true>
    : block_shares<Size, SegmentSize, Warps, false> {
  open_items<Size> open[Warps + 1];

  /// Whether a segment begins before a border and ends after it.
  __device__ bool is_inside(int border) const {
    return open[border].begin < this->share[border].item;
  }
  /// Whether the segment in which the share of a warp begins is that in which the block begins.
  __device__ bool began_before_block(int warp) const {
    return is_inside(0) && this->share[0].segment == this->share[warp].segment;
  }
  /// Whether the segment in which the share of a warp begins ends there and began in the block.
  __device__ bool closes_own(int warp) const {
    return is_inside(warp) && this->share[warp].segment != this->share[warp + 1].segment &&
           !began_before_block(warp);
  }
};

/// The shares of the warps. Computed on the host, since the device divides slowly.
struct warp_shares : detail::equal_shares<std::uint64_t> {
  int density;               // segments per tile on average
  std::uint64_t unit, page;  // where Tuning::folds_runs: powers of two
  std::uint64_t whole;       // and segments of fewer items are not cut

  template <class View>
  warp_shares(const View& segments, std::size_t warps, int tile, std::uint64_t cut_unit = 1,
              std::uint64_t cut_page = 1, std::uint64_t uncut = 0)
      : equal_shares(segments.steps(), warps),
        density(static_cast<int>(static_cast<double>(segments.num_segments) * tile /
                                 static_cast<double>(segments.steps()))),
        unit(cut_unit),
        page(cut_page),
        whole(uncut) {}
};

/// Whether a kernel folds whole runs of items in the canonical order: then the slots of a tile
/// begin at a multiple of its length, and a share that begins inside a segment begins at a multiple
/// of the unit of the shares, that of a thread block at a multiple of their page.
template <class Tuning>
inline constexpr bool folds_runs = requires { requires Tuning::folds_runs; };

}  // namespace evenfold::device
