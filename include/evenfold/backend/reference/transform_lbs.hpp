#pragma once
// transform_lbs, serially.

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/segments.hpp"

namespace evenfold::backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached>
void transform_lbs(reference_context&, detail::segment_view<Size, Offsets, SegmentSize> segments,
                   F f, Cached cached) {
  for (SegmentSize seg = 0; seg < segments.num_segments; ++seg) {
    const Size begin = segments.begin(seg);
    for (Size i = begin; i < segments.end(seg); ++i) {
      detail::call_lbs(f, i, seg, static_cast<Size>(i - begin), detail::load_at(cached, seg));
    }
  }
}

}  // namespace evenfold::backend
