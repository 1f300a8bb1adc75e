// Operations on the segments of a sequence.

#include "runtime/segments.hpp"

#include "python/bindings/families.hpp"
#include "python/bindings/names.hpp"

namespace evenfold::python {

namespace {

using runtime::segmented_array;

segmented_array segments_of(const shared_array& values, const shared_array& offsets) {
  return {values->share(), offsets->share()};
}

/// Of the elements and the segments.
std::size_t size_of(const shared_array& values, const shared_array& offsets) {
  return values->size() + offsets->size();
}

array_pair pair_of(segmented_array from) {
  return {shared(std::move(from.values)), shared(std::move(from.offsets))};
}

shared_array reduce(engine_thread& engine, const shared_array& values, const shared_array& offsets,
                    const std::string& op) {
  const auto how = value_named("segreduce", "op", op, fold_operators);
  return shared(engine.run(size_of(values, offsets), [=](runtime::engine& e) {
    return e.segments().reduce(segments_of(values, offsets), how);
  }));
}

using statistic = runtime::array (runtime::segment_operations::*)(const segmented_array&);
template <statistic Function>
shared_array segmented(engine_thread& engine, const shared_array& values,
                       const shared_array& offsets) {
  return shared(engine.run(size_of(values, offsets), [=](runtime::engine& e) {
    return (e.segments().*Function)(segments_of(values, offsets));
  }));
}

shared_array scan(engine_thread& engine, const shared_array& values, const shared_array& offsets,
                  const std::string& op, bool exclusive) {
  const auto how = value_named("segscan", "op", op, fold_operators);
  return shared(engine.run(size_of(values, offsets), [=](runtime::engine& e) {
    return e.segments().scan(segments_of(values, offsets), how, exclusive);
  }));
}

shared_array sort_indices(engine_thread& engine, const shared_array& values,
                          const shared_array& offsets, bool descending) {
  return shared(engine.run(size_of(values, offsets), [=](runtime::engine& e) {
    return e.segments().sort_indices(segments_of(values, offsets), descending);
  }));
}

array_pair top_k_indices(engine_thread& engine, const shared_array& values,
                         const shared_array& offsets, std::int64_t k, bool descending) {
  return pair_of(engine.run(size_of(values, offsets), [=](runtime::engine& e) {
    return e.segments().top_k_indices(segments_of(values, offsets), k, descending);
  }));
}

array_pair concat(engine_thread& engine, const std::vector<shared_array>& values,
                  const std::vector<shared_array>& offsets) {
  return pair_of(engine.run([=](runtime::engine& e) {
    std::vector<segmented_array> parts;
    std::vector<const segmented_array*> addresses;
    for (std::size_t i = 0; i < values.size(); ++i) {
      parts.push_back(segments_of(values[i], offsets.at(i)));
    }
    for (const segmented_array& part : parts) addresses.push_back(&part);
    return e.segments().concat(addresses);
  }));
}

array_pair filter(engine_thread& engine, const shared_array& values, const shared_array& offsets,
                  const shared_array& mask) {
  return pair_of(engine.run(size_of(values, offsets), [=](runtime::engine& e) {
    return e.segments().filter(segments_of(values, offsets), *mask);
  }));
}

}  // namespace

void add_segments(nb::module_& module) {
  using operations = runtime::segment_operations;
  module.def("segmented_reduce", &reduce, "engine"_a, "values"_a, "offsets"_a, "op"_a);
  module.def("segmented_mean", &segmented<&operations::mean>, "engine"_a, "values"_a, "offsets"_a);
  module.def("segmented_argmin", &segmented<&operations::argmin>, "engine"_a, "values"_a,
             "offsets"_a);
  module.def("segmented_argmax", &segmented<&operations::argmax>, "engine"_a, "values"_a,
             "offsets"_a);
  module.def("segmented_scan", &scan, "engine"_a, "values"_a, "offsets"_a, "op"_a, "exclusive"_a);
  module.def("segmented_sort_indices", &sort_indices, "engine"_a, "values"_a, "offsets"_a,
             "descending"_a);
  module.def("segmented_top_k_indices", &top_k_indices, "engine"_a, "values"_a, "offsets"_a, "k"_a,
             "descending"_a);
  module.def("segmented_concat", &concat, "engine"_a, "values"_a, "offsets"_a);
  module.def("segmented_filter", &filter, "engine"_a, "values"_a, "offsets"_a, "mask"_a);
}

}  // namespace evenfold::python
