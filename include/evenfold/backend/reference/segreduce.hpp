#pragma once
// lbs_segreduce and transform_segreduce, serially.

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/segments.hpp"

namespace evenfold::backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached,
          class Output, class Op, class T>
void lbs_segreduce(reference_context&, segment_view<Size, Offsets, SegmentSize> segments, F f,
                   Cached cached, Output out, Op op, T init) {
  for (SegmentSize seg = 0; seg < segments.num_segments; ++seg) {
    const Size begin = segments.begin(seg);
    T result = init;
    for (Size i = begin; i < segments.end(seg); ++i) {
      const auto values = detail::load_at(cached, seg);
      result =
          op(result, static_cast<T>(call_lbs(f, i, seg, static_cast<Size>(i - begin), values)));
    }
    out[seg] = result;
  }
}

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Output,
          class Op, class T>
void transform_segreduce(reference_context&, segment_view<Size, Offsets, SegmentSize> segments, F f,
                         Output out, Op op, T init) {
  for (SegmentSize seg = 0; seg < segments.num_segments; ++seg) {
    T result = init;
    for (Size i = segments.begin(seg); i < segments.end(seg); ++i) {
      result = op(result, static_cast<T>(f(i)));
    }
    out[seg] = result;
  }
}

}  // namespace evenfold::backend
