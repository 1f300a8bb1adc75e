#pragma once
// The merge path, and the load-balance contract built on it.
//
// Two sorted sequences A and B merge along a path through an |A| x |B| grid; its step number d has
// taken a = merge_path(d) elements of A and d - a of B. Any set of diagonals cuts the merge into
// independent pieces of known size. Segmented data is the merge of the item indices 0, 1, 2, ...
// with the segment ends: a step takes an item or closes a segment. The laws, which
// tests/balance_test.cpp asserts:
// - every item and every segment belongs to exactly one piece, in order;
// - a piece between diagonals d0 and d1 holds exactly d1 - d0 items + segments;
// - pieces depend on the diagonals only, not on the number of workers that share them;
// - empty segments may stand anywhere.
//
// Source: Odeh, Green, Mwassi, Shmueli, Birk, "Merge Path", IPDPSW 2012; Merrill and Garland,
// "Merge-based parallel sparse matrix-vector multiplication", SC 2016.

#include <concepts>

#include "evenfold/core/config.hpp"
#include "evenfold/core/partition_point.hpp"

namespace evenfold {

/// Which end of the run of elements equivalent to a needle a search finds: the first element that
/// is not less than the needle, or the first that is greater.
enum class bounds { lower, upper };

namespace detail {

/// How many elements of `a` are among the first `diagonal` of the stable merge of a[0, a_count) and
/// b[0, b_count): of equivalent elements those of `a` come first. 0 <= diagonal <= a_count +
/// b_count. O(log min(a_count, b_count)).
template <class IteratorA, class IteratorB, std::integral Index, class Less>
EF_HD constexpr Index merge_path(IteratorA a, Index a_count, IteratorB b, Index b_count,
                                 Index diagonal, Less less) {
  const Index begin = diagonal > b_count ? diagonal - b_count : Index{0};
  const Index end = diagonal < a_count ? diagonal : a_count;
  return detail::partition_point(begin, end,
                                 [&](Index at) { return !less(b[diagonal - 1 - at], a[at]); });
}

/// The cut of a diagonal, as merge_path found it, made to fit the cut `before` of a diagonal that
/// lies `steps` before it: no sequence is walked backwards, nor too far for the other. Changes
/// nothing unless `less` is no order. Whatever merge_path found, a chain of cuts of which each fits
/// the one before, from the first diagonal to the last, cuts both sequences into pieces that hold
/// every element once.
template <std::integral Index>
EF_HD constexpr Index fit_cut(Index cut, Index before, std::type_identity_t<Index> steps) {
  if (cut < before) return before;
  return cut - before > steps ? static_cast<Index>(before + steps) : cut;
}

/// Whether an element of a sorted haystack stands before that bound of a needle. Merging needles as
/// `a` with a haystack as `b` in this order takes each needle exactly at its bound.
template <bounds Bound, class Less>
struct before_bound {
  Less less;

  template <class Element, class Needle>
  EF_HD constexpr bool operator()(const Element& element, const Needle& needle) const {
    if constexpr (Bound == bounds::lower) {
      return less(element, needle);
    } else {
      return !less(needle, element);
    }
  }
};

/// The bound of one needle, where it is not before `begin`: how many elements of the sorted
/// haystack stand before it. O(log(count - begin)).
template <bounds Bound, class Haystack, std::integral Size, class Needle, class Less>
EF_HD constexpr Size find_bound(Haystack haystack, Size begin, Size count, const Needle& needle,
                                Less less) {
  const before_bound<Bound, Less> before{less};
  return detail::partition_point(begin, count,
                                 [&](Size at) { return before(haystack[at], needle); });
}

/// The same anywhere in the haystack.
template <bounds Bound, class Haystack, std::integral Size, class Needle, class Less>
EF_HD constexpr Size find_bound(Haystack haystack, Size count, const Needle& needle, Less less) {
  return find_bound<Bound>(haystack, Size{0}, count, needle, less);
}

/// Where a worker stands on the walk along items and segment ends.
template <class Size, class SegmentSize>
struct segment_position {
  Size item;            ///< items taken so far
  SegmentSize segment;  ///< segments closed so far; `item` lies in this one
};

/// Segments as every algorithm gets them: `offsets[s]` is the first item of segment s, and the last
/// segment ends at `count`. Exactly `num_segments` entries are read. Items before offsets[0] belong
/// to no segment; the contract asks for offsets[0] == 0.
template <class Size, class Offsets, class SegmentSize>
struct segment_view {
  Size count;
  Offsets offsets;
  SegmentSize num_segments;

  /// First item of segment s, 0 <= s < num_segments.
  EF_HD constexpr Size begin(SegmentSize s) const { return static_cast<Size>(offsets[s]); }

  /// One past the last item of segment s.
  EF_HD constexpr Size end(SegmentSize s) const {
    return s + 1 < num_segments ? static_cast<Size>(offsets[s + 1]) : count;
  }

  /// The segment that holds `item`: the last one that begins at or before it. O(log num_segments).
  EF_HD constexpr SegmentSize segment_of(Size item) const {
    return detail::partition_point(SegmentSize{0}, num_segments,
                                   [&](SegmentSize s) { return begin(s) <= item; }) -
           1;
  }

  /// Steps of the walk: items + segments.
  EF_HD constexpr std::uint64_t steps() const {
    return static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(num_segments);
  }

  /// Whether segment s has closed after `diagonal` steps: it closes at step end(s) + s + 1.
  EF_HD constexpr bool closed_after(std::uint64_t diagonal, std::uint64_t s) const {
    return static_cast<std::uint64_t>(end(static_cast<SegmentSize>(s))) + s < diagonal;
  }

  /// The position after `diagonal` steps, 0 <= diagonal <= steps(). A segment closes as soon as its
  /// last item is taken, before the next item. O(log num_segments).
  EF_HD constexpr segment_position<Size, SegmentSize> position(std::uint64_t diagonal) const {
    const std::uint64_t most = static_cast<std::uint64_t>(num_segments);
    const std::uint64_t closed =
        detail::partition_point(std::uint64_t{0}, diagonal < most ? diagonal : most,
                                [&](std::uint64_t s) { return closed_after(diagonal, s); });
    return {static_cast<Size>(diagonal - closed), static_cast<SegmentSize>(closed)};
  }
};

template <class Size, class Offsets, class SegmentSize>
segment_view(Size, Offsets, SegmentSize) -> segment_view<Size, Offsets, SegmentSize>;

}  // namespace detail

}  // namespace evenfold
