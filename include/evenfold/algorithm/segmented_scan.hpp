#pragma once
// segmented_scan, scan_by_key: the folds of all prefixes of each segment.
//
// Idea: a segmented scan is a plain scan of pairs of a value and a flag. The flag tells whether a
// segment begins within the items of the pair; if so, nothing before the pair is folded into it.
// The operator on pairs is associative if the operator on values is.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/algorithm/detail/check_segments.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/compact_parts.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {

namespace detail {

/// The fold of some items, from the last beginning of a segment among them if there is one.
template <class T>
struct segment_fold {
  T value;
  bool begins;
};

/// The fold of two neighbouring ranges of items.
template <class Op>
struct append_segment_fold {
  Op op;

  template <class T>
  EF_HD constexpr segment_fold<T> operator()(const segment_fold<T>& a,
                                             const segment_fold<T>& b) const {
    if (b.begins) return b;
    return {static_cast<T>(op(a.value, b.value)), a.begins};
  }
};

/// Whether a segment begins at item i, according to marks.
struct marked_begin {
  const unsigned char* marks;

  template <std::integral Size>
  EF_HD constexpr bool operator()(Size i) const {
    return marks[i] != 0;
  }
};

/// Item i of the plain scan. An exclusive scan is an inclusive scan of the items shifted by one,
/// with `init` at the beginning of each segment.
template <scan_kind Kind, class T, class Input, class Begins, class Op, class Init>
struct segment_item {
  Input input;
  Begins begins;
  Op op;
  Init init;

  template <std::integral Size>
  EF_HD constexpr segment_fold<T> operator()(Size i) const {
    const bool begin = begins(i);
    if constexpr (Kind == scan_kind::exclusive) {
      return {begin ? static_cast<T>(init) : static_cast<T>(input[static_cast<Size>(i - 1)]),
              begin};
    } else if constexpr (std::same_as<Init, no_init>) {
      return {static_cast<T>(input[i]), begin};
    } else {
      const T value = static_cast<T>(input[i]);
      return {begin ? static_cast<T>(op(static_cast<T>(init), value)) : value, begin};
    }
  }
};

/// An output that writes only the values of pairs.
template <class T, class Output>
struct value_output {
  using value_type = segment_fold<T>;
  Output out;

  template <class Size>
  struct slot {
    Output out;
    Size index;
    EF_HD constexpr void operator=(const segment_fold<T>& fold) const { out[index] = fold.value; }
  };
  template <std::integral Size>
  EF_HD constexpr slot<Size> operator[](Size i) const {
    return {out, i};
  }
};

/// marks[offsets[s]] = 1 for every segment that has an item.
template <class Size, class Offsets, class SegmentSize>
struct mark_begin {
  segment_view<Size, Offsets, SegmentSize> segments;
  unsigned char* marks;

  EF_HD constexpr void operator()(SegmentSize s) const {
    if (segments.begin(s) < segments.end(s)) marks[segments.begin(s)] = 1;
  }
};

template <scan_kind Kind, class Tuning, context Context, class Input, std::integral Size,
          class Begins, class Output, class Op, class Init>
void scan_segments(Context& ctx, Input input, Size count, Begins begins, Output out, Op op,
                   Init init) {
  using T = scan_value_t<Init, Output>;
  evenfold::transform_scan<scan_kind::inclusive, Tuning>(
      ctx, count, segment_item<Kind, T, Input, Begins, Op, Init>{input, begins, op, init},
      value_output<T, Output>{out}, append_segment_fold<Op>{op}, no_init{});
}

}  // namespace detail

/// out[i] = init (+) input[b] (+) ... (+) input[i] for every item i of a segment [b, e), without
/// input[i] if `Kind` is exclusive.
///
/// - `input`: iterator to `count` elements.
/// - `offsets`: `num_segments` numbers of any integral type; offsets[0] is 0, they never decrease,
///   and the last segment ends at `count`. Segments may be empty.
/// - `out`: iterator to `count` elements; it does not overlap `input`.
/// - `op`: associative; operands keep their order.
/// - `init`: the first operand of every segment; with `no_init{}` an inclusive scan has none.
/// Values
///   are folded in the type of `init`, or without it in the type of the elements of `out`.
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
