#pragma once
// load_balance_search: the segment of every item.

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// The segment of an item.
struct take_segment {
  static constexpr bool is_per_segment = true;

  template <class Size, class SegmentSize>
  EF_HD constexpr SegmentSize operator()(Size, SegmentSize seg, Size) const {
    return seg;
  }
};

}  // namespace detail

/// out[i] = the segment of item i: the largest s with offsets[s] <= i.
///
/// - `offsets`, `num_segments`: as for `transform_lbs`.
/// - `out`: iterator to `count` integers wide enough for a segment number.
///
/// Work O(count + num_segments), span O((count + num_segments) / workers + log num_segments); reads
/// each offset once and writes each result once. Scratch on a GPU: one segment number per 8192
/// items, on the CPU none. Deterministic. Does not wait.
///
/// Errors: as for `transform_lbs`; argument_error for `out` on the wrong side.
///
/// Example: examples/load_balance_search.cpp.
/// Names elsewhere: mgpu::load_balance_search; thrust::upper_bound of a counting iterator in the
/// offsets, less one; numpy.repeat(arange(num_segments), lengths); the row indices of
/// scipy.sparse.csr_array.tocoo.
template <class Tuning = default_tuning, context Context, std::integral Size, class Offsets,
          std::integral SegmentSize, class Output>
void load_balance_search(Context& ctx, Size count, Offsets offsets, SegmentSize num_segments,
                         Output out) {
  const auto segments =
      detail::checked_segments(ctx, "load_balance_search", count, offsets, num_segments);
  detail::check_pointer(ctx, "load_balance_search", "out", out, count);
  if (count > 0) {
    backend::transform_lbs<Tuning>(ctx, segments,
                                   write_result<detail::take_segment, Output>{{}, out}, tuple<>{});
  }
}

/// The same for ranges: `out` has an element for each item.
template <class Tuning = default_tuning, context Context, sized_range Offsets, sized_range Output>
void load_balance_search(Context& ctx, const Offsets& offsets, Output&& out) {
  evenfold::load_balance_search<Tuning>(ctx, detail::size_of(out), detail::begin_of(offsets),
                                        detail::size_of(offsets), detail::begin_of(out));
}

}  // namespace evenfold
