#pragma once
// The merge path, and the load-balance contract built on it.
//
// The merge of two sorted sequences A and B is a path through an |A| x |B| grid. The first d steps
// of the path take a = merge_path(d) elements of A and d - a elements of B. So diagonals cut a
// merge into independent pieces of known sizes. Segmented data is the merge of the item indices
// 0, 1, 2, ... with the segment ends: a step takes an item or closes a segment. These laws hold,
// and tests/balance_test.cpp asserts them:
// - every item and every segment belongs to exactly one piece, in order;
// - a piece between diagonals d0 and d1 has exactly d1 - d0 items + segments;
// - pieces depend only on the diagonals, not on the number of workers that share them;
// - segments may be empty, anywhere.
//
// Source: Odeh, Green, Mwassi, Shmueli, Birk, "Merge Path", IPDPSW 2012; Merrill and Garland,
// "Merge-based parallel sparse matrix-vector multiplication", SC 2016.

#include <concepts>

#include "evenfold/core/config.hpp"
#include "evenfold/core/partition_point.hpp"

namespace evenfold {

/// The result of a search: the first element that is not less than the needle (lower), or the first
/// element that is greater (upper).
enum class bounds { lower, upper };

namespace detail {

/// The number of elements of `a` among the first `diagonal` elements of the stable merge of a[0,
/// a_count) and b[0, b_count). Equivalent elements of `a` come before those of `b`. 0 <= diagonal
/// <= a_count + b_count. O(log min(a_count, b_count)).
template <class IteratorA, class IteratorB, std::integral Index, class Less>
EF_HD constexpr Index merge_path(IteratorA a, Index a_count, IteratorB b, Index b_count,
                                 Index diagonal, Less less) {
  const Index begin = diagonal > b_count ? diagonal - b_count : Index{0};
  const Index end = diagonal < a_count ? diagonal : a_count;
  return partition_point(begin, end, [&](Index at) { return !less(b[diagonal - 1 - at], a[at]); });
}

/// The cut of a diagonal, limited to at least the cut `before` of the diagonal `steps` earlier and
/// at most `before` + `steps`. This changes a cut of merge_path only if `less` is not a strict weak
/// order. Even then, a chain of limited cuts, from the first diagonal to the last, cuts both
/// sequences into pieces that have every element once.
template <std::integral Index>
EF_HD constexpr Index fit_cut(Index cut, Index before, std::type_identity_t<Index> steps) {
  if (cut < before) return before;
  return cut - before > steps ? static_cast<Index>(before + steps) : cut;
}

/// Whether an element of a sorted haystack is before the bound of a needle. A merge of needles as
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

/// The bound of one needle, which is known to be at least `begin`: the number of elements of the
/// sorted haystack before it. O(log(count - begin)).
template <bounds Bound, class Haystack, std::integral Size, class Needle, class Less>
EF_HD constexpr Size find_bound(Haystack haystack, Size begin, Size count, const Needle& needle,
                                Less less) {
  const before_bound<Bound, Less> before{less};
  return partition_point(begin, count, [&](Size at) { return before(haystack[at], needle); });
}

/// The same if nothing is known of the bound.
template <bounds Bound, class Haystack, std::integral Size, class Needle, class Less>
EF_HD constexpr Size find_bound(Haystack haystack, Size count, const Needle& needle, Less less) {
  return find_bound<Bound>(haystack, Size{0}, count, needle, less);
}

/// A position on the walk along items and segment ends.
template <class Size, class SegmentSize>
struct segment_position {
  Size item;            ///< the number of items taken
  SegmentSize segment;  ///< the number of segments closed: the segment of `item`
};

/// Segments, as all algorithms take them: offsets[s] is the first item of segment s, and the last
/// segment ends at `count`. Exactly `num_segments` offsets are read. offsets[0] is 0.
template <class Size, class Offsets, class SegmentSize>
struct segment_view {
  Size count;
  Offsets offsets;
  SegmentSize num_segments;

  /// The first item of segment s, 0 <= s < num_segments.
  EF_HD constexpr Size begin(SegmentSize s) const { return static_cast<Size>(offsets[s]); }

  /// One past the last item of segment s.
  EF_HD constexpr Size end(SegmentSize s) const {
    return s + 1 < num_segments ? static_cast<Size>(offsets[s + 1]) : count;
  }

  /// The segment of an item: the last one that begins at or before it. O(log num_segments).
  EF_HD constexpr SegmentSize segment_of(Size item) const {
    return partition_point(SegmentSize{0}, num_segments,
                           [&](SegmentSize s) { return begin(s) <= item; }) -
           1;
  }

  /// The number of steps of the walk: items + segments.
  EF_HD constexpr std::uint64_t steps() const {
    return static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(num_segments);
  }

  /// Whether segment s is closed after `diagonal` steps: step end(s) + s + 1 closes it.
  EF_HD constexpr bool closed_after(std::uint64_t diagonal, std::uint64_t s) const {
    return static_cast<std::uint64_t>(end(static_cast<SegmentSize>(s))) + s < diagonal;
  }

  /// The position after `diagonal` steps, 0 <= diagonal <= steps(). A segment is closed right after
  /// its last item. O(log num_segments).
  EF_HD constexpr segment_position<Size, SegmentSize> position(std::uint64_t diagonal) const {
    const std::uint64_t most = static_cast<std::uint64_t>(num_segments);
    const std::uint64_t closed =
        partition_point(std::uint64_t{0}, diagonal < most ? diagonal : most,
                        [&](std::uint64_t s) { return closed_after(diagonal, s); });
    return {static_cast<Size>(diagonal - closed), static_cast<SegmentSize>(closed)};
  }
};

/// The offsets of a single segment that holds all items.
struct one_segment {
  EF_HD constexpr std::int32_t operator[](int) const { return 0; }
};

template <class Size, class Offsets, class SegmentSize>
segment_view(Size, Offsets, SegmentSize) -> segment_view<Size, Offsets, SegmentSize>;

}  // namespace detail

}  // namespace evenfold
