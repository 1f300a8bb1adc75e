#pragma once
// Segmented reduction in the canonical order of folds (balance/fold_order.hpp), for operators and
// types where the order shows. Otherwise segreduce.cuh is faster.
//
// The walk is that of segreduce.cuh: each warp takes an equal share of the items and segment ends
// and reads each value once, and the values of the next tile are loaded while a tile is folded. A
// warp folds its tiles as segreduce_run_steps.cuh describes. Segments that span several shares are
// joined by the last thread block that folds a part of them (cut_segments.cuh).

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/cut_segments.cuh"
#include "evenfold/backend/cuda/device/join_segments.cuh"
#include "evenfold/backend/cuda/device/segment_tiles.cuh"
#include "evenfold/backend/cuda/device/segreduce.cuh"
#include "evenfold/backend/cuda/device/segreduce_run_steps.cuh"
#include "evenfold/backend/cuda/device/segreduce_steps.cuh"
#include "evenfold/backend/cuda/device/staged_access.cuh"
#include "evenfold/balance/fold_order.hpp"

namespace evenfold::device {

/// The tuning of a walk whose lanes have one run each. The items of `Tuning` are how many values of
/// a run a lane computes at once.
template <class Tuning, item_call Call>
struct segreduce_runs_tuning {
  static constexpr int threads = Tuning::threads;
  static constexpr int items = detail::fold_run;
  static constexpr int rows = Tuning::rows;
  static constexpr int most_rows = Call == item_call::index && rows < 24 ? 24 : rows;
  static constexpr int blocks = Tuning::blocks;
  static constexpr bool finds_segments = Call == item_call::segment;
  static constexpr bool folds_runs = true;
};

template <class Tiles, class T>
struct segreduce_runs_shared {
  alignas(16) uninitialized<T> slots[Tiles::warps][run_tile];
  typename Tiles::shared_type tiles;
  share_cut<T> cuts[Tiles::warps];
  bool done[Tiles::warps + 1];
};

template <class Tuning, item_call Call, class T, class Size, class Offsets, class SegmentSize,
          class Cached>
struct segreduce_runs_types {
  using tiles_type =
      segment_tiles<segreduce_runs_tuning<Tuning, Call>, Size, Offsets, SegmentSize, Cached>;
  using shared_type = segreduce_runs_shared<tiles_type, T>;
};

template <class Tuning, item_call Call, class T, class Size, class F, class Offsets,
          class SegmentSize, class Cached, class Output, class Op>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    segreduce_runs_kernel(detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                          Cached cached, warp_shares shares, Output out, Op op,
                          uninitialized<T> init, cut_segments<T> cuts) {
  using types = segreduce_runs_types<Tuning, Call, T, Size, Offsets, SegmentSize, Cached>;
  using tiles_type = typename types::tiles_type;
  auto& shared = shared_as<typename types::shared_type>();
  // More values at once than these would not fit the registers.
  constexpr bool loads_ahead = Call == item_call::index && sizeof(T) <= 8;
  constexpr int items = detail::fold_run;

  tiles_type tiles(segments, cached, shares, shared.tiles);
  const run_slots<T> slots{shared.slots[warp_id()]};
  const auto& shares_of_block = shared.tiles.shares;
  share_cut<T>& share = shared.cuts[warp_id()];
  using fetched = typename std::conditional_t<loads_ahead, staged<T, F>, no_stage>::fetched;
  fetched ahead[items];
  if constexpr (loads_ahead) fetch_tile<T>(tiles.now(), f, ahead);

  using number = std::conditional_t<sizeof(Size) <= 4, std::uint32_t, std::uint64_t>;
  run_state<T, number> state;
  state.has_open = state.is_cut = __any_sync(whole_warp, shares_of_block.is_inside(warp_id()));
  state.open.start(number_of_tile<number>(tiles), init.value);
  if (lane_id() == 0) {
    const auto end = static_cast<std::uint64_t>(shares_of_block.open[warp_id()].end);
    share.trailing =
        shares_of_block.began_before_block(warp_id()) ? cuts.trailing_of(end) : share.own;
  }
  __syncwarp();

  while (!tiles.done()) {
    if constexpr (loads_ahead) store_values<T, Tuning::items>(tiles.now(), f, ahead, slots);
    tiles.open_tile();
    if constexpr (loads_ahead) {
      fetch_tile<T>(tiles.next(), f, ahead);
    } else if constexpr (Call == item_call::index) {
      load_values<T, Tuning::items, items>(tiles.now(), tiles.last(), f, slots);
    } else {
      compute_values<T, items>(
          tiles, [&](int slot) { return tiles.call(f, slot); }, slots);
    }
    const int first = tiles.now().first();
    const bool has_items = first < tiles.last();
    const bool closes_cut = state.is_cut && tiles.closed() > 0;
    const bool had_open = state.has_open;
    const bool ends_closed = tiles.ends_closed();
    if (has_items) {
      fold_tile(tiles, ends_closed, slots, op, init.value, state, cuts, share);
    } else if (closes_cut) {
      leave_trailing(state.open, number_of_tile<number>(tiles), init.value, 0, slots,
                     cuts.unit_level, share.trailing);
    }
    write_folds(tiles, slots, out, op, init.value, had_open ? -items : first, closes_cut);
    if (!has_items && tiles.closes_most()) {
      tiles.skip_empty();
      write_empty(tiles.segment_at(tiles.closed()), tiles.next().segment, out, init.value);
    }
    if (tiles.closed() > 0) state.is_cut = false;
    state.has_open = !ends_closed;
    tiles.close_tile();
  }

  if (state.has_open && !state.is_cut) {
    const T head = state.open.fold_to_multiple(cuts.unit_level, number_of_tile<number>(tiles), op);
    const auto begin = static_cast<std::uint64_t>(shares_of_block.open[warp_id() + 1].begin);
    if (lane_id() == 0) cuts.head(begin) = uninitialized<T>(head);
  }
  join_cuts(cuts, shares_of_block, shared.cuts, shared.done, out, op);
}

/// The values of a tile are kept in registers while the tile before is folded, if they have 8 bytes
/// or fewer. Larger ones take more shared memory, so blocks are smaller.
template <class T, class Size>
using default_segreduce_runs_tuning = std::conditional_t<
    sizeof(T) <= 4,
    std::conditional_t<sizeof(Size) <= 4, segreduce_tuning<128, 16, 8, 6>,
                       segreduce_tuning<128, 16, 9, 4>>,
    std::conditional_t<
        sizeof(T) <= 8, segreduce_tuning<128, 16, 12, 4>,
        std::conditional_t<sizeof(T) <= 32, segreduce_tuning<64, 4, 5, sizeof(T) <= 16 ? 8 : 6>,
                           segreduce_tuning<32, 1, 3, 6>>>>;

/// Fewer values at once for functions that look elements up: more of them would evict each other
/// from L1, where elements that are looked up often are found again.
using gathered_segreduce_runs_tuning = segreduce_tuning<256, 8, 16, 2>;

template <class T, class Size, class F>
using segreduce_runs_tuning_for =
    std::conditional_t<reads_in_two_stages<F> && sizeof(T) <= 8, gathered_segreduce_runs_tuning,
                       default_segreduce_runs_tuning<T, Size>>;

}  // namespace evenfold::device
