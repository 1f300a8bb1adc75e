#pragma once
// segmented_scan, scan_by_key: the folds of all prefixes of each segment.
//
// Idea: a segmented scan is a plain scan of pairs; see detail/scan_segments.hpp.

#include <concepts>

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/detail/scan_segments.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

/// out[i] = init (+) input[b] (+) ... (+) input[i] for every item i of a segment [b, e), without
/// input[i] if `Kind` is exclusive.
///
/// - `input`: iterator to `count` elements.
/// - `offsets`: `num_segments` numbers of any integral type; offsets[0] is 0, they never decrease,
///   and the last segment ends at `count`. Segments may be empty.
/// - `out`: iterator to `count` elements; it does not overlap `input`.
/// - `op`: associative; operands keep their order.
/// - `init`: the first operand of every segment; with `no_init{}` an inclusive scan has none.
///   Values are folded in the type of `init`, or without it in the type of the elements of `out`.
///
/// Every worker gets the same number of items, however uneven the segments. Work O(count +
/// num_segments), span O(count / workers + log workers). Reads and writes values as
/// `transform_scan` does, and also writes and reads one byte per item. Scratch: one byte per item,
/// and that of transform_scan for pairs of a value and a flag. Deterministic. Does not wait.
///
/// Errors: those of `segreduce`.
///
/// Example: examples/segmented_scan.cpp.
/// Source: Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990, section 1.5. Names
/// elsewhere: thrust::inclusive_scan_by_key with segment numbers as keys; mgpu::cta_segscan_t in a
/// block.
template <scan_kind Kind, class Tuning = default_tuning, context Context, class Input,
          std::integral Size, class Offsets, std::integral SegmentSize, class Output, class Op,
          class Init>
  requires(Kind == scan_kind::inclusive || !std::same_as<Init, no_init>)
void segmented_scan(Context& ctx, Input input, Size count, Offsets offsets,
                    SegmentSize num_segments, Output out, Op op, Init init) {
  const auto segments =
      detail::checked_segments(ctx, "segmented_scan", count, offsets, num_segments);
  detail::check_pointer(ctx, "segmented_scan", "input", input, count);
  detail::check_pointer(ctx, "segmented_scan", "out", out, count);
  detail::check_operator<detail::scan_value_t<Init, Output>, Op>();
  array<unsigned char> marks(ctx, count);
  transform<Tuning>(ctx, count, write_result{constant<unsigned char>{0}, marks.data()});
  transform<Tuning>(ctx, num_segments,
                    detail::mark_begin<Size, Offsets, SegmentSize>{segments, marks.data()});
  detail::scan_segments<Kind, Tuning>(ctx, input, count, detail::marked_begin{marks.data()}, out,
                                      op, init);
}

/// The same for segments of neighbouring items with equal keys: a segment begins at item 0 and
/// wherever equal(keys[i - 1], keys[i]) is false.
///
/// - `keys`: iterator to `count` keys of any type; it does not overlap `out`.
/// - `equal`: an equivalence relation.
///
/// Work O(count); reads each key once. Scratch: that of transform_scan for pairs of a value and a
/// flag. Otherwise as `segmented_scan`.
///
/// Errors: argument_error for a negative count, or an argument on the wrong side; allocation_error.
///
/// Example: examples/segmented_scan.cpp.
/// Names elsewhere: thrust::inclusive_scan_by_key, cub::DeviceScan::InclusiveSumByKey;
/// pandas.Series.groupby(keys).cumsum() of sorted keys.
template <scan_kind Kind, class Tuning = default_tuning, context Context, class Keys, class Input,
          std::integral Size, class Output, class Equal, class Op, class Init>
  requires(Kind == scan_kind::inclusive || !std::same_as<Init, no_init>)
void scan_by_key(Context& ctx, Keys keys, Input input, Size count, Output out, Equal equal, Op op,
                 Init init) {
  detail::check_count("scan_by_key", "count", count);
  detail::check_pointer(ctx, "scan_by_key", "keys", keys, count);
  detail::check_pointer(ctx, "scan_by_key", "input", input, count);
  detail::check_pointer(ctx, "scan_by_key", "out", out, count);
  detail::check_equal<element_t<Keys>, Equal>();
  detail::check_operator<detail::scan_value_t<Init, Output>, Op>();
  detail::scan_segments<Kind, Tuning>(ctx, input, count,
                                      detail::begins_run<Keys, Equal>{keys, equal}, out, op, init);
}

}  // namespace evenfold
