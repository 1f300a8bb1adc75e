// Sparse matrices and graphs in compressed rows.

#include "runtime/sparse.hpp"

#include "python/bindings/families.hpp"
#include "python/bindings/names.hpp"

namespace evenfold::python {

namespace {

using rows = runtime::sparse_rows;
using shared_rows = std::shared_ptr<rows>;

constexpr named<duplicates> duplicate_rules[] = {{"keep", duplicates::keep},
                                                 {"sum", duplicates::sum},
                                                 {"first", duplicates::first},
                                                 {"refuse", duplicates::refuse}};

shared_rows shared_matrix(rows from) { return std::make_shared<rows>(std::move(from)); }

shared_rows make_rows(std::int32_t num_rows, std::int32_t num_columns,
                      const shared_array& row_offsets, const shared_array& columns,
                      const shared_array& values) {
  return shared_matrix({num_rows, num_columns, row_offsets->share(), columns->share(),
                        share_or_empty(values), values != nullptr});
}

shared_rows rows_of_entries(engine_thread& engine, std::int32_t num_rows, std::int32_t num_columns,
                            const shared_array& row_numbers, const shared_array& columns,
                            const shared_array& values, bool symmetrize, const std::string& rule,
                            bool are_parts) {
  const auto how = value_named("from_coo", "duplicates", rule, duplicate_rules);
  return shared_matrix(engine.run([=](runtime::engine& e) {
    runtime::sparse_entries entries{num_rows,
                                    num_columns,
                                    row_numbers->share(),
                                    columns->share(),
                                    share_or_empty(values),
                                    values != nullptr};
    if (are_parts) entries = runtime::entries_of_process(e, std::move(entries));
    return runtime::make_rows(e, symmetrize ? runtime::symmetrized(e, entries) : std::move(entries),
                              how);
  }));
}

shared_rows transpose(engine_thread& engine, const shared_rows& a) {
  return shared_matrix(engine.run([=](runtime::engine& e) { return runtime::transposed(e, *a); }));
}

void spmv(engine_thread& engine, const shared_rows& a, const shared_array& x, const shared_array& y,
          double alpha, double beta) {
  engine.run(a->columns.size() + y->size(),
             [=](runtime::engine& e) { e.sparse().spmv(*a, *x, *y, alpha, beta); });
}

void spmm(engine_thread& engine, const shared_rows& a, const shared_array& x, const shared_array& y,
          std::int64_t width, double alpha, double beta) {
  engine.run((a->columns.size() + y->size()) * static_cast<std::size_t>(width),
             [=](runtime::engine& e) { e.sparse().spmm(*a, *x, *y, width, alpha, beta); });
}

shared_rows spgemm(engine_thread& engine, const shared_rows& a, const shared_rows& b) {
  return shared_matrix(engine.run([=](runtime::engine& e) { return e.sparse().spgemm(*a, *b); }));
}

}  // namespace

void add_sparse(nb::module_& module) {
  nb::class_<rows>(module, "Rows", "A sparse matrix in compressed rows.")
      .def(
          "__init__",
          [](rows* self, std::int32_t num_rows, std::int32_t num_columns,
             const shared_array& row_offsets, const shared_array& columns,
             const shared_array& values) {
            new (self)
                rows(std::move(*make_rows(num_rows, num_columns, row_offsets, columns, values)));
          },
          "num_rows"_a, "num_columns"_a, "row_offsets"_a, "columns"_a, "values"_a.none())
      .def_ro("num_rows", &rows::num_rows)
      .def_ro("num_columns", &rows::num_columns)
      .def_prop_ro("num_nonzeros", &rows::num_nonzeros)
      .def_prop_ro("first_row",
                   [](const rows& self) -> std::optional<std::int64_t> {
                     if (!self.part) return std::nullopt;
                     return self.part->first_row;
                   })
      .def_prop_ro("row_offsets", [](const rows& self) { return shared(self.row_offsets.share()); })
      .def_prop_ro("columns", [](const rows& self) { return shared(self.columns.share()); })
      .def_prop_ro("values", [](const rows& self) -> std::optional<shared_array> {
        if (!self.has_values) return std::nullopt;
        return shared(self.values.share());
      });
  module.def("rows_of_entries", &rows_of_entries, "engine"_a, "num_rows"_a, "num_columns"_a,
             "rows"_a, "columns"_a, "values"_a.none(), "symmetrize"_a, "duplicates"_a,
             "are_parts"_a);
  module.def("transpose", &transpose, "engine"_a, "matrix"_a);
  module.def("spmv", &spmv, "engine"_a, "matrix"_a, "x"_a, "y"_a, "alpha"_a, "beta"_a);
  module.def("spmm", &spmm, "engine"_a, "matrix"_a, "x"_a, "y"_a, "width"_a, "alpha"_a, "beta"_a);
  module.def("spgemm", &spgemm, "engine"_a, "a"_a, "b"_a);
}

}  // namespace evenfold::python
