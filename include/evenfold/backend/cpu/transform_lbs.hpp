#pragma once
// transform_lbs on CPU threads: each walks one equal share of the merge path of items and segment
// ends.

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/core/index_loop.hpp"

namespace evenfold {

namespace cpu {

/// Calls f for a long run of items of a segment, in strips. A function of its own, so that its code
/// leaves the registers to that of short runs.
template <class Size, class SegmentSize, class F, class Cached>
[[gnu::noinline]] void call_in_strips(Size begin, Size end, SegmentSize seg, Size origin,
                                      const F& f, Cached cached) {
  const detail::own_function<F> own = f;
  const auto values = detail::load_at(cached, seg);
  detail::for_each_index<true>(begin, end, [&](Size i) {
    detail::call_lbs(own, i, seg, static_cast<Size>(i - origin), values);
  });
}

}  // namespace cpu

namespace backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached>
void transform_lbs(cpu_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments, F f,
                   Cached cached) {
  constexpr int long_run = 64;
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
                             if constexpr (detail::has_strips<F>) {
                               if (end - begin >= long_run) {
                                 return cpu::call_in_strips(begin, end, seg, origin, f, cached);
                               }
                             }
                             for (Size i = begin; i < end; ++i) {
                               detail::call_lbs(own, i, seg, static_cast<Size>(i - origin), values);
                             }
                           });
  });
}

}  // namespace backend

}  // namespace evenfold
