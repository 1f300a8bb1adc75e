#pragma once
// transform_lbs: calls a function for each item of segments, in equal shares.

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/backend/reference/transform_lbs.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/transform_lbs.cuh"
#else
#include "evenfold/backend/cpu/transform_lbs.hpp"
#endif

namespace evenfold {

/// Calls f(index, seg, rank) for every item `index` in [0, count), in any order, concurrently.
/// `seg` is the segment of the item, and `rank` = index - offsets[seg] is its index within the
/// segment. With `cached`, calls f(index, seg, rank, values), where `values` is the tuple of the
/// values that the iterators of `cached` read at `seg`.
///
/// - `offsets`: `num_segments` numbers of any integral type; offsets[0] is 0, they never decrease,
///   and the last segment ends at `count`. Segments may be empty. `index` and `rank` have the type
///   of `count`, which needs 64 bits for indices beyond 2^31; `seg` has the type of `num_segments`.
/// - `f`: a function that writes to pointers it has captured. Different calls write to different
///   addresses.
/// - `cached`: `make_tuple(iterators...)`, each indexed by segment; a worker reads them once per
///   segment, not once per item.
///
/// Every worker gets the same number of items + segments, however uneven the segments. Work
/// O(count + num_segments), span O((count + num_segments) / workers + log num_segments); reads each
/// offset once, and each cached value once per segment and tile. No scratch. Deterministic if
/// f is. Does not wait.
///
/// Errors: argument_error for a negative count, for items without a segment, for pointers on the
/// wrong side and, on a host context, for a first offset other than 0 or a last one beyond `count`.
/// If f throws on a host context, the caller gets the exception; f may have been called for some
/// other items.
///
/// Example: examples/transform_lbs.cpp.
/// Source: Baxter, "moderngpu", 2013 (load-balancing search); see balance/merge_path.hpp for the
/// search. Names elsewhere: mgpu::transform_lbs; in NumPy, f over the arrays arange(count),
/// repeat(arange(num_segments), lengths) and their difference to offsets.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Offsets, std::integral SegmentSize, class Cached = tuple<>>
void transform_lbs(Context& ctx, Size count, F f, Offsets offsets, SegmentSize num_segments,
                   Cached cached = {}) {
  const auto segments =
      detail::checked_segments(ctx, "transform_lbs", count, offsets, num_segments);
  detail::check_cached(ctx, "transform_lbs", cached, num_segments);
  detail::check_item_function<void, F, Size, SegmentSize>(cached);
  if (count > 0) backend::transform_lbs<Tuning>(ctx, segments, f, cached);
}

/// The same, where the offsets are a range.
template <class Tuning = default_tuning, context Context, std::integral Size, class F,
          sized_range Offsets, class... Cached>
void transform_lbs(Context& ctx, Size count, F f, const Offsets& offsets,
                   tuple<Cached...> cached = {}) {
  evenfold::transform_lbs<Tuning>(ctx, count, f, detail::begin_of(offsets),
                                  detail::size_of(offsets), cached);
}

}  // namespace evenfold
