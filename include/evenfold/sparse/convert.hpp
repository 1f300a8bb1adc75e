#pragma once
// to_csr, to_csc, to_coo, transpose: conversions between the forms of sparse matrices.
//
// Idea: entries are sorted by bucket_sort, with the rows as buckets. Entries that are already in
// order, as in many files, are only copied. The steps are in sparse/convert_parts.hpp.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/bucket_sort.hpp"
#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort_column.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/counting_iterator.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/convert_parts.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csc.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/duplicates.hpp"

namespace evenfold {

/// The entries by rows, sorted by (row, column). Entries in the same row and column keep their
/// order; `how` says what becomes of them.
///
/// A pass over the entries checks whether they lie inside of the matrix and whether they are in
/// order. If they are, they are copied; else they are sorted, on a CPU by row alone if their
/// columns ascend. Work O(n) for n entries (O(n log(longest row)) on a GPU), span O(work / workers
/// + log^2 n), however uneven the rows. Bytes moved on a GPU, for float values and 32-bit indices:
/// 8 n for the check, then 20 n for entries in order; else 24 n per 8 bits of the row numbers, and
/// 60 n to 100 n. Scratch: that of `bucket_sort` for values of sizeof(Index) + sizeof(Value) bytes
/// and results that can be read. Unless duplicates are kept, 2 bytes per entry on a GPU, and, if
/// there are any, the result a second time, on a GPU with one Offset per entry. Deterministic: the
/// result is unique; sums of duplicates have the canonical order of folds. Waits.
///
/// Errors: argument_error for a negative size, for an entry outside of the matrix, which the
/// message names, and for pointers on the wrong side; duplicate_entry_error where duplicates are
/// refused; allocation_error.
///
/// Example: examples/coo_to_csr.cpp.
/// Names elsewhere: scipy.sparse.coo_array.tocsr, which sums and leaves columns in any order;
/// cusparseXcoosortByRow and cusparseXcoo2csr.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> to_csr(Context& ctx,
                                                      coo_view<Value, Index, Offset> a,
                                                      duplicates how = duplicates::sum) {
  using T = std::remove_const_t<Value>;
  const detail::entry_order entries = detail::check_positions(ctx, "to_csr", a);
  csr<T, Index, Offset> result(ctx, a.num_rows, a.num_columns, a.num_nonzeros);
  const detail::read_entry<T, Index> from{a.columns, a.values};
  const detail::write_entry<T, Index> to{result.columns.data(), result.values.data()};
  if (entries.by_rows) {
    sorted_search<bounds::lower>(ctx, counting_iterator<Index>{}, result.row_offsets.size(), a.rows,
                                 a.num_nonzeros, result.row_offsets.data(), less{});
    transform(ctx, a.num_nonzeros, detail::copy_row_entry<T, Index>{from, to});
  } else {
    const auto sort_rows = [&](auto order) {
      bucket_sort(ctx, a.num_nonzeros, element_of<Index, const Index*>{a.rows}, from, a.num_rows,
                  result.row_offsets.data(), order, to);
    };
    if constexpr (Context::side == memory_side::host) {
      if (entries.by_columns) sort_rows(no_order{});
    }
    if (!entries.by_columns)
      sort_rows(number_order<detail::column_of_entry, Index>{{}, a.num_columns});
  }
  if (how != duplicates::keep) detail::merge_duplicates(ctx, "to_csr", result, how);
  return result;
}

/// The entries by columns: `to_csr` of the transposed matrix, with the same guarantees.
template <context Context, class Value, class Index, class Offset>
csc<std::remove_const_t<Value>, Index, Offset> to_csc(Context& ctx,
                                                      coo_view<Value, Index, Offset> a,
                                                      duplicates how = duplicates::sum) {
  return transposed(to_csr(ctx, transposed(a), how));
}

/// rows[k] = the row of entry k of a matrix.
template <context Context, class Value, class Index, class Offset>
array<Index> rows_of_entries(Context& ctx, csr_view<Value, Index, Offset> a) {
  array<Index> rows(ctx, a.num_nonzeros);
  load_balance_search(ctx, a.num_nonzeros, a.row_offsets, a.num_rows, rows.data());
  return rows;
}

/// The entries as a list, in the order of the matrix.
///
/// Work O(n + num_rows) for n entries, span O(work / workers + log n); reads and writes each entry
/// once. No scratch. Does not wait. Errors: argument_error for pointers on the wrong side;
/// allocation_error. Example: examples/coo_to_csr.cpp. Names elsewhere:
/// scipy.sparse.csr_array.tocoo, cusparseXcsr2coo.
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> to_coo(Context& ctx,
                                                      csr_view<Value, Index, Offset> a) {
  coo<std::remove_const_t<Value>, Index, Offset> result;
  result.num_rows = a.num_rows;
  result.num_columns = a.num_columns;
  result.num_nonzeros = a.num_nonzeros;
  result.rows = rows_of_entries(ctx, a);
  result.columns = array<Index>(ctx, a.num_nonzeros);
  result.values =
      array<std::remove_const_t<Value>>(ctx, detail::stored_values<Value>(a.num_nonzeros));
  copy(ctx, a.columns, result.columns.size(), result.columns.data());
  copy(ctx, a.values, result.values.size(), result.values.data());
  return result;
}

/// The transposed matrix by rows: row j has the entries of column j of `a`, in the order of their
/// rows. Entries in the same row and column keep their order.
///
/// Work O(n + num_rows + num_columns) for n entries, span O(work / workers + log^2 n), however
/// uneven rows and columns. Scratch: one Index per entry and that of `bucket_sort`, whose results
/// can be read. Deterministic: the result is unique. Does not wait.
///
/// Errors: argument_error for pointers on the wrong side; allocation_error. The columns of `a` must
/// lie inside of the matrix; this is not checked.
///
/// Example: examples/coo_to_csr.cpp.
/// Names elsewhere: scipy.sparse.csr_array.transpose().tocsr(), cusparseCsr2cscEx2.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> transpose(Context& ctx,
                                                         csr_view<Value, Index, Offset> a) {
  using T = std::remove_const_t<Value>;
  detail::check_pointer(ctx, "transpose", "a.columns", a.columns, a.num_nonzeros);
  detail::check_pointer(ctx, "transpose", "a.values", a.values,
                        detail::stored_values<Value>(a.num_nonzeros));
  const array<Index> rows = rows_of_entries(ctx, a);
  csr<T, Index, Offset> result(ctx, a.num_columns, a.num_rows, a.num_nonzeros);
  bucket_sort(ctx, a.num_nonzeros, element_of<Index, const Index*>{a.columns},
              detail::read_entry<T, Index>{rows.data(), a.values}, a.num_columns,
              result.row_offsets.data(), no_order{},
              detail::write_entry<T, Index>{result.columns.data(), result.values.data()});
  return result;
}

/// The same matrix by rows: `transpose` of its columns, with the same guarantees.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> to_csr(Context& ctx,
                                                      csc_view<Value, Index, Offset> a) {
  return transpose(ctx, transposed(a));
}

/// The same matrix by columns: `transpose` of its rows, with the same guarantees.
template <context Context, class Value, class Index, class Offset>
csc<std::remove_const_t<Value>, Index, Offset> to_csc(Context& ctx,
                                                      csr_view<Value, Index, Offset> a) {
  return transposed(transpose(ctx, a));
}

}  // namespace evenfold
