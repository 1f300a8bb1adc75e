#pragma once
// `csr`: a sparse matrix in compressed sparse rows.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/array.hpp"
#include "evenfold/core/csr_view.hpp"

namespace evenfold {

/// Owns `nonzeros` entries of a matrix of `row_count` by `column_count` in the memory of a context,
/// which must outlive it. The entries and the offsets start uninitialized. Move-only.
///
/// Errors: argument_error for a negative size; allocation_error if memory is exhausted.
/// Names elsewhere: scipy.sparse.csr_array.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct csr {
  Index num_rows = 0, num_columns = 0;
  Offset num_nonzeros = 0;
  array<Offset> row_offsets;
  array<Index> columns;
  array<Value> values;

  csr() = default;
  template <context Context>
  csr(Context& ctx, Index row_count, Index column_count, Offset nonzeros)
      : num_rows((detail::check_count("csr", "row_count", row_count), row_count)),
        num_columns((detail::check_count("csr", "column_count", column_count), column_count)),
        num_nonzeros(nonzeros),
        row_offsets(ctx, static_cast<std::size_t>(row_count) + 1),
        columns(ctx, nonzeros),
        values(ctx, detail::stored_values<Value>(nonzeros)) {}

  csr_view<Value, Index, Offset> view() {
    return {num_rows, num_columns, num_nonzeros, row_offsets.data(), columns.data(), values.data()};
  }
  csr_view<const Value, Index, Offset> view() const {
    return {num_rows, num_columns, num_nonzeros, row_offsets.data(), columns.data(), values.data()};
  }
};

/// A copy of the matrix in the context's memory. Cost, synchronisation and errors of copy().
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> to_context(Context& ctx,
                                                          csr_view<Value, Index, Offset> host) {
  csr<std::remove_const_t<Value>, Index, Offset> result(ctx, host.num_rows, host.num_columns,
                                                        host.num_nonzeros);
  copy(ctx, host.row_offsets, result.row_offsets.size(), result.row_offsets.data());
  copy(ctx, host.columns, result.columns.size(), result.columns.data());
  copy(ctx, host.values, result.values.size(), result.values.data());
  return result;
}

/// A copy on the host of a matrix in the context's memory. Waits.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> to_host(Context& ctx,
                                                       csr_view<Value, Index, Offset> there) {
  host_context host;
  csr<std::remove_const_t<Value>, Index, Offset> result(host, there.num_rows, there.num_columns,
                                                        there.num_nonzeros);
  copy(ctx, there.row_offsets, result.row_offsets.size(), result.row_offsets.data());
  copy(ctx, there.columns, result.columns.size(), result.columns.data());
  copy(ctx, there.values, result.values.size(), result.values.data());
  ctx.synchronize();
  return result;
}

}  // namespace evenfold
