#pragma once
// segmented_scan, scan_by_key: the folds of all prefixes of each segment.
//
// Idea: a segmented scan is a plain scan of pairs; see algorithm/detail/scan_segments.hpp.

#include <concepts>

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/detail/scan_segments.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

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
/// num_segments), span O(count / workers + log workers). A GPU reads each value and each offset
/// once and writes each result once; scratch: 17 slots per 16 tiles, of 16 bytes, or of 8 bytes and
/// a pair of a T and a flag if T is larger than 8 bytes, one segment number per tile, and one bit
/// per item where more than 64 MiB of T have fewer than 4 items per segment. A tile has as many
/// values as in `transform_scan` if the order of `op` matters. A CPU thread reads each value once,
/// and those of a segment that others go on with twice; scratch: one `partial_fold` per thread.
/// Deterministic: each result is a fold in the canonical order of an operator that is not
/// commutative (balance/fold_order.hpp). Does not wait.
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
  using T = detail::scan_value_t<Init, Output>;
  detail::scan_segments<Kind, Tuning, T>(ctx, input, count, segments, out, op, init);
}

/// The same for segments of neighbouring items with equal keys: a segment begins at item 0 and
/// wherever equal(keys[i - 1], keys[i]) is false.
///
/// - `keys`: iterator to `count` keys of any type; it does not overlap `out`.
/// - `equal`: an equivalence relation.
///
/// Work O(count); reads each key twice. The CPU reads and writes values as `transform_scan` does,
/// and needs its scratch for pairs of a value and a flag. Otherwise as `segmented_scan`.
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
  using T = detail::scan_value_t<Init, Output>;
  detail::scan_segments<Kind, Tuning, T>(
      ctx, input, count, detail::begins_run<Keys, Equal>{keys, equal}, out, op, init);
}

/// The same for ranges: the number of segments is that of the offsets, and `out` may be a range
/// that has room for as many elements as `input` or `keys` has.
template <scan_kind Kind, class Tuning = default_tuning, context Context, sized_range Input,
          sized_range Offsets, sequence Output, class Op, class Init>
  requires(Kind == scan_kind::inclusive || !std::same_as<Init, no_init>)
void segmented_scan(Context& ctx, const Input& input, const Offsets& offsets, Output&& out, Op op,
                    Init init) {
  const std::size_t count = detail::size_of(input);
  evenfold::segmented_scan<Kind, Tuning>(
      ctx, detail::begin_of(input), count, detail::begin_of(offsets), detail::size_of(offsets),
      detail::output_of("segmented_scan", "out", out, count), op, init);
}
template <scan_kind Kind, class Tuning = default_tuning, context Context, sized_range Keys,
          sequence Input, sequence Output, class Equal, class Op, class Init>
  requires(Kind == scan_kind::inclusive || !std::same_as<Init, no_init>)
void scan_by_key(Context& ctx, const Keys& keys, Input&& input, Output&& out, Equal equal, Op op,
                 Init init) {
  const std::size_t count = detail::size_of(keys);
  evenfold::scan_by_key<Kind, Tuning>(
      ctx, detail::begin_of(keys), detail::input_of("scan_by_key", "input", input, count, "keys"),
      count, detail::output_of("scan_by_key", "out", out, count), equal, op, init);
}

}  // namespace evenfold
