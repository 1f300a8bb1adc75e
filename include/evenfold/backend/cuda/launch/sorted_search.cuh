#pragma once
// Launches the kernels of backend/cuda/device/sorted_search.cuh.

#include <cstdint>
#include <type_traits>

#include "evenfold/backend/cuda/device/merge_tiles.cuh"
#include "evenfold/backend/cuda/device/serial_merge.cuh"
#include "evenfold/backend/cuda/device/sorted_search.cuh"
#include "evenfold/backend/cuda/device/transform.cuh"
#include "evenfold/backend/cuda/launch/context.cuh"
#include "evenfold/backend/cuda/launch/merge_cuts.cuh"
#include "evenfold/backend/cuda/launch/transform.cuh"
#include "evenfold/balance/search_each.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold {

namespace device {

/// How needles are searched for.
enum class search_by { merge, groups, lanes, warps };

/// Merging takes two launches, and reads the whole haystack. So needles are searched for one by one
/// where they are few for the haystack, or few at all, unless a merge is tuned: up to `most` for
/// each thread that is resident.
template <class Tuning>
search_by choose_search(const cuda_context& ctx, std::uint64_t num_needles,
                        std::uint64_t haystack_count, std::uint64_t most) {
  const std::uint64_t resident = std::uint64_t{2048} * static_cast<unsigned>(ctx.multiprocessors());
  const std::uint64_t lanes = num_needles * lanes_per_needle;
  if (detail::needles_are_few(num_needles, haystack_count, elements_per_needle)) {
    return lanes <= resident             ? search_by::groups
           : num_needles <= 2 * resident ? search_by::lanes
                                         : search_by::warps;
  }
  if (!std::is_same_v<Tuning, default_tuning> || num_needles > most * resident) {
    return search_by::merge;
  }
  return 4 * lanes <= resident ? search_by::groups : search_by::warps;
}

/// Searches for needles one by one.
template <class F>
void search_each(cuda_context& ctx, const char* name, search_by by, std::uint64_t num_needles,
                 F f) {
  if (by == search_by::groups) {
    ctx.launch(name, search_by_groups_kernel<F>,
               detail::ceil_div(num_needles * lanes_per_needle, search_threads), search_threads, 0,
               num_needles, f);
  } else if (by == search_by::lanes) {
    backend::transform<default_tuning>(ctx, num_needles, f);
  } else {
    ctx.launch(name, search_by_warps_kernel<F>, detail::ceil_div(num_needles, search_threads),
               search_threads, 0, num_needles, f);
  }
}

}  // namespace device

namespace backend {

template <bounds Bound, class Tuning, class Needles, class Haystack, class Output, class Less>
void sorted_search(cuda_context& ctx, Needles needles, std::uint64_t num_needles, Haystack haystack,
                   std::uint64_t haystack_count, Output out, Less less) {
  using key = element_t<Needles>;
  using sizes = device::merge_sizes<Tuning, key>;
  using inputs = device::merge_inputs<Needles, Haystack>;
  using before = detail::before_bound<Bound, Less>;
  const device::search_by by = device::choose_search<Tuning>(ctx, num_needles, haystack_count, 2);
  if (by != device::search_by::merge) {
    device::search_each(ctx, "sorted_search", by, num_needles,
                        detail::write_bound<Bound, Needles, Haystack, std::uint64_t, Output, Less>{
                            needles, haystack, haystack_count, out, less});
    return;
  }
  const inputs in{needles, num_needles, haystack, haystack_count};
  const auto cuts = device::cut_merge(ctx, "sorted_search", in, sizes::tile, before{less});
  ctx.launch("sorted_search", device::sorted_search_kernel<sizes, key, inputs, Output, before>,
             cuts.size() - 1, sizes::threads, sizeof(device::search_shared<sizes, key>), in,
             cuts.data(), out, before{less});
}

template <class Tuning, class Needles, class Haystack, class Output, class Counts, class Less>
void sorted_equal_range(cuda_context& ctx, Needles needles, std::uint64_t num_needles,
                        Haystack haystack, std::uint64_t haystack_count, Output out, Counts counts,
                        Less less) {
  using key = element_t<Needles>;
  using sizes = device::merge_sizes<Tuning, key, true>;
  using inputs = device::merge_inputs<Needles, Haystack>;
  const device::search_by by = device::choose_search<Tuning>(ctx, num_needles, haystack_count, 1);
  if (by != device::search_by::merge) {
    device::search_each(ctx, "sorted_equal_range", by, num_needles,
                        detail::write_range<Needles, Haystack, std::uint64_t, Output, Counts, Less>{
                            needles, haystack, haystack_count, out, counts, less});
    return;
  }
  const inputs in{needles, num_needles, haystack, haystack_count};
  const auto cuts = device::cut_merge(ctx, "sorted_equal_range", in, sizes::tile,
                                      detail::before_bound<bounds::lower, Less>{less});
  ctx.launch("sorted_equal_range",
             device::sorted_equal_range_kernel<sizes, key, inputs, Output, Counts, Less>,
             cuts.size() - 1, sizes::threads, sizeof(device::search_shared<sizes, key>), in,
             cuts.data(), out, counts, less);
}

}  // namespace backend

}  // namespace evenfold
