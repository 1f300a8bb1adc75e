#pragma once
// lbs_workcreate on CPU threads: each walks one equal share of the merge path of items and segment
// ends and writes its new items to its own part of the scratch; then all new items are moved to the
// output.

#include <algorithm>
#include <memory>
#include <utility>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::backend {

template <class Tuning, class Size, class Offsets, class SegmentSize, class F, class Cached,
          class T>
void lbs_workcreate(cpu_context& ctx, detail::segment_view<Size, Offsets, SegmentSize> segments,
                    F f, Cached cached, T* out, Size* num_created) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 11>>::tile;
  const std::size_t workers = std::max<std::size_t>(1, ctx.shares(segments.steps(), tile));
  const detail::equal_shares<std::uint64_t> shares(segments.steps(), workers);
  array<T> scratch(ctx, segments.count);
  array<Size> created(ctx, workers);
  const auto first_item = [&](std::size_t worker) {
    return segments.position(shares.begin(worker)).item;
  };
  ctx.parallel(workers, [&](std::size_t first, std::size_t last) {
    for (std::size_t w = first; w < last; ++w) {
      const auto from = segments.position(shares.begin(w));
      T* const begin_of_share = scratch.data() + from.item;
      T* to = begin_of_share;
      detail::for_each_piece(segments, from, segments.position(shares.begin(w + 1)),
                             [&](SegmentSize seg, Size begin, Size end) {
                               if (begin == end) return;
                               const auto values = detail::load_at(cached, seg);
                               const Size origin = segments.begin(seg);
                               for (Size i = begin; i < end; ++i) {
                                 const auto item = detail::call_lbs(
                                     f, i, seg, static_cast<Size>(i - origin), values);
                                 if (item) std::construct_at(to++, *item);
                               }
                             });
      created[w] = static_cast<Size>(to - begin_of_share);
    }
  });
  Size total = 0;
  array<Size> before(ctx, workers);
  for (std::size_t w = 0; w < workers; ++w) before[w] = std::exchange(total, total + created[w]);
  ctx.parallel(workers, [&](std::size_t first, std::size_t last) {
    for (std::size_t w = first; w < last; ++w) {
      std::copy_n(scratch.data() + first_item(w), created[w], out + before[w]);
    }
  });
  if (num_created != nullptr) *num_created = total;
}

}  // namespace evenfold::backend
