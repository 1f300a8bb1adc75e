#pragma once
// lbs_segreduce and transform_segreduce, serially.

#include "evenfold/backend/reference/canonical_fold.hpp"
#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/segments.hpp"

namespace evenfold::backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached,
          class Output, class Op, class T>
void lbs_segreduce(reference_context&, detail::segment_view<Size, Offsets, SegmentSize> segments,
                   F f, Cached cached, Output out, Op op, T init) {
  for (SegmentSize seg = 0; seg < segments.num_segments; ++seg) {
    const Size begin = segments.begin(seg);
    const auto value = [&](Size i) {
      return detail::call_lbs(f, i, seg, static_cast<Size>(i - begin),
                              detail::load_at(cached, seg));
    };
    out[seg] = reference::canonical_fold(begin, segments.end(seg), value, op, init);
  }
}

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Output,
          class Op, class T>
void transform_segreduce(reference_context&,
                         detail::segment_view<Size, Offsets, SegmentSize> segments, F f, Output out,
                         Op op, T init) {
  for (SegmentSize seg = 0; seg < segments.num_segments; ++seg) {
    out[seg] = reference::canonical_fold(segments.begin(seg), segments.end(seg), f, op, init);
  }
}

}  // namespace evenfold::backend
