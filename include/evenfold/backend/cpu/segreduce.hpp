#pragma once
// lbs_segreduce and transform_segreduce on CPU threads.
//
// Each thread takes an equal share of the merge path of items and segment ends, and writes the
// segments that lie inside it. Of a segment that crosses an end of its share it leaves a partial
// fold: `head` where the segment closes in the share, `tail` where the segment stays open. These
// are joined in the end.

#include <algorithm>
#include <cstddef>
#include <memory>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/fold_segment.hpp"
#include "evenfold/backend/cpu/in_turn.hpp"
#include "evenfold/backend/cpu/prefetch.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// What a share leaves: where it ends, and its partial folds.
template <class Position, class Part>
struct open_segments {
  Position end;
  Part head, tail;
};

/// Joins what the shares leave, and writes the folds of the segments that cross their ends. The
/// same for all functions of items.
template <class Segments, class Position, class Part, class Output, class Op, class T>
void join_open_segments(Segments segments, array<open_segments<Position, Part>>& open, Output out,
                        Op op, T init) {
  // The partial fold that is open at the end of the shares so far.
  Part* before = nullptr;
  Position from{};
  for (std::size_t share = 0; share < open.size(); ++share) {
    const Position to = open[share].end;
    const bool closes = from.segment < to.segment;
    const bool continues =
        from.segment < segments.num_segments && segments.begin(from.segment) < from.item;
    if (continues) before->join(closes ? open[share].head : open[share].tail, op);
    if (continues && closes) out[from.segment] = before->fold(op, init);
    if (!continues || closes) before = &open[share].tail;
    from = to;
  }
}

/// The fold of every segment. fold(segments, seg, last, begin, out, init) writes those of the
/// segments from `seg` to `last`, the first of which begins at `begin`, and returns the end of the
/// last one. append(part, seg, begin, end) appends a range of a segment to a partial fold.
template <std::size_t Tile, class Size, class Offsets, class SegmentSize, class Fold, class Append,
          class Output, class Op, class T>
void fold_segments(cpu_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments,
                   const Fold& fold, const Append& append, Output out, Op op, T init) {
  using position = detail::segment_position<Size, SegmentSize>;
  using part = fold_of_share<Op, T>;
  const std::size_t steps = segments.steps();
  const std::size_t shares = segment_shares(ctx, steps, Tile);
  const auto begin_of = [&](std::size_t share) {
    return segments.position(detail::share_begin(steps, shares, share));
  };
  array<open_segments<position, part>> open(ctx, shares);

  take_in_turn(ctx, shares, [&](auto take) {
    // A fold has state, which one thread alone writes.
    Fold own_fold = fold;
    for (std::size_t share; take(share);) {
      const position from = begin_of(share);
      const position to = open[share].end = begin_of(share + 1);
      part* const head = std::construct_at(&open[share].head, from.item);
      Size begin = from.item;
      SegmentSize seg = from.segment;
      if (seg < to.segment && segments.begin(seg) < from.item) {
        const Size end = segments.end(seg);
        append(*head, seg, begin, end);
        begin = end;
        ++seg;
      }
      if (seg < to.segment) begin = own_fold(segments, seg, to.segment, begin, out, init);
      part* const tail = std::construct_at(&open[share].tail, begin);
      append(*tail, to.segment, begin, to.item);
    }
  });

  join_open_segments(segments, open, out, op, init);
}

/// The function of the items of a segment.
template <class F, class Size, class SegmentSize, class Values>
struct items_of_segment {
  const F& f;
  SegmentSize segment;
  Size begin;
  Values values;

  decltype(auto) operator()(Size i) const {
    return detail::call_lbs(f, i, segment, static_cast<Size>(i - begin), values);
  }
};
template <class F, class Size, class SegmentSize, class Values>
items_of_segment(const F&, SegmentSize, Size, Values)
    -> items_of_segment<F, Size, SegmentSize, Values>;

}  // namespace evenfold::cpu

namespace evenfold::detail {

template <class F, class Size, class SegmentSize, class Values>
inline constexpr bool is_heavy<cpu::items_of_segment<F, Size, SegmentSize, Values>> = is_heavy<F>;

}  // namespace evenfold::detail

namespace evenfold::backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached,
          class Output, class Op, class T>
void lbs_segreduce(cpu_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                   Cached cached, Output out, Op op, T init) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 13>>::tile;
  // One type of items serves whole segments and partial folds, whose loops are then compiled once.
  const auto items_of = [f, cached, segments](SegmentSize seg) {
    return cpu::items_of_segment{f, seg, segments.begin(seg), detail::load_at(cached, seg)};
  };
  // Arguments by value are copies that nobody else can see: they stay in registers, whatever is
  // written.
  const auto fold = [items_of, op](auto all, SegmentSize seg, SegmentSize last, Size begin,
                                   Output to, T first) {
    for (; seg < last; ++seg) {
      const Size end = all.end(seg);
      to[seg] = cpu::fold_range(begin, end, items_of(seg), op, first);
      begin = end;
    }
    return begin;
  };
  const auto append = [&](auto& part, SegmentSize seg, Size begin, Size end) {
    if (begin != end) cpu::append_range(part, begin, end, items_of(seg), op);
  };
  cpu::fold_segments<tile>(ctx, segments, fold, append, out, op, init);
}

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Output,
          class Op, class T>
void transform_segreduce(cpu_context& ctx,
                         detail::segment_view<Size, Offsets, SegmentSize> segments, F f, Output out,
                         Op op, T init) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 13>>::tile;
  cpu::segment_fold<T, Size, F, Op> range(
      segments.count, static_cast<std::size_t>(segments.num_segments), ctx.threads(), f, op);
  const auto fold = [range](const auto& all, SegmentSize seg, SegmentSize last, Size begin,
                            Output to,
                            T first) mutable { return range(all, seg, last, begin, to, first); };
  const auto append = [&](auto& part, SegmentSize, Size begin, Size end) {
    const bool pays = cpu::prefetching_elements_pays(f, begin, end);
    cpu::with_elements_ahead<cpu::cache_level::first>(
        f, pays, end, segments.count,
        [&](const auto& items) { cpu::append_range(part, begin, end, items, op); });
  };
  cpu::fold_segments<tile>(ctx, segments, fold, append, out, op, init);
}

}  // namespace evenfold::backend
