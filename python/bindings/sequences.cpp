// Operations that keep or find an order.

#include "runtime/sequences.hpp"

#include <algorithm>

#include "python/bindings/families.hpp"
#include "python/bindings/names.hpp"

namespace evenfold::python {

namespace {

using runtime::search_side;

constexpr named<search_side> sides[] = {{"left", search_side::left}, {"right", search_side::right}};

shared_array scan(engine_thread& engine, const shared_array& values, const std::string& op,
                  bool exclusive) {
  const auto how = value_named("scan", "op", op, fold_operators);
  return shared(engine.run(values->size(), [=](runtime::engine& e) {
    return e.sequences().scan(*values, how, exclusive);
  }));
}

void sort(engine_thread& engine, const shared_array& values) {
  engine.run(values->size(), [=](runtime::engine& e) { e.sequences().sort(*values); });
}

shared_array sort_indices(engine_thread& engine, const shared_array& values) {
  return shared(engine.run(
      values->size(), [=](runtime::engine& e) { return e.sequences().sort_indices(*values); }));
}

shared_array merge(engine_thread& engine, const shared_array& a, const shared_array& b) {
  return shared(engine.run(a->size() + b->size(),
                           [=](runtime::engine& e) { return e.sequences().merge(*a, *b); }));
}

shared_array search(engine_thread& engine, const shared_array& haystack,
                    const shared_array& needles, const std::string& side) {
  const auto where = value_named("searchsorted", "side", side, sides);
  // Few searches look at few elements.
  const std::size_t looked_at = std::min(haystack->size(), 16 * needles->size());
  return shared(engine.run(looked_at + needles->size(), [=](runtime::engine& e) {
    return e.sequences().search(*haystack, *needles, where);
  }));
}

/// The keys, their first elements, the inverse, the counts and the order: see unique_found.
std::tuple<shared_array, shared_array, shared_array, shared_array, shared_array> unique(
    engine_thread& engine, const shared_array& keys, bool inverse) {
  auto found = engine.run(keys->size(),
                          [=](runtime::engine& e) { return e.sequences().unique(*keys, inverse); });
  return {shared(std::move(found.keys)), shared(std::move(found.firsts)),
          shared(std::move(found.inverse)), shared(std::move(found.counts)),
          shared(std::move(found.order))};
}

array_pair count_unique(engine_thread& engine, const shared_array& keys) {
  auto found = engine.run(keys->size(),
                          [=](runtime::engine& e) { return e.sequences().count_unique(*keys); });
  return {shared(std::move(found.keys)), shared(std::move(found.counts))};
}

array_pair top_k(engine_thread& engine, const shared_array& values, std::int64_t k, bool largest) {
  auto found = engine.run(
      values->size(), [=](runtime::engine& e) { return e.sequences().top_k(*values, k, largest); });
  return {shared(std::move(found.values)), shared(std::move(found.indices))};
}

shared_array take(engine_thread& engine, const shared_array& values, const shared_array& indices) {
  return shared(engine.run(
      indices->size(), [=](runtime::engine& e) { return e.sequences().take(*values, *indices); }));
}

}  // namespace

void add_sequences(nb::module_& module) {
  module.def("scan", &scan, "engine"_a, "values"_a, "op"_a, "exclusive"_a);
  module.def("sort", &sort, "engine"_a, "values"_a);
  module.def("sort_indices", &sort_indices, "engine"_a, "values"_a);
  module.def("merge", &merge, "engine"_a, "a"_a, "b"_a);
  module.def("search", &search, "engine"_a, "haystack"_a, "needles"_a, "side"_a);
  module.def("unique", &unique, "engine"_a, "keys"_a, "inverse"_a);
  module.def("count_unique", &count_unique, "engine"_a, "keys"_a);
  module.def("top_k", &top_k, "engine"_a, "values"_a, "k"_a, "largest"_a);
  module.def("take", &take, "engine"_a, "values"_a, "indices"_a);
}

}  // namespace evenfold::python
