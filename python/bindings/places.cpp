// Operations on places on the globe.

#include "runtime/places.hpp"

#include "python/bindings/families.hpp"

namespace evenfold::python {

namespace {

array_pair nearest(engine_thread& engine, const shared_array& latitudes,
                   const shared_array& longitudes, const shared_array& groups,
                   std::int32_t num_groups, int k, double radius) {
  auto found = engine.run([=](runtime::engine& e) {
    return e.places().nearest(*latitudes, *longitudes, *groups, num_groups, k, radius);
  });
  return {shared(std::move(found.neighbours)), shared(std::move(found.distances))};
}

}  // namespace

void add_places(nb::module_& module) {
  module.def("nearest", &nearest, "engine"_a, "latitudes"_a, "longitudes"_a, "groups"_a,
             "num_groups"_a, "k"_a, "radius"_a);
}

}  // namespace evenfold::python
