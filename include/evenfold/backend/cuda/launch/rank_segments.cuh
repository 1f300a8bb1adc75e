#pragma once
// Launches the kernel of backend/cuda/device/rank_segments.cuh.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "evenfold/backend/cuda/device/rank_segments.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::backend {

/// Whether rank_segments is fast: each of its ranks takes as many steps as the segment has items.
template <class Size, class Offsets, class Index>
bool takes_rank_segments(const detail::segment_view<Size, Offsets, Index>& segments, Size longest) {
  constexpr std::int64_t most_mean = 24;
  const auto mean = static_cast<std::int64_t>(segments.count / segments.num_segments);
  return std::cmp_less_equal(longest, device::rank_segments_sizes::most_items) && mean <= most_mean;
}

/// Calls emit(result, index, key) for the first k keys of every segment, whose results begin at
/// begins[s].
template <class Keys, class Size, class Offsets, class Index, class Less, class Emit>
void rank_segments(cuda_context& ctx, Keys keys,
                   const detail::segment_view<Size, Offsets, Index>& segments, const Size* begins,
                   Size k, Less, Emit emit) {
  using order = detail::natural_order_t<Less, element_t<Keys>>;
  using sizes = device::rank_segments_sizes;
  ctx.launch("segmented_top_k",
             device::rank_segments_kernel<order, Keys, Size, Offsets, Index, Emit>,
             detail::ceil_div(static_cast<std::size_t>(segments.num_segments), sizes::segments),
             sizes::threads, 0, keys, segments, begins, k, emit);
}

}  // namespace evenfold::backend
