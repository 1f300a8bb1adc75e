#pragma once
// Joins the segments that span several shares (cut_segments.cuh).
//
// The largest aligned blocks of a range of units rise and then fall: at most one of 2^k units on
// each slope. Lane k of a warp folds those of 2^k units, from fewer than 32 nodes: units, pages, or
// rows of 32, 32^2 or 32^3 pages. Then all of them are folded from left to right.
//
// This is the end of a kernel whose thread blocks all end at the same time. Its duration depends on
// the number of waits for memory, and on the length of its code, which is in no cache yet.

#include <cstdint>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/cut_segments.cuh"
#include "evenfold/backend/cuda/device/fold_order.cuh"
#include "evenfold/backend/cuda/device/open_segment.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/wide_access.cuh"

namespace evenfold::device {

/// The fold of 2^level nodes from `nodes` on, fewer than 32, as a binary tree.
template <class T, class Op>
__device__ uninitialized<T> fold_nodes(const uninitialized<T>* nodes, int level, const Op& op) {
  constexpr int most = warp_threads / 2;
  uninitialized<T> node[most];
#pragma unroll
  for (int k = 0; k < most; ++k) node[k] = nodes[min(k, (1 << level) - 1)];
#pragma unroll
  for (int width = 1; width < most; width *= 2) {
#pragma unroll
    for (int k = 0; k < most; k += 2 * width) {
      if ((k + width) >> level == 0) {
        node[k] = uninitialized<T>(op(node[k].value, node[k + width].value));
      }
    }
  }
  return node[0];
}

/// Writes folds[r] = the fold of nodes 32 r to 32 r + 31 for every row r in [begin, end). Called by
/// all threads.
template <int Warps, class T, class Op>
__device__ void fold_rows(const uninitialized<T>* nodes, uninitialized<T>* folds,
                          std::uint64_t begin, std::uint64_t end, const Op& op) {
  // A load of a warp reads `width` rows.
  constexpr int width = widest_pack<T>;
  constexpr int lanes = warp_threads / width;
  constexpr int most_loads = sizeof(T) <= widest_access ? 16 : 4;
  constexpr int loads = lanes < most_loads ? lanes : most_loads;
  const auto lane = static_cast<unsigned>(lane_id());
#pragma unroll 1
  for (std::uint64_t first = begin + static_cast<unsigned>(uniform_warp_id()) * (loads * width);
       first < end; first += Warps * loads * width) {
    const std::uint64_t row = first + lane / lanes;
    pack<T, width> read[loads];
#pragma unroll
    for (int j = 0; j < loads; ++j) {
      const std::uint64_t mine = min(row + static_cast<unsigned>(j * width), end - 1);
      read[j] = load_pack<width>(&nodes[mine * warp_threads + lane % lanes * width].value);
    }
#pragma unroll
    for (int j = 0; j < loads; ++j) {
      auto& value = read[j].value;
#pragma unroll
      for (int half = 1; half < width; half *= 2) {
#pragma unroll
        for (int k = 0; k < width; k += 2 * half) {
          value[k] = uninitialized<T>(op(value[k].value, value[k + half].value));
        }
      }
#pragma unroll
      for (int half = 1; half < lanes; half *= 2) {
        value[0] = uninitialized<T>(op(value[0].value, shuffle_down(value[0].value, half)));
      }
      const std::uint64_t mine = row + static_cast<unsigned>(j * width);
      if (lane % lanes == 0 && mine < end) folds[mine] = value[0];
    }
  }
}

/// Writes the folds of all rows of 32, 32^2 and 32^3 pages that lie in a segment. Synchronises the
/// block.
template <int Warps, class T, class Op>
__device__ void fold_all_rows(const cut_segments<T>& cuts, std::uint64_t begin, std::uint64_t end,
                              const Op& op) {
  const int shift = cuts.page_shift();
  begin = (begin + (std::uint64_t{1} << shift) - 1) >> shift;
  end >>= shift;
#pragma unroll 1
  for (int k = 0; k < row_levels; ++k) {
    begin = (begin + warp_threads - 1) / warp_threads;
    end /= warp_threads;
    if (begin >= end) break;
    fold_rows<Warps>(cuts.row(k), cuts.row(k + 1), begin, end, op);
    __syncthreads();
  }
}

/// Writes the fold of the page that contains the first item of a share, if this is not the first
/// item of the page, so that no share has folded the whole page, and if the page lies in the
/// segment that is open there. Called by a warp.
template <class T, class Op>
__device__ void join_page(const cut_segments<T>& cuts, std::uint64_t item, std::uint64_t begin,
                          std::uint64_t end, const Op& op) {
  const std::uint64_t page = std::uint64_t{1} << cuts.page_shift();
  const std::uint64_t first = item & ~(page - 1);
  if (first == item || first < begin || first + page > end) return;
  const int units = 1 << (cuts.page_level - cuts.unit_level);
  uninitialized<T> fold =
      cuts.units[(first >> cuts.unit_shift()) + static_cast<unsigned>(min(lane_id(), units - 1))];
#pragma unroll 1
  for (int half = 1; half < units; half *= 2) {
    fold = uninitialized<T>(op(fold.value, shuffle_down(fold.value, half)));
  }
  if (lane_id() == 0) cuts.rows[0][first >> cuts.page_shift()] = fold;
}

/// The fold of a segment of which all units, pages and rows are there. Called by a warp.
template <class T, class Op>
__device__ T join_segment(const cut_segments<T>& cuts, std::uint64_t begin, std::uint64_t end,
                          const uninitialized<T>* trailing, const Op& op) {
  const int shift = cuts.unit_shift();
  const std::uint64_t first = (begin + (std::uint64_t{1} << shift) - 1) >> shift;
  const std::uint64_t last = end >> shift;
  const slopes levels = slopes_of(first, last);
  const int lane = lane_id();

  // The nodes from which this lane folds blocks of 2^lane units. Lanes without a block read another
  // value, since one that is not initialized would take a register from the beginning on.
  const int width = cuts.page_level - cuts.unit_level;
  const int row = lane < width ? -1 : (lane - width) / warp_levels;
  const int below = row < 0 ? 0 : width + row * warp_levels;
  const uninitialized<T>* const nodes = row < 0 ? cuts.units : cuts.row(row);
  const uninitialized<T>* const head = &cuts.head(begin);
  const auto block_of = [&](unsigned present, std::uint64_t unit) {
    const bool is_present = (present >> lane & 1) != 0;
    return fold_nodes(is_present ? nodes + (unit >> below) : head, is_present ? lane - below : 0,
                      op);
  };
  const uninitialized<T> rising =
      block_of(levels.rising, (first + (std::uint64_t{1} << lane) - 1) >> lane << lane);
  const uninitialized<T> falling = block_of(levels.falling, last >> lane >> 1 << 1 << lane);
  const auto items = static_cast<unsigned>(end & (run_tile - 1));
  const int num_after = __popcll((end >> run_tile_level) & ((1u << cuts.unit_level) - 1)) +
                        (items / detail::fold_run != 0) + (items % detail::fold_run != 0);
  const uninitialized<T> after = trailing[min(lane, most_trailing - 1)];

  T result = append_rising(head->value, levels.rising, rising, op);
  result = append_falling(result, levels.falling, falling, op);
#pragma unroll 1
  for (int k = 0; k < num_after; ++k) {
    result = op(result, shuffle_from(after.value, k));
  }
  return result;
}

/// Joins what the shares of a thread block have left, and writes the results of the segments that
/// span several of them. A segment that spans several thread blocks is joined by the one among them
/// that finishes last; to find it, the blocks count the items of the segment that they have folded.
/// `done` is shared memory: for each border between shares, whether the segment that is open there
/// has been folded completely and is joined here. Synchronises the block.
template <int Warps, class T, class Shares, class Output, class Op>
__device__ void join_cuts(const cut_segments<T>& cuts, const Shares& shares,
                          const share_cut<T> (&left)[Warps], bool (&done)[Warps + 1], Output out,
                          const Op& op) {
  const auto item_at = [&](int b) { return static_cast<std::uint64_t>(shares.share[b].item); };
  const auto begin_at = [&](int b) { return static_cast<std::uint64_t>(shares.open[b].begin); };
  const auto end_at = [&](int b) { return static_cast<std::uint64_t>(shares.open[b].end); };
  const auto is_done = [&](int b) { return __any_sync(whole_warp, done[b]); };
  const int w = uniform_warp_id();
  // Short segments are rarely cut.
  if (!__syncthreads_or(shares.is_inside(w) || shares.is_inside(w + 1))) return;
  if (w > 0 && __any_sync(whole_warp, shares.is_inside(w))) {
    join_page(cuts, warp_uniform(item_at(w)), warp_uniform(begin_at(w)), warp_uniform(end_at(w)),
              op);
  }
  __syncthreads();

  const int border = static_cast<int>(threadIdx.x);
  if (border <= Warps) {
    done[border] = border < Warps && shares.closes_own(border);
    if (border % Warps == 0 && shares.is_inside(border)) {
      // The block counts the segment in which it begins, and that in which it ends.
      const std::uint64_t begin = begin_at(border);
      const std::uint64_t end = end_at(border);
      const std::uint64_t from = border == 0 ? item_at(0) : begin;
      const bool closes = border == 0 && shares.share[Warps].segment != shares.share[0].segment;
      const std::uint64_t to = closes ? end + 1 : item_at(Warps);
      if (from < to && !(border != 0 && shares.began_before_block(Warps))) {
        unsigned long long* const folded = cuts.folded_of(begin);
        done[border] = fetch_add(folded, to - from) + (to - from) == end - begin + 1;
        if (done[border]) *folded = 0;
      }
    }
  }
  __syncthreads();
#pragma unroll 1
  for (int b = 0; b <= Warps; ++b) {
    if (is_done(b))
      fold_all_rows<Warps>(cuts, warp_uniform(begin_at(b)), warp_uniform(end_at(b)), op);
  }
#pragma unroll 1
  for (int b = w; b <= Warps; b += Warps) {
    if (!is_done(b)) continue;
    const uninitialized<T>* const trailing =
        b % Warps == 0 ? cuts.trailing_of(end_at(b)) : left[b % Warps].own;
    const T result =
        join_segment(cuts, warp_uniform(begin_at(b)), warp_uniform(end_at(b)), trailing, op);
    if (lane_id() == 0) out[shares.share[b].segment] = result;
  }
}

}  // namespace evenfold::device
