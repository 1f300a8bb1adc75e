#pragma once
// Launches the kernels of backend/cuda/device/sort_first_of_segments.cuh.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "evenfold/backend/cuda/device/first_of_segments.cuh"
#include "evenfold/backend/cuda/device/segmented_sort.cuh"
#include "evenfold/backend/cuda/device/sort_first_of_segments.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/segment_heads.cuh"
#include "evenfold/backend/cuda/launch/transform.cuh"
#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/radix_key.hpp"

namespace evenfold::backend {

/// Whether sort_first_of_segments is fast: no segment is longer than a part of a tile, and a warp
/// per segment (first_of_segments.cuh) would have too little to do or too many results.
template <bool Indexed, class Key, class Size, class Offsets, class Index>
bool takes_sort_first_of_segments(const detail::segment_view<Size, Offsets, Index>& segments,
                                  Size longest, Size k) {
  constexpr std::int64_t most_mean = Indexed ? 88 : 120;
  const auto mean = static_cast<std::int64_t>(segments.count / segments.num_segments);
  return std::cmp_less_equal(longest, device::sort_first_sizes<Indexed, Key>::short_segment) &&
         (mean <= most_mean || std::cmp_greater(k, device::first_of_segments_sizes::most_results));
}

/// Calls emit(result, index, key) for the first k keys of every segment, whose results begin at the
/// begins[s] that write_begins(begins) writes; without `Indexed`, the index is 0. No segment is
/// longer than device::sort_first_sizes<Indexed, Key>::short_segment.
template <bool Indexed, class Keys, class Size, class Offsets, class Index, class WriteBegins,
          class Less, class Emit>
void sort_first_of_segments(cuda_context& ctx, Keys keys,
                            const detail::segment_view<Size, Offsets, Index>& segments,
                            const WriteBegins& write_begins, Size* begins, Size k, Less,
                            Emit emit) {
  using Key = element_t<Keys>;
  using sizes = device::sort_first_sizes<Indexed, Key>;
  using order = detail::natural_order_t<Less, Key>;
  const auto count = static_cast<std::size_t>(segments.count);
  const std::size_t tiles = detail::ceil_div(count, sizes::span);
  array<device::first_results_cut<Size>> cuts(ctx, tiles + 1);
  const array<std::uint32_t> heads = device::mark_all_heads(ctx, segments);
  write_begins(begins);  // outputs are written when nothing more is allocated
  transform<default_tuning>(ctx, static_cast<std::uint64_t>(tiles + 1),
                            device::find_first_results_cut<Size, Offsets, Index>{
                                segments, begins, sizes::span, cuts.data()});
  ctx.launch("segmented_top_k",
             device::sort_first_of_segments_kernel<Indexed, order, Keys, Size, Emit>, tiles,
             sizes::threads, sizeof(device::sort_first_shared<Indexed, Key>), keys, heads.data(),
             cuts.data(), static_cast<int>(std::min<std::uint64_t>(k, sizes::short_segment)), emit);
}

}  // namespace evenfold::backend
