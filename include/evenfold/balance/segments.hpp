#pragma once
// Walks over the pieces of segments, and calls the function of an item.

#include <concepts>
#include <utility>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::detail {

/// Walks from one position to a later one. Calls visit(seg, begin, end) for each segment that is
/// closed, even if it has no items, and then for the items of `to.segment`, if there are any.
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

/// f(index, seg, rank), or f(index, seg, rank, values) if there are cached values.
template <class F, class Size, class SegmentSize, class... Values>
EF_HD constexpr decltype(auto) call_lbs(const F& f, Size index, SegmentSize seg, Size rank,
                                        const tuple<Values...>& values) {
  if constexpr (sizeof...(Values) == 0) {
    return f(index, seg, rank);
  } else {
    return f(index, seg, rank, values);
  }
}

}  // namespace evenfold::detail
