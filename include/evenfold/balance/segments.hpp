#pragma once
// What algorithms over segments check before they start, and how they call a user's function.

#include <concepts>
#include <utility>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

/// The segments of a call, after checking what can be checked without waiting: the counts, the side
/// of `offsets`, that items have a segment to lie in and, in host memory, that the first one begins
/// at 0.
template <context Context, std::integral Size, class Offsets, std::integral SegmentSize>
segment_view<Size, Offsets, SegmentSize> checked_segments(const Context& ctx, const char* algorithm,
                                                          Size count, Offsets offsets,
                                                          SegmentSize num_segments) {
  check_count(algorithm, "count", count);
  check_count(algorithm, "num_segments", num_segments);
  if (count > 0 && num_segments == 0) {
    refuse_argument(algorithm, "num_segments", num_segments,
                    "there are items, which need a segment",
                    "pass one segment with offsets[0] = 0, or a count of 0");
  }
  check_side(ctx, algorithm, "offsets", offsets);
  if constexpr (Context::side == memory_side::host) {
    if (num_segments > 0 && offsets[0] != 0) {
      refuse_argument(algorithm, "offsets[0]", +offsets[0], "the first segment begins at item 0",
                      "move the data, or pass pointers to the first item that has a segment");
    }
  }
  return {count, offsets, num_segments};
}

/// Refuses cached iterators of the wrong side.
template <context Context, class... Iterators>
void check_cached(const Context& ctx, const char* algorithm, const tuple<Iterators...>& cached) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check_side(ctx, algorithm, "cached", get<I>(cached)), ...);
  }(std::index_sequence_for<Iterators...>{});
}

/// Walks from one position to a later one: visit(seg, begin, end) for the items of every segment on
/// the way. Segments before `to.segment` are closed on the way, empty ones included; a last visit
/// has the items of `to.segment` itself, if there are any.
template <class Size, class Offsets, class SegmentSize, class Visit>
EF_HD constexpr void for_each_piece(const segment_view<Size, Offsets, SegmentSize>& segments,
                                    segment_position<Size, SegmentSize> from,
                                    segment_position<Size, SegmentSize> to, Visit visit) {
  Size begin = from.item;
  for (SegmentSize seg = from.segment; seg < to.segment; ++seg) {
    const Size end = segments.end(seg);
    visit(seg, begin, end);
    begin = end;
  }
  if (begin < to.item) visit(to.segment, begin, to.item);
}

/// f(index, seg, rank), or f(index, seg, rank, values) where there are cached values.
template <class F, class Size, class SegmentSize, class... Values>
EF_HD constexpr decltype(auto) call_lbs(const F& f, Size index, SegmentSize seg, Size rank,
                                        const tuple<Values...>& values) {
  if constexpr (sizeof...(Values) == 0) {
    return f(index, seg, rank);
  } else {
    return f(index, seg, rank, values);
  }
}

}  // namespace evenfold
