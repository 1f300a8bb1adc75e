#pragma once
// `coo`: a sparse matrix as a list of entries in any order, each with its row and its column.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/array.hpp"
#include "evenfold/core/pattern.hpp"

namespace evenfold {

/// A view of entries: entry k is in row rows[k] and column columns[k], both counted from 0. Entries
/// may be in any order, and several may have the same row and column.
///
/// `Index` is the type of row and column numbers, `Offset` that of entry numbers. `Value` is const
/// if the values must not change, and `pattern` if there are none.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct coo_view {
  Index num_rows = 0, num_columns = 0;
  Offset num_nonzeros = 0;
  const Index* rows = nullptr;
  const Index* columns = nullptr;
  Value* values = nullptr;

  EF_HD std::remove_const_t<Value> value(Offset k) const { return detail::value_at(values, k); }

  template <std::same_as<const Value> Const>
  operator coo_view<Const, Index, Offset>() const {
    return {num_rows, num_columns, num_nonzeros, rows, columns, values};
  }
};

/// Owns `nonzeros` entries in the memory of a context, which must outlive it. The entries start
/// uninitialized. Move-only.
///
/// Errors: argument_error for a negative size; allocation_error if memory is exhausted.
/// Names elsewhere: scipy.sparse.coo_array.
template <class Value, std::integral Index = std::int32_t, std::integral Offset = Index>
struct coo {
  Index num_rows = 0, num_columns = 0;
  Offset num_nonzeros = 0;
  array<Index> rows, columns;
  array<Value> values;

  coo() = default;
  template <context Context>
  coo(Context& ctx, Index row_count, Index column_count, Offset nonzeros)
      : num_rows(row_count),
        num_columns(column_count),
        num_nonzeros(nonzeros),
        rows(ctx, nonzeros),
        columns(ctx, nonzeros),
        values(ctx, detail::stored_values<Value>(nonzeros)) {
    detail::check_count("coo", "row_count", row_count);
    detail::check_count("coo", "column_count", column_count);
  }

  coo_view<Value, Index, Offset> view() {
    return {num_rows, num_columns, num_nonzeros, rows.data(), columns.data(), values.data()};
  }
  coo_view<const Value, Index, Offset> view() const {
    return {num_rows, num_columns, num_nonzeros, rows.data(), columns.data(), values.data()};
  }
};

/// The transposed matrix, in the same memory.
template <class Value, class Index, class Offset>
coo_view<Value, Index, Offset> transposed(coo_view<Value, Index, Offset> a) {
  return {a.num_columns, a.num_rows, a.num_nonzeros, a.columns, a.rows, a.values};
}

/// A copy of the entries in the context's memory. Cost, synchronisation and errors of copy().
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> to_context(Context& ctx,
                                                          coo_view<Value, Index, Offset> host) {
  coo<std::remove_const_t<Value>, Index, Offset> result(ctx, host.num_rows, host.num_columns,
                                                        host.num_nonzeros);
  copy(ctx, host.rows, result.rows.size(), result.rows.data());
  copy(ctx, host.columns, result.columns.size(), result.columns.data());
  copy(ctx, host.values, result.values.size(), result.values.data());
  return result;
}

/// A copy on the host of entries in the context's memory. Waits.
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> to_host(Context& ctx,
                                                       coo_view<Value, Index, Offset> there) {
  host_context host;
  coo<std::remove_const_t<Value>, Index, Offset> result(host, there.num_rows, there.num_columns,
                                                        there.num_nonzeros);
  copy(ctx, there.rows, result.rows.size(), result.rows.data());
  copy(ctx, there.columns, result.columns.size(), result.columns.data());
  copy(ctx, there.values, result.values.size(), result.values.data());
  ctx.synchronize();
  return result;
}

}  // namespace evenfold
