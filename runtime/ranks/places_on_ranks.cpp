// Places on several ranks. Compiled once per backend but the reference: see runtime/backend.hpp.

#include <utility>

#include "evenfold/distributed/nearest.hpp"
#include "runtime/ranks/on_ranks.hpp"

namespace evenfold::runtime {

nearest_places nearest_on_ranks(state_of_engine& state, const double* latitudes,
                                const double* longitudes, const std::int32_t* groups,
                                std::size_t count, std::int32_t num_groups, int k, double radius) {
  nearest_places result;
  on_ranks(state, [&](rank_context& ctx, results_of_rank results) {
    nearest_places found =
        nearest(ctx, share_of(ctx, latitudes, count), share_of(ctx, longitudes, count),
                share_of(ctx, groups, count), num_groups, k, radius);
    if (!results.numbers) return;
    const auto here = [&]<class T>(const evenfold::array<T>& of) {
      evenfold::array<T> copied(*state.ctx, of.size());
      copy(ctx.local(), of.data(), of.size(), copied.data());
      return copied;
    };
    result = {here(found.neighbours), here(found.distances), here(found.order),
              here(found.group_offsets)};
    ctx.local().synchronize();
  });
  return result;
}

}  // namespace evenfold::runtime
