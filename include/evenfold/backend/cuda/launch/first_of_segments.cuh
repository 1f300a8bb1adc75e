#pragma once
// Launches the kernel of backend/cuda/device/first_of_segments.cuh.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "evenfold/backend/cuda/device/first_of_segments.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::backend {

/// Whether first_of_segments is fast: a warp has enough to do with a segment, and the longest one
/// does not keep the others waiting.
template <class Size, class Offsets, class Index>
bool takes_first_of_segments(const detail::segment_view<Size, Offsets, Index>& segments,
                             Size longest, Size k) {
  constexpr std::int64_t least_mean = 64;
  constexpr std::int64_t most_items = 16 * device::piece_sizes::items;
  const auto mean = static_cast<std::int64_t>(segments.count / segments.num_segments);
  return std::cmp_less_equal(k, device::first_of_segments_sizes::most_results) &&
         std::cmp_less_equal(longest, most_items) && mean >= least_mean;
}

/// Calls emit(result, index, key) for the first k keys of every segment, whose results begin at
/// begins[s].
template <class Keys, class Size, class Offsets, class Index, class Less, class Emit>
void first_of_segments(cuda_context& ctx, Keys keys,
                       const detail::segment_view<Size, Offsets, Index>& segments,
                       const Size* begins, int k, Less, Emit emit) {
  using order = detail::natural_order_t<Less, element_t<Keys>>;
  constexpr int threads = device::first_of_segments_sizes::threads;
  ctx.launch("segmented_top_k",
             device::first_of_segments_kernel<order, Keys, Size, Offsets, Index, Emit>,
             detail::ceil_div(static_cast<std::size_t>(segments.num_segments),
                              threads / device::warp_threads),
             threads, 0, keys, segments, begins, k, emit);
}

}  // namespace evenfold::backend
