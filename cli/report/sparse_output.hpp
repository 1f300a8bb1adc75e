#pragma once
// Sparse matrices that commands write to files.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/edge_list/vertex_names.hpp"
#include "evenfold/io/edge_list/writer.hpp"
#include "evenfold/io/npy/npz_writer.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/engine.hpp"
#include "runtime/sparse.hpp"

namespace evenfold::cli {

/// A matrix on the host. Value is double, or pattern where values are absent or left out.
template <class Value>
using host_rows = csr<Value, std::int32_t, std::int64_t>;

/// Copies a matrix from the memory of an engine.
template <class Value>
host_rows<Value> downloaded(runtime::engine& engine, const runtime::sparse_rows& rows) {
  reference_context host;
  host_rows<Value> result(host, rows.num_rows, rows.num_columns, rows.num_nonzeros());
  engine.download(rows.row_offsets, result.row_offsets.data());
  engine.download(rows.columns, result.columns.data());
  if constexpr (!is_pattern<Value>) engine.download(rows.values, result.values.data());
  return result;
}

/// Writes the entries as edges between named vertices, row by row.
///
/// Errors: output_error.
template <class Value>
void write_edges(cpu_context& ctx, output_file& file, const host_rows<Value>& rows,
                 const vertex_names& names) {
  std::vector<std::int32_t> row_of(rows.columns.size());
  for (std::int32_t r = 0; r < rows.num_rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    std::fill(row_of.begin() + rows.row_offsets[row], row_of.begin() + rows.row_offsets[row + 1],
              r);
  }
  const coo_view<const Value, std::int32_t, std::int64_t> edges{
      rows.num_rows, rows.num_columns,    rows.num_nonzeros,
      row_of.data(), rows.columns.data(), rows.values.data()};
  write_edge_list(ctx, file, edges, names);
}

}  // namespace evenfold::cli
