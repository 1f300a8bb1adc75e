#pragma once
// Launches the kernels of backend/cuda/device/segment_candidates.cuh.

#include "evenfold/backend/cuda/device/segment_candidates.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"

namespace evenfold::backend {

/// The largest k of keep_candidates, half of its most groups.
inline constexpr int most_candidate_results = 256;

template <class Keys, class Size, class Offsets, class Index, class Less>
void keep_candidates(cuda_context& ctx, Keys keys,
                     const detail::segment_view<Size, Offsets, Index>& segments,
                     const Size* first_pieces, const Index* piece_segments, Size num_pieces, int k,
                     Less, Size* positions, Size* begins, Size* counts) {
  using sizes = device::piece_sizes;
  constexpr int few = 2, many = 8, most = 16;  // groups per lane
  static_assert(most * device::warp_threads == 2 * most_candidate_results);
  const auto kernel = 2 * k <= few * device::warp_threads
                          ? device::keep_candidates_kernel<Less, few, Keys, Size, Offsets, Index>
                      : 2 * k <= many * device::warp_threads
                          ? device::keep_candidates_kernel<Less, many, Keys, Size, Offsets, Index>
                          : device::keep_candidates_kernel<Less, most, Keys, Size, Offsets, Index>;
  ctx.launch(
      "segmented_top_k", kernel,
      detail::ceil_div(static_cast<std::size_t>(num_pieces), sizes::threads / device::warp_threads),
      sizes::threads, 0, keys, segments, first_pieces, piece_segments, num_pieces, k, positions,
      begins, counts);
}

}  // namespace evenfold::backend
