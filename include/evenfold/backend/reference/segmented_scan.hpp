#pragma once
// segmented_scan, scan_by_key, serially: a plain scan of pairs (core/segment_fold.hpp).

#include <concepts>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/backend/reference/scan.hpp"
#include "evenfold/backend/reference/transform.hpp"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/segment_fold.hpp"

namespace evenfold::backend {

template <scan_kind Kind, class Tuning, class T, class Input, std::integral Size, class Begins,
          class Output, class Op, class Init>
void segmented_scan(reference_context& ctx, Input input, Size count, Begins begins, Output out,
                    Op op, Init init) {
  backend::transform_scan<scan_kind::inclusive, Tuning>(
      ctx, count, detail::segment_item<Kind, T, Input, Begins, Op, Init>{input, begins, op, init},
      detail::value_output<T, Output>{out}, detail::append_segment_fold<Op>{op}, no_init{},
      static_cast<detail::segment_fold<T>*>(nullptr));
}

template <scan_kind Kind, class Tuning, class T, class Input, std::integral Size, class Offsets,
          class SegmentSize, class Output, class Op, class Init>
void segmented_scan(reference_context& ctx, Input input, Size count,
                    detail::segment_view<Size, Offsets, SegmentSize> segments, Output out, Op op,
                    Init init) {
  array<unsigned char> marks(ctx, count);
  backend::transform<Tuning>(ctx, count, write_result{constant<unsigned char>{0}, marks.data()});
  backend::transform<Tuning>(ctx, segments.num_segments, [&](SegmentSize s) {
    if (segments.begin(s) < segments.end(s)) marks.data()[segments.begin(s)] = 1;
  });
  backend::segmented_scan<Kind, Tuning, T>(ctx, input, count, detail::marked_begin{marks.data()},
                                           out, op, init);
}

}  // namespace evenfold::backend
