#pragma once
// symmetrize, drop_self_loops, remove_duplicates, submatrix: add or remove entries of a matrix.

#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

namespace detail {

/// Copies entry `from` to index `to`.
template <class Value, class Index, class Offset>
struct copy_entry {
  coo_view<const Value, Index, Offset> entries;
  Index* rows;
  Index* columns;
  Value* values;

  EF_HD void operator()(Offset to, Offset from) const {
    rows[to] = entries.rows[from];
    columns[to] = entries.columns[from];
    if constexpr (!is_pattern<Value>) values[to] = entries.values[from];
  }
};

/// Whether an entry lies off the diagonal.
template <class Index>
struct off_diagonal {
  const Index* rows;
  const Index* columns;
  template <class Offset>
  EF_HD bool operator()(Offset k) const {
    return rows[k] != columns[k];
  }
};

/// The checks of a list of entries.
template <context Context, class Value, class Index, class Offset>
void check_entries(Context& ctx, const char* function, coo_view<Value, Index, Offset> a) {
  check_count(function, "a.num_nonzeros", a.num_nonzeros);
  check_pointer(ctx, function, "a.rows", a.rows, a.num_nonzeros);
  check_pointer(ctx, function, "a.columns", a.columns, a.num_nonzeros);
  check_pointer(ctx, function, "a.values", a.values, stored_values<Value>(a.num_nonzeros));
}

/// The number of entries that symmetrize() makes of entry k.
template <class Index, class Offset>
struct count_mirrored {
  const Index* rows;
  const Index* columns;
  EF_HD Offset operator()(Offset k) const { return rows[k] == columns[k] ? 1 : 2; }
};

/// Copies entry k to its index in the result, followed by its mirror image if it is off the
/// diagonal.
template <class Value, class Index, class Offset>
struct copy_mirrored {
  copy_entry<Value, Index, Offset> copy, mirror;
  const Offset* indices;

  EF_HD void operator()(Offset k) const {
    copy(indices[k], k);
    if (copy.entries.rows[k] != copy.entries.columns[k]) mirror(indices[k] + 1, k);
  }
};

}  // namespace detail

/// The entries of `a`, each off the diagonal followed by its mirror image, with row and column
/// exchanged. A list of edges thus becomes the stored edges of an undirected graph, and one half of
/// a symmetric matrix becomes the whole matrix. Entries on the diagonal are not doubled. If `a` has
/// entries at (i, j) and at (j, i), the result has both at both positions, in the same order.
/// `to_csr` sums such duplicates, which gives A + A^T off the diagonal, or with duplicates::first
/// keeps the one that comes first in `a`, at both positions.
///
/// Work O(n) for n entries, span O(n / workers + log workers); reads rows and columns three times
/// and writes up to 2 n entries. Scratch: one Offset per entry. Deterministic. Waits for the number
/// of entries.
///
/// Errors: argument_error for a matrix that is not square, more entries than an Offset can number,
/// or pointers on the wrong side; allocation_error.
///
/// Example: examples/coo_to_csr.cpp.
/// Names elsewhere: A + A.T in SciPy, for matrices without a diagonal.
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> symmetrize(Context& ctx,
                                                          coo_view<Value, Index, Offset> a) {
  using T = std::remove_const_t<Value>;
  detail::check_entries(ctx, "symmetrize", a);
  if (a.num_rows != a.num_columns) {
    detail::refuse_argument("symmetrize", "a.num_columns", a.num_columns,
                            "there are " + std::to_string(a.num_rows) + " rows",
                            "pass a square matrix");
  }
  const Offset count = a.num_nonzeros;
  const Offset mirrored = transform_reduce(
      ctx, count, detail::off_diagonal<Index>{a.rows, a.columns}, plus{}, Offset{0});
  if (mirrored > std::numeric_limits<Offset>::max() - count) {
    detail::refuse_argument("symmetrize", "a.num_nonzeros", count,
                            "the result has more entries than the type of the offsets can number",
                            "pass wider offsets");
  }
  array<Offset> indices(ctx, count);
  transform_scan<scan_kind::exclusive>(ctx, count,
                                       detail::count_mirrored<Index, Offset>{a.rows, a.columns},
                                       indices.data(), plus{}, Offset{0});
  coo<T, Index, Offset> result(ctx, a.num_rows, a.num_columns,
                               static_cast<Offset>(count + mirrored));
  const auto copy_of = [&](coo_view<const T, Index, Offset> entries) {
    return detail::copy_entry<T, Index, Offset>{entries, result.rows.data(), result.columns.data(),
                                                result.values.data()};
  };
  transform(
      ctx, count,
      detail::copy_mirrored<T, Index, Offset>{copy_of(a), copy_of(transposed(a)), indices.data()});
  return result;
}

/// The entries off the diagonal, in the same order.
///
/// Work O(n) for n entries, span O(n / workers + log workers). Scratch: one byte per entry.
/// Deterministic. Waits for the number of entries. Errors: argument_error for pointers on the
/// wrong side; allocation_error. Example: examples/coo_to_csr.cpp. Names elsewhere: A.setdiag(0)
/// and A.eliminate_zeros() in SciPy.
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> drop_self_loops(Context& ctx,
                                                               coo_view<Value, Index, Offset> a) {
  using T = std::remove_const_t<Value>;
  detail::check_entries(ctx, "drop_self_loops", a);
  const compact_plan kept(ctx, a.num_nonzeros, detail::off_diagonal<Index>{a.rows, a.columns});
  coo<T, Index, Offset> result(ctx, a.num_rows, a.num_columns, kept.num_kept());
  kept.write(detail::copy_entry<T, Index, Offset>{a, result.rows.data(), result.columns.data(),
                                                  result.values.data()});
  return result;
}

/// One entry per row and column, sorted by (row, column): `to_coo` of `to_csr`, whose cost,
/// guarantees and errors it has. Names elsewhere: scipy.sparse.coo_array.sum_duplicates.
template <context Context, class Value, class Index, class Offset>
coo<std::remove_const_t<Value>, Index, Offset> remove_duplicates(Context& ctx,
                                                                 coo_view<Value, Index, Offset> a,
                                                                 duplicates how = duplicates::sum) {
  return to_coo(ctx, to_csr(ctx, a, how).view());
}

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

}  // namespace evenfold
