// Operations on the rows of tables, by their keys.

#include "runtime/tables.hpp"

#include "python/bindings/families.hpp"
#include "python/bindings/names.hpp"
#include "runtime/sequences.hpp"

namespace evenfold::python {

namespace {

constexpr named<join_kind> join_kinds[] = {{"inner", join_kind::inner}, {"left", join_kind::left},
                                           {"right", join_kind::right}, {"full", join_kind::full},
                                           {"semi", join_kind::semi},   {"anti", join_kind::anti}};

/// Keys of the left rows, then of the right ones, as codes.
runtime::key_column column_of(runtime::engine& e, const runtime::array& left,
                              const runtime::array& right) {
  runtime::array codes = e.sequences().codes(left, right);
  const auto largest =
      e.arrays().fold(codes, runtime::fold_operator::max, fold_strategy::tiled, nullptr);
  return {std::move(codes), runtime::array(), std::get<std::uint64_t>(largest)};
}

shared_array sort_columns(engine_thread& engine, const std::vector<shared_array>& columns) {
  return shared(engine.run([=](runtime::engine& e) {
    std::vector<runtime::key_column> keys;
    for (const shared_array& column : columns) {
      keys.push_back(column_of(e, *column, runtime::array()));
    }
    return e.tables().sort(keys);
  }));
}

array_pair join(engine_thread& engine, const std::vector<shared_array>& left,
                const std::vector<shared_array>& right, const std::string& how) {
  const auto kind = value_named("join", "how", how, join_kinds);
  auto rows = engine.run([=](runtime::engine& e) {
    std::vector<runtime::key_column> keys;
    for (std::size_t i = 0; i < left.size(); ++i) {
      keys.push_back(column_of(e, *left[i], *right.at(i)));
    }
    return e.tables().join(keys, static_cast<std::int32_t>(left.at(0)->size()), kind);
  });
  return {shared(std::move(rows.left)), shared(std::move(rows.right))};
}

}  // namespace

void add_tables(nb::module_& module) {
  module.def("sort_columns", &sort_columns, "engine"_a, "columns"_a);
  module.def("join", &join, "engine"_a, "left"_a, "right"_a, "how"_a);
}

}  // namespace evenfold::python
