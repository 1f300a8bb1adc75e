// The operations on places. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/places.hpp"

#include <string>

#include "evenfold/geo/nearest.hpp"
#include "runtime/backend.hpp"
#include "runtime/ranks.hpp"

namespace evenfold::runtime {

namespace {

class places_here final : public place_operations, private family<backend_context> {
 public:
  using family::family;

  nearest_result nearest(const array& latitudes, const array& longitudes, const array& groups,
                         std::int32_t num_groups, int k, double radius) override {
    const std::size_t count = groups.size();
    if (latitudes.size() != count || longitudes.size() != count) {
      detail::refuse_argument("nearest", "groups.size()", count,
                              "there are " + std::to_string(latitudes.size()) + " latitudes and " +
                                  std::to_string(longitudes.size()) + " longitudes",
                              "pass one of each per place");
    }
    nearest_places found =
        find(read<double>("nearest", "latitudes", latitudes),
             read<double>("nearest", "longitudes", longitudes),
             read<std::int32_t>("nearest", "groups", groups), count, num_groups, k, radius);
    return {owning(std::move(found.neighbours)), owning(std::move(found.distances)),
            owning(std::move(found.order)), owning(std::move(found.group_offsets))};
  }

 private:
  nearest_places find(const double* latitudes, const double* longitudes, const std::int32_t* groups,
                      std::size_t count, std::int32_t num_groups, int k, double radius) {
    if constexpr (can_have_ranks<backend_context>) {
      if (has_ranks()) {
        return nearest_on_ranks(state(), latitudes, longitudes, groups, count, num_groups, k,
                                radius);
      }
    }
    return evenfold::nearest(ctx, latitudes, longitudes, groups, static_cast<std::int32_t>(count),
                             num_groups, k, radius);
  }
};

}  // namespace

std::unique_ptr<place_operations> make_places(const backend_state& state) {
  return std::make_unique<places_here>(state);
}

}  // namespace evenfold::runtime
