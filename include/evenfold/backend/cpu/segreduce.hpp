#pragma once
// lbs_segreduce and transform_segreduce on CPU threads.
//
// The merge path of items and segment ends is cut into tiles of a fixed number of steps. A tile
// writes the segments that lie inside it. Of a segment that crosses its ends it leaves a fold:
// `head` where the segment closes in the tile, `tail` where it stays open. One pass over the tiles
// joins those.

#include <algorithm>
#include <memory>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// The fold of every segment, where fold(seg, begin, end) is that of a piece with at least one
/// item.
template <std::size_t Tile, class Size, class Offsets, class SegmentSize, class Fold, class Output,
          class Op, class T>
void fold_segments(cpu_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments,
                   const Fold& fold, Output out, Op op, T init) {
  using position = detail::segment_position<Size, SegmentSize>;
  const std::size_t steps = segments.steps();
  const std::size_t tiles = detail::ceil_div(steps, Tile);
  array<position> bounds(ctx, tiles + 1);
  array<T> heads(ctx, tiles);
  array<T> tails(ctx, tiles);
  bounds[tiles] = segments.position(steps);

  ctx.parallel(tiles, [&](std::size_t first, std::size_t last) {
    // Copies that nobody else can see stay in registers, whatever is written.
    const auto own_segments = segments;
    const Fold own_fold = fold;
    Output own_out = out;
    const Op own_op = op;
    const T own_init = init;
    position to = segments.position(first * Tile);
    for (std::size_t t = first; t < last; ++t) {
      const position from = to;
      to = segments.position(std::min(steps, (t + 1) * Tile));
      bounds[t] = from;
      Size begin = from.item;
      SegmentSize seg = from.segment;
      if (seg < to.segment && own_segments.begin(seg) < begin) {
        // It began in an earlier tile.
        const Size end = own_segments.end(seg);
        if (begin < end) std::construct_at(&heads[t], own_fold(seg, begin, end));
        begin = end;
        ++seg;
      }
      for (; seg < to.segment; ++seg) {
        const Size end = own_segments.end(seg);
        own_out[seg] = begin < end ? own_op(own_init, own_fold(seg, begin, end)) : own_init;
        begin = end;
      }
      if (begin < to.item) std::construct_at(&tails[t], own_fold(seg, begin, to.item));
    }
  });

  // After its turn, tails[t] is the fold of the whole segment that is open at the end of tile t, so
  // far.
  for (std::size_t t = 1; t < tiles; ++t) {
    const position from = bounds[t];
    const position to = bounds[t + 1];
    if (segments.begin(from.segment) == from.item) continue;
    if (from.segment == to.segment) {
      tails[t] = op(tails[t - 1], tails[t]);
    } else {
      const bool has_head = from.item < segments.end(from.segment);
      out[from.segment] = op(init, has_head ? op(tails[t - 1], heads[t]) : tails[t - 1]);
    }
  }
}

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached,
          class Output, class Op, class T>
void lbs_segreduce(cpu_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                   Cached cached, Output out, Op op, T init) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 13>>::tile;
  const auto fold = [f, cached, op, segments](SegmentSize seg, Size begin, Size end) {
    const auto values = detail::load_at(cached, seg);
    const Size origin = segments.begin(seg);
    const auto value = [&](Size i) {
      return detail::call_lbs(f, i, seg, static_cast<Size>(i - origin), values);
    };
    return cpu::fold_run<T>(begin, end, value, op);
  };
  cpu::fold_segments<tile>(ctx, segments, fold, out, op, init);
}

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Output,
          class Op, class T>
void transform_segreduce(cpu_context& ctx,
                         detail::segment_view<Size, Offsets, SegmentSize> segments, F f, Output out,
                         Op op, T init) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 13>>::tile;
  // The elements that few items look up are in a cache anyway.
  const bool asks = static_cast<std::size_t>(segments.count) >= std::size_t{1} << 20;
  [[maybe_unused]] const Size asked_for =
      asks ? static_cast<Size>(segments.count - cpu::gather_distance) : Size{0};
  const auto fold = [=](SegmentSize, Size begin, Size end) {
    if constexpr (cpu::is_gathered<F>) {
      if (end <= asked_for) return cpu::fold_gathered<T>(begin, end, f, op);
    }
    return cpu::fold_run<T>(begin, end, f, op);
  };
  cpu::fold_segments<tile>(ctx, segments, fold, out, op, init);
}

}  // namespace evenfold::backend
