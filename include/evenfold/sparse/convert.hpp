#pragma once
// to_csr, to_csc, to_coo, transpose: a sparse matrix in another form.
//
// Entries are brought into rows by bucket_sort, with the rows as buckets. Entries that are in order
// already, as many files have them, are only copied.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/bucket_sort.hpp"
#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort_column.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/counting.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csc.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/duplicates.hpp"

namespace evenfold {

/// An entry without its row: its column and its value, if it has one, as wide as is moved well.
template <class Value, class Index>
struct alignas(sizeof(Value) == sizeof(Index) ? 2 * sizeof(Index) : alignof(Value)) row_entry {
  Index column;
  Value value;
};
template <class Index>
struct row_entry<pattern, Index> {
  Index column;
};

/// i -> entry i without its row, from columns and values that lie apart.
template <class Value, class Index>
struct read_entry {
  const Index* columns;
  const Value* values;
  template <class Offset>
  EF_HD row_entry<Value, Index> operator()(Offset k) const {
    if constexpr (is_pattern<Value>) {
      return {columns[k]};
    } else {
      return {columns[k], values[k]};
    }
  }
};

/// Writes entry k.
template <class Value, class Index>
struct write_entry {
  Index* columns;
  Value* values;
  template <class Offset>
  EF_HD void operator()(Offset k, const row_entry<Value, Index>& entry) const {
    columns[k] = entry.column;
    if constexpr (!is_pattern<Value>) values[k] = entry.value;
  }
};

/// Copies entry k, so that the workers of a context share the copies.
template <class Value, class Index>
struct copy_row_entry {
  read_entry<Value, Index> from;
  write_entry<Value, Index> to;
  template <class Offset>
  EF_HD void operator()(Offset k) const {
    to(k, from(k));
  }
};

struct column_of_entry {
  template <class Entry>
  EF_HD auto operator()(const Entry& entry) const {
    return entry.column;
  }
};

/// What is to be said of the place of an entry, from good to bad.
enum place_fault : int { in_order, before_previous, outside };

/// The fault of entry k. Without branches, so that a CPU looks at several at once.
template <class Index>
struct look_at_place {
  Index num_rows, num_columns;
  const Index* rows;
  const Index* columns;
  template <class Offset>
  EF_HD int operator()(Offset k) const {
    const Offset before = k - (k > 0);
    const Index row = rows[k];
    const Index column = columns[k];
    const bool misplaced = (row < 0) | (row >= num_rows) | (column < 0) | (column >= num_columns);
    const bool descends =
        (rows[before] > row) | ((rows[before] == row) & (columns[before] > column));
    return misplaced ? outside : descends ? before_previous : in_order;
  }
};

/// The number of an entry outside of the matrix, else the largest number.
template <class Index, class Offset>
struct number_outside {
  look_at_place<Index> look;
  EF_HD Offset operator()(Offset k) const {
    return look(k) == outside ? k : detail::largest_number<Offset>;
  }
};

/// Refuses entries outside of the matrix, and says whether all stand in the order of their places.
/// Waits.
template <context Context, class Value, class Index, class Offset>
bool check_places(Context& ctx, const char* function, coo_view<Value, Index, Offset> a) {
  detail::check_count(function, "a.num_rows", a.num_rows);
  detail::check_count(function, "a.num_columns", a.num_columns);
  detail::check_count(function, "a.num_nonzeros", a.num_nonzeros);
  detail::check_pointer(ctx, function, "a.rows", a.rows, a.num_nonzeros);
  detail::check_pointer(ctx, function, "a.columns", a.columns, a.num_nonzeros);
  detail::check_pointer(ctx, function, "a.values", a.values,
                        detail::stored_values<Value>(a.num_nonzeros));
  const look_at_place<Index> look{a.num_rows, a.num_columns, a.rows, a.columns};
  const int worst = transform_reduce(ctx, a.num_nonzeros, look, maximum{}, int{in_order});
  if (worst == outside) {
    const Offset first = transform_reduce(ctx, a.num_nonzeros, number_outside<Index, Offset>{look},
                                          minimum{}, detail::largest_number<Offset>);
    const Index row = to_host(ctx, a.rows + first, 1)[0];
    const Index column = to_host(ctx, a.columns + first, 1)[0];
    const bool row_outside = row < 0 || row >= a.num_rows;
    detail::refuse_argument(function,
                            (row_outside ? "a.rows[" : "a.columns[") + std::to_string(first) + "]",
                            row_outside ? row : column,
                            "the matrix has " + std::to_string(a.num_rows) + " rows and " +
                                std::to_string(a.num_columns) + " columns",
                            "count rows and columns from 0, or make the matrix larger");
  }
  return worst == in_order;
}

/// The entries by rows, each row in the order of its columns: entry k of the result is the k-th in
/// the order of (row, column), those of one place in the order they had. What becomes of several at
/// one place is told by `how`.
///
/// A pass over the entries looks whether they lie inside of the matrix and whether they are in
/// order; if so they are copied, else they are sorted. Work O(n) for n entries (O(n log(longest
/// row)) on a GPU), span O(work / workers + log^2 n), however uneven the rows. Bytes moved on a
/// GPU, for float values and 32-bit indices: 8 n to look, then 20 n where in order; else 24 n for
/// each 8 bits of a row's number, and 60 n to 100 n. Scratch: that of `bucket_sort` for values of
/// sizeof(Index) + sizeof(Value) bytes; for duplicates 2 bytes an entry, and where there are some
/// an Offset for each that stays and the result a second time. Deterministic: the answer is unique,
/// up to the rounding of sums, and the same for every number of threads. Waits.
///
/// Errors: argument_error for a negative size, an entry outside of the matrix, named, a place that
/// occurs twice where they are refused, or pointers on the wrong side; allocation_error.
///
/// Example: examples/coo_to_csr.cpp.
/// Names elsewhere: scipy.sparse.coo_array.tocsr, which sums and leaves columns in any order;
/// cusparseXcoosortByRow and cusparseXcoo2csr.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> to_csr(Context& ctx,
                                                      coo_view<Value, Index, Offset> a,
                                                      duplicates how = duplicates::sum) {
  using T = std::remove_const_t<Value>;
  const bool sorted = check_places(ctx, "to_csr", a);
  csr<T, Index, Offset> result(ctx, a.num_rows, a.num_columns, a.num_nonzeros);
  const read_entry<T, Index> from{a.columns, a.values};
  const write_entry<T, Index> to{result.columns.data(), result.values.data()};
  if (sorted) {
    sorted_search<bounds::lower>(ctx, counting<Index>{}, result.row_offsets.size(), a.rows,
                                 a.num_nonzeros, result.row_offsets.data(), less{});
    transform(ctx, a.num_nonzeros, copy_row_entry<T, Index>{from, to});
  } else {
    bucket_sort(ctx, a.num_nonzeros, element_of<Index, const Index*>{a.rows}, from, a.num_rows,
                result.row_offsets.data(), number_order<column_of_entry, Index>{{}, a.num_columns},
                to);
  }
  if (how != duplicates::keep) unite_duplicates(ctx, "to_csr", result, how);
  return result;
}

/// The entries by columns: `to_csr` of the transposed matrix, with the same promises.
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

/// The entries one by one, in the order they have in the matrix.
///
/// Work O(n + num_rows) for n entries, span O(work / workers + log n); moves each entry in and out
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
/// rows, those of one place in the order they had.
///
/// Work O(n + num_rows + num_columns) for n entries, span O(work / workers + log^2 n), however
/// uneven rows and columns. Scratch: one Index an entry and that of `bucket_sort`. Deterministic:
/// the answer is unique. Does not wait.
///
/// Errors: argument_error for pointers on the wrong side; allocation_error. The columns of `a` must
/// lie inside of the matrix; that is not looked at.
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
              read_entry<T, Index>{rows.data(), a.values}, a.num_columns, result.row_offsets.data(),
              no_order{}, write_entry<T, Index>{result.columns.data(), result.values.data()});
  return result;
}

/// The same matrix by rows: `transpose` of its columns, with the same promises.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> to_csr(Context& ctx,
                                                      csc_view<Value, Index, Offset> a) {
  return transpose(ctx, transposed(a));
}

/// The same matrix by columns: `transpose` of its rows, with the same promises.
template <context Context, class Value, class Index, class Offset>
csc<std::remove_const_t<Value>, Index, Offset> to_csc(Context& ctx,
                                                      csr_view<Value, Index, Offset> a) {
  return transposed(transpose(ctx, a));
}

}  // namespace evenfold
