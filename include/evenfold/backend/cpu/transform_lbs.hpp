#pragma once
// transform_lbs on CPU threads: each walks one equal share of the merge path of items and segment
// ends.

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/core/index_loop.hpp"

namespace evenfold::backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached>
void transform_lbs(cpu_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                   Cached cached) {
  ctx.parallel(segments.steps(), [&](std::size_t first, std::size_t last) {
    const detail::own_function<F> own = f;
    detail::for_each_piece(segments, segments.position(first), segments.position(last),
                           [&](SegmentSize seg, Size begin, Size end) {
                             if (begin == end) return;
                             const auto values = detail::load_at(cached, seg);
                             // f may know from the cached values that it ignores all items.
                             if constexpr (requires { f.skips(values); }) {
                               if (f.skips(values)) return;
                             }
                             const Size origin = segments.begin(seg);
                             detail::for_each_index<detail::has_strips<F>>(begin, end, [&](Size i) {
                               detail::call_lbs(own, i, seg, static_cast<Size>(i - origin), values);
                             });
                           });
  });
}

}  // namespace evenfold::backend
