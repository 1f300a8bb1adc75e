// Operations on places on the globe.

#include "runtime/places.hpp"

#include "python/bindings/families.hpp"

namespace evenfold::python {

namespace {

nb::tuple nearest(engine_thread& engine, const shared_array& latitudes,
                  const shared_array& longitudes, const shared_array& groups,
                  std::int32_t num_groups, int k, double radius) {
  auto found = engine.run([=](runtime::engine& e) {
    return e.places().nearest(*latitudes, *longitudes, *groups, num_groups, k, radius);
  });
  const auto shared = [](runtime::array& from) {
    return std::make_shared<runtime::array>(std::move(from));
  };
  return nb::make_tuple(shared(found.neighbours), shared(found.distances));
}

}  // namespace

void add_places(nb::module_& module) {
  module.def("nearest", &nearest, "engine"_a, "latitudes"_a, "longitudes"_a, "groups"_a,
             "num_groups"_a, "k"_a, "radius"_a);
}

}  // namespace evenfold::python
