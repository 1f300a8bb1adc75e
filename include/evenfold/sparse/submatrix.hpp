#pragma once
// submatrix, permute: some rows and columns of a matrix, or all of them in another order.

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/find.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform_lbs.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

/// The numbers from `begin` to `end` - 1: rows or columns of a matrix.
template <class Index>
struct index_range {
  Index begin, end;
  EF_HD bool holds(Index i) const { return begin <= i && i < end; }
};

namespace detail {

/// Refuses a range that is not within the matrix.
template <class Index>
void check_range(const char* argument, index_range<Index> range, Index count) {
  if (range.begin < 0 || range.begin > range.end || range.end > count) {
    refuse_argument("submatrix", argument,
                    "[" + std::to_string(range.begin) + ", " + std::to_string(range.end) + ")",
                    "the matrix has [0, " + std::to_string(count) + ")",
                    "pass a part of this range");
  }
}

/// Whether the column of entry `first` + k lies in a range.
template <class Index, class Offset>
struct column_within {
  const Index* columns;
  Offset first;
  index_range<Index> range;
  EF_HD bool operator()(Offset k) const { return range.holds(columns[first + k]); }
};

/// Copies an entry and stores its index in the matrix.
template <class Value, class Index, class Offset>
struct take_entry {
  csr_view<const Value, Index, Offset> a;
  Offset first;
  Index first_column;
  Index* columns;
  Value* values;
  Offset* indices;
  EF_HD void operator()(Offset to, Offset from) const {
    columns[to] = static_cast<Index>(a.columns[first + from] - first_column);
    if constexpr (!is_pattern<Value>) values[to] = a.values[first + from];
    indices[to] = static_cast<Offset>(first + from);
  }
};

}  // namespace detail

/// The entries in a range of rows and a range of columns, A[i:j, k:l], numbered from the first row
/// and the first column of the ranges. The entries of a row keep their order.
///
/// Work O(entries in the rows + rows), span O(work / workers + log work). Scratch: one byte per
/// entry in the rows and one Offset per entry of the result. Deterministic. Waits for the number of
/// entries. Errors: argument_error for ranges that are not within the matrix, for row offsets that
/// are not within the entries, and for pointers on the wrong side; allocation_error.
/// Example: examples/coo_to_csr.cpp.
/// Names elsewhere: scipy.sparse.csr_array.__getitem__ with slices.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> submatrix(
    Context& ctx, csr_view<Value, Index, Offset> a, index_range<std::type_identity_t<Index>> rows,
    index_range<std::type_identity_t<Index>> columns) {
  using T = std::remove_const_t<Value>;
  detail::check_range("rows", rows, a.num_rows);
  detail::check_range("columns", columns, a.num_columns);
  detail::check_pointer(ctx, "submatrix", "a.row_offsets", a.row_offsets, 1);
  detail::check_pointer(ctx, "submatrix", "a.columns", a.columns, a.num_nonzeros);
  detail::check_pointer(ctx, "submatrix", "a.values", a.values,
                        detail::stored_values<Value>(a.num_nonzeros));
  const auto num_rows = static_cast<Index>(rows.end - rows.begin);
  const Offset* const offsets = a.row_offsets + rows.begin;
  const Offset first = to_host(ctx, offsets, 1)[0];
  const Offset last = to_host(ctx, offsets + num_rows, 1)[0];
  if (std::cmp_less(first, 0) || first > last || last > a.num_nonzeros) {
    detail::refuse_argument("submatrix", "a.row_offsets",
                            std::to_string(first) + " to " + std::to_string(last) + " in the rows",
                            "the matrix has " + std::to_string(a.num_nonzeros) + " entries",
                            "pass offsets that ascend from 0 to the number of entries");
  }
  const compact_plan kept(ctx, static_cast<Offset>(last - first),
                          detail::column_within<Index, Offset>{a.columns, first, columns});
  csr<T, Index, Offset> result(ctx, num_rows, static_cast<Index>(columns.end - columns.begin),
                               kept.num_kept());
  array<Offset> indices(ctx, kept.num_kept());
  kept.write(detail::take_entry<T, Index, Offset>{a, first, columns.begin, result.columns.data(),
                                                  result.values.data(), indices.data()});
  sorted_search<bounds::lower>(ctx, offsets, result.row_offsets.size(),
                               static_cast<const Offset*>(indices.data()), kept.num_kept(),
                               result.row_offsets.data(), less{});
  return result;
}

namespace detail {

/// Whether an index is outside of [0, count).
template <std::integral Index>
struct is_index_outside {
  Index count;
  EF_HD bool operator()(Index i) const { return i < 0 || i >= count; }
};

/// Refuses a list with a number outside of the matrix. Waits.
template <context Context, std::integral Index>
void check_index_list(Context& ctx, const char* function, const char* argument, const Index* list,
                      Index size, Index count) {
  check_count(function, argument, size);
  check_pointer(ctx, function, argument, list, size);
  const Index at = find_if(ctx, list, size, is_index_outside<Index>{count});
  if (at == size) return;
  refuse_argument(function, std::string(argument) + "[" + std::to_string(at) + "]",
                  to_host(ctx, list + at, 1)[0],
                  "the matrix has [0, " + std::to_string(count) + ")", "pass indices within it");
}

/// The length of row rows[s].
template <std::integral Index, std::integral Offset>
struct selected_length {
  const Offset* offsets;
  const Index* rows;
  EF_HD Offset operator()(Index s) const { return offsets[rows[s] + 1] - offsets[rows[s]]; }
};

/// s -> the first entry of row rows[s].
template <std::integral Index, std::integral Offset>
struct selected_begin {
  using value_type = Offset;
  const Offset* offsets;
  const Index* rows;
  EF_HD Offset operator[](Index s) const { return offsets[rows[s]]; }
};

/// Copies an entry of a selected row.
template <class Value, std::integral Index, std::integral Offset>
struct copy_selected {
  csr_view<const Value, Index, Offset> from;
  Index* columns;
  Value* values;
  EF_HD void operator()(Offset to, Index, Offset rank, const tuple<Offset>& begin) const {
    const Offset k = get<0>(begin) + rank;
    columns[to] = from.columns[k];
    if constexpr (!is_pattern<Value>) values[to] = from.values[k];
  }
};

/// The matrix whose row s is row rows[s] of `a`. Waits.
template <context Context, class Value, class Index, class Offset>
csr<Value, Index, Offset> select_rows(Context& ctx, const csr_view<const Value, Index, Offset>& a,
                                      const Index* rows, Index num_rows) {
  csr<Value, Index, Offset> result(ctx, num_rows, a.num_columns, Offset{0});
  Offset* const offsets = result.row_offsets.data();
  transform_scan<scan_kind::exclusive>(ctx, num_rows,
                                       selected_length<Index, Offset>{a.row_offsets, rows}, offsets,
                                       plus{}, Offset{0}, offsets + num_rows);
  result.num_nonzeros = to_host(ctx, offsets + num_rows, 1)[0];
  result.columns = array<Index>(ctx, result.num_nonzeros);
  result.values = array<Value>(ctx, stored_values<Value>(result.num_nonzeros));
  transform_lbs(ctx, result.num_nonzeros,
                copy_selected<Value, Index, Offset>{a, result.columns.data(), result.values.data()},
                offsets, num_rows, make_tuple(selected_begin<Index, Offset>{a.row_offsets, rows}));
  return result;
}

/// `submatrix` by lists.
template <context Context, class Value, class Index, class Offset>
csr<Value, Index, Offset> select(Context& ctx, const char* function,
                                 const csr_view<const Value, Index, Offset>& a,
                                 const char* rows_argument, const Index* rows, Index num_rows,
                                 const char* columns_argument, const Index* columns,
                                 Index num_columns) {
  check_index_list(ctx, function, rows_argument, rows, num_rows, a.num_rows);
  check_index_list(ctx, function, columns_argument, columns, num_columns, a.num_columns);
  check_pointer(ctx, function, "a.row_offsets", a.row_offsets, 1);
  check_pointer(ctx, function, "a.columns", a.columns, a.num_nonzeros);
  check_pointer(ctx, function, "a.values", a.values, stored_values<Value>(a.num_nonzeros));
  const csr<Value, Index, Offset> some_rows = select_rows(ctx, a, rows, num_rows);
  const csr<Value, Index, Offset> by_column = transpose(ctx, some_rows.view());
  const csr<Value, Index, Offset> some_columns =
      select_rows(ctx, by_column.view(), columns, num_columns);
  return transpose(ctx, some_columns.view());
}

}  // namespace detail

/// The matrix whose entry (i, j) is entry (rows[i], columns[j]) of `a`: A[rows][:, columns].
///
/// - `rows`, `columns`: `num_rows` and `num_columns` indices in the context's memory, in any order,
///   also repeated.
///
/// The rows are copied and transposed, then the columns in the same way. The columns of each row
/// ascend; entries in the same row and column keep their order. Work O(entries in the rows +
/// entries of the result + a.num_columns + num_rows + num_columns), span O(work / workers + log^2
/// work), however uneven rows and columns. Scratch: two matrices with the entries of the rows, one
/// with those of the result, and that of `transpose`. Deterministic: the result is unique. Waits.
///
/// Errors: argument_error for a negative count, for an index outside of the matrix, which the
/// message names, and for pointers on the wrong side; allocation_error.
///
/// Example: examples/coo_to_csr.cpp.
/// Names elsewhere: GrB_extract, A[numpy.ix_(rows, columns)] in SciPy.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> submatrix(Context& ctx,
                                                         csr_view<Value, Index, Offset> a,
                                                         const std::type_identity_t<Index>* rows,
                                                         std::type_identity_t<Index> num_rows,
                                                         const std::type_identity_t<Index>* columns,
                                                         std::type_identity_t<Index> num_columns) {
  using T = std::remove_const_t<Value>;
  return detail::select<Context, T, Index, Offset>(ctx, "submatrix", a, "rows", rows, num_rows,
                                                   "columns", columns, num_columns);
}

/// The matrix whose entry (i, j) is entry (row_order[i], column_order[j]) of `a`: P A Q. The same
/// order for both renumbers the vertices of a graph.
///
/// - `row_order`: the numbers of all rows in the context's memory, each once, as `sort_indices`
///   makes them; `column_order`: likewise. That no number is repeated is not checked.
///
/// Otherwise as `submatrix` by lists. Names elsewhere: A[row_order][:, column_order] in SciPy.
template <context Context, class Value, class Index, class Offset>
csr<std::remove_const_t<Value>, Index, Offset> permute(
    Context& ctx, csr_view<Value, Index, Offset> a, const std::type_identity_t<Index>* row_order,
    const std::type_identity_t<Index>* column_order) {
  using T = std::remove_const_t<Value>;
  return detail::select<Context, T, Index, Offset>(ctx, "permute", a, "row_order", row_order,
                                                   a.num_rows, "column_order", column_order,
                                                   a.num_columns);
}

}  // namespace evenfold
