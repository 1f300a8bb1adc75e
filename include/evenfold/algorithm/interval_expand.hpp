#pragma once
// interval_expand: repeats one value per segment for each item of the segment.

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// The cached value of the segment of an item.
struct take_cached {
  static constexpr bool is_per_segment = true;

  template <class Size, class SegmentSize, class Value>
  EF_HD constexpr Value operator()(Size, SegmentSize, Size, const tuple<Value>& cached) const {
    return get<0>(cached);
  }
};

}  // namespace detail

/// out[i] = values[s] for every item i of segment s.
///
/// - `values`: iterator to `num_segments` elements of any trivially copyable type.
/// - `count`, `offsets`, `num_segments`: as for `transform_lbs`.
/// - `out`: iterator to `count` elements; it does not overlap `values`.
///
/// Work O(count + num_segments), span O((count + num_segments) / workers + log num_segments); reads
/// each offset and each value once per tile and writes each result once. Scratch as for
/// load_balance_search. Deterministic. Does not wait.
///
/// Errors: as for `transform_lbs`; argument_error for `values` or `out` on the wrong side.
///
/// Example: examples/interval_expand.cpp.
/// Names elsewhere: mgpu::interval_expand, numpy.repeat(values, lengths).
template <class Tuning = default_tuning, context Context, class Values, std::integral Size,
          class Offsets, std::integral SegmentSize, class Output>
void interval_expand(Context& ctx, Values values, Size count, Offsets offsets,
                     SegmentSize num_segments, Output out) {
  const auto segments =
      detail::checked_segments(ctx, "interval_expand", count, offsets, num_segments);
  detail::check_pointer(ctx, "interval_expand", "values", values, num_segments);
  detail::check_pointer(ctx, "interval_expand", "out", out, count);
  if (count > 0) {
    backend::transform_lbs<Tuning>(ctx, segments,
                                   write_result<detail::take_cached, Output>{{}, out},
                                   evenfold::make_tuple(values));
  }
}

/// The same for ranges: as many elements are written as `out` has, and `values` has one for each
/// offset.
template <class Tuning = default_tuning, context Context, sequence Values, sized_range Offsets,
          sized_range Output>
void interval_expand(Context& ctx, const Values& values, const Offsets& offsets, Output&& out) {
  const std::size_t num_segments = detail::size_of(offsets);
  evenfold::interval_expand<Tuning>(
      ctx, detail::input_of("interval_expand", "values", values, num_segments, "offsets"),
      detail::size_of(out), detail::begin_of(offsets), num_segments, detail::begin_of(out));
}

}  // namespace evenfold
