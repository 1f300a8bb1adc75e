#pragma once
// symmetrize, drop_self_loops, remove_duplicates: add or remove entries of a list.

#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
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
  using heavy = void;

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
/// exchanged. An edge list thus becomes the stored edges of an undirected graph, and one half of
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

}  // namespace evenfold
