// Sparse matrices and graphs put together from operations of an engine.

#include "runtime/sparse.hpp"

#include <string>
#include <utility>

#include "runtime/engine.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::runtime {

sparse_entries local(engine& engine, const sparse_entries& a) {
  return {a.num_rows,
          a.num_columns,
          engine.local(a.rows),
          engine.local(a.columns),
          engine.local(a.values),
          a.has_values};
}

sparse_entries transposed(const sparse_entries& a) {
  return {a.num_columns,  a.num_rows,       a.columns.share(),
          a.rows.share(), a.values.share(), a.has_values};
}

sparse_rows share(const sparse_rows& a) {
  return {a.num_rows,        a.num_columns,    a.row_offsets.share(),
          a.columns.share(), a.values.share(), a.has_values};
}

graph undirected_graph(const sparse_rows& out) { return {share(out), share(out)}; }

graph make_graph(engine& engine, const sparse_entries& entries, const graph_shape& shape) {
  if (entries.num_rows != entries.num_columns) {
    detail::refuse_argument("make_graph", "entries.num_columns", entries.num_columns,
                            "there are " + std::to_string(entries.num_rows) + " rows",
                            "pass a square matrix, one row and one column per vertex");
  }
  sparse_operations& sparse = engine.sparse();
  const sparse_entries here = local(engine, entries);
  sparse_rows rows = shape.symmetrize ? sparse.to_rows(sparse.symmetrize(here), shape.duplicates)
                                      : sparse.to_rows(here, shape.duplicates);
  if (shape.undirected) return undirected_graph(rows);
  sparse_rows columns = sparse.transpose(rows);
  return {std::move(rows), std::move(columns)};
}

}  // namespace evenfold::runtime
