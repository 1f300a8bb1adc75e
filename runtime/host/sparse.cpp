// Sparse matrices and graphs put together from operations of an engine.

#include "runtime/sparse.hpp"

#include <string>
#include <utility>

#include "runtime/engine.hpp"
#include "runtime/graphs.hpp"
#include "runtime/host/row_parts.hpp"

namespace evenfold::runtime {

sparse_entries local(engine& engine, const sparse_entries& a) {
  return {a.num_rows,
          a.num_columns,
          engine.local(a.rows),
          engine.local(a.columns),
          engine.local(a.values),
          a.has_values,
          a.of_all};
}

sparse_entries transposed(const sparse_entries& a) {
  return {a.num_columns,    a.num_rows,   a.columns.share(), a.rows.share(),
          a.values.share(), a.has_values, a.of_all};
}

sparse_rows share(const sparse_rows& a) {
  return {a.num_rows,   a.num_columns, a.row_offsets.share(), a.columns.share(), a.values.share(),
          a.has_values, a.part};
}

sparse_rows make_rows(engine& engine, const sparse_entries& a, duplicates how) {
  return a.of_all ? rows_of_part(engine, a, how) : engine.sparse().to_rows(local(engine, a), how);
}

sparse_entries symmetrized(engine& engine, const sparse_entries& a) {
  sparse_entries here = local(engine, a);
  here.of_all.reset();
  sparse_entries both = engine.sparse().symmetrize(here);
  // The image of an entry follows it, so that those of the parts are those of the whole.
  return a.of_all ? entries_of_process(engine, std::move(both)) : std::move(both);
}

sparse_rows transposed(engine& engine, const sparse_rows& a) {
  return a.part ? transposed_part(engine, a) : engine.sparse().transpose(a);
}

graph undirected_graph(const sparse_rows& out) { return {share(out), share(out)}; }

graph make_graph(engine& engine, const sparse_entries& entries, const graph_shape& shape) {
  if (entries.num_rows != entries.num_columns) {
    detail::refuse_argument("make_graph", "entries.num_columns", entries.num_columns,
                            "there are " + std::to_string(entries.num_rows) + " rows",
                            "pass a square matrix, one row and one column per vertex");
  }
  sparse_rows rows =
      make_rows(engine, shape.symmetrize ? symmetrized(engine, entries) : local(engine, entries),
                shape.duplicates);
  if (shape.undirected) return undirected_graph(rows);
  sparse_rows columns = transposed(engine, rows);
  return {std::move(rows), std::move(columns)};
}

}  // namespace evenfold::runtime
