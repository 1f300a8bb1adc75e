#pragma once
// lbs_workcreate, serially.

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/segments.hpp"

namespace evenfold::backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached,
          class T>
void lbs_workcreate(reference_context&, detail::segment_view<Size, Offsets, SegmentSize> segments,
                    F f, Cached cached, T* out, Size* num_created) {
  Size created = 0;
  for (SegmentSize seg = 0; seg < segments.num_segments; ++seg) {
    const Size begin = segments.begin(seg);
    for (Size i = begin; i < segments.end(seg); ++i) {
      const auto item =
          detail::call_lbs(f, i, seg, static_cast<Size>(i - begin), detail::load_at(cached, seg));
      if (item) out[created++] = *item;
    }
  }
  if (num_created != nullptr) *num_created = created;
}

}  // namespace evenfold::backend
