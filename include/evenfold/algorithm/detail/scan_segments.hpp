#pragma once
// A segmented scan of checked arguments: by the backend, or as a plain scan of pairs
// (core/segment_fold.hpp).

#include <concepts>

#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/segment_fold.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/segmented_scan.cuh"
#else
#include "evenfold/backend/cpu/segmented_scan.hpp"
#endif

namespace evenfold::detail {

/// Marks the first item of every segment that has one.
template <class Segments>
struct mark_begin {
  Segments segments;
  unsigned char* marks;

  template <std::integral SegmentSize>
  EF_HD constexpr void operator()(SegmentSize s) const {
    if (segments.begin(s) < segments.end(s)) marks[segments.begin(s)] = 1;
  }
};

/// `heads`: a segment_view, or a function that tells whether a segment begins at an item.
template <scan_kind Kind, class Tuning, class T, context Context, class Input, std::integral Size,
          class Heads, class Output, class Op, class Init>
void scan_segments(Context& ctx, Input input, Size count, Heads heads, Output out, Op op,
                   Init init) {
  if constexpr (requires {
                  backend::segmented_scan<Kind, Tuning, T>(ctx, input, count, heads, out, op, init);
                }) {
    backend::segmented_scan<Kind, Tuning, T>(ctx, input, count, heads, out, op, init);
  } else if constexpr (requires { heads.num_segments; }) {
    array<unsigned char> marks(ctx, count);
    fill<Tuning>(ctx, marks.data(), count, 0);
    transform<Tuning>(ctx, heads.num_segments, mark_begin<Heads>{heads, marks.data()});
    scan_segments<Kind, Tuning, T>(ctx, input, count, marked_begin{marks.data()}, out, op, init);
  } else {
    transform_scan<scan_kind::inclusive, Tuning>(
        ctx, count, segment_item<Kind, T, Input, Heads, Op, Init>{input, heads, op, init},
        value_output<T, Output>{out}, append_segment_fold<Op>{op}, no_init{});
  }
}

}  // namespace evenfold::detail
