#pragma once
// `csc`: a sparse matrix in compressed sparse columns, which are the compressed sparse rows of the
// transposed matrix. transposed() turns one into the other without copying.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/sparse/csr.hpp"

namespace evenfold {

/// A view of columns: `csr_view` with rows and columns exchanged.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct csc_view {
  Index num_rows = 0, num_columns = 0;
  Offset num_nonzeros = 0;
  const Offset* column_offsets = nullptr;
  const Index* rows = nullptr;
  Value* values = nullptr;

  EF_HD std::remove_const_t<Value> value(Offset k) const { return detail::value_at(values, k); }

  template <std::same_as<const Value> Const>
  operator csc_view<Const, Index, Offset>() const {
    return {num_rows, num_columns, num_nonzeros, column_offsets, rows, values};
  }
};

/// Owns entries by column: `csr` with rows and columns exchanged.
///
/// Names elsewhere: scipy.sparse.csc_array.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct csc {
  Index num_rows = 0, num_columns = 0;
  Offset num_nonzeros = 0;
  array<Offset> column_offsets;
  array<Index> rows;
  array<Value> values;

  csc_view<Value, Index, Offset> view() {
    return {num_rows, num_columns, num_nonzeros, column_offsets.data(), rows.data(), values.data()};
  }
  csc_view<const Value, Index, Offset> view() const {
    return {num_rows, num_columns, num_nonzeros, column_offsets.data(), rows.data(), values.data()};
  }
};

/// The columns of a matrix as the rows of the transposed matrix, and the reverse. The same memory.
template <class Value, class Index, class Offset>
EF_HD csr_view<Value, Index, Offset> transposed(csc_view<Value, Index, Offset> a) {
  return {a.num_columns, a.num_rows, a.num_nonzeros, a.column_offsets, a.rows, a.values};
}
template <class Value, class Index, class Offset>
EF_HD csc_view<Value, Index, Offset> transposed(csr_view<Value, Index, Offset> a) {
  return {a.num_columns, a.num_rows, a.num_nonzeros, a.row_offsets, a.columns, a.values};
}

/// The same for matrices that own their entries.
template <class Value, class Index, class Offset>
csr<Value, Index, Offset> transposed(csc<Value, Index, Offset>&& a) {
  csr<Value, Index, Offset> result;
  result.num_rows = a.num_columns;
  result.num_columns = a.num_rows;
  result.num_nonzeros = a.num_nonzeros;
  result.row_offsets = std::move(a.column_offsets);
  result.columns = std::move(a.rows);
  result.values = std::move(a.values);
  return result;
}
template <class Value, class Index, class Offset>
csc<Value, Index, Offset> transposed(csr<Value, Index, Offset>&& a) {
  csc<Value, Index, Offset> result;
  result.num_rows = a.num_columns;
  result.num_columns = a.num_rows;
  result.num_nonzeros = a.num_nonzeros;
  result.column_offsets = std::move(a.row_offsets);
  result.rows = std::move(a.columns);
  result.values = std::move(a.values);
  return result;
}

/// A copy of the matrix in the context's memory. Cost, synchronisation and errors of copy().
template <context Context, class Value, class Index, class Offset>
csc<std::remove_const_t<Value>, Index, Offset> to_context(Context& ctx,
                                                          csc_view<Value, Index, Offset> host) {
  return transposed(to_context(ctx, transposed(host)));
}

/// A copy on the host of a matrix in the context's memory. Waits.
template <context Context, class Value, class Index, class Offset>
csc<std::remove_const_t<Value>, Index, Offset> to_host(Context& ctx,
                                                       csc_view<Value, Index, Offset> there) {
  return transposed(to_host(ctx, transposed(there)));
}

}  // namespace evenfold
