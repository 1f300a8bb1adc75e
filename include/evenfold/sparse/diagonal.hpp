#pragma once
// diagonal: the entries of a sparse matrix whose row is their column.

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

namespace detail {

/// The value of an entry on the diagonal, else 0.
template <class Value, std::integral Index, std::integral Offset, class T>
struct value_on_diagonal {
  csr_view<const Value, Index, Offset> a;
  EF_HD T operator()(Offset k, Index row, Offset) const {
    return a.columns[k] == row ? static_cast<T>(a.value(k)) : T{};
  }
};

}  // namespace detail

/// The diagonal of a matrix: element i is the sum of the entries in row i and column i, 0 if there
/// is none. It has as many elements as the shorter side of the matrix. Without values each entry
/// counts 1.
///
/// Reads every entry once, by one balanced fold, in whatever order the columns are. Work
/// O(num_nonzeros + num_rows), span O(work / workers + log work). Scratch: that of `lbs_segreduce`.
/// Deterministic. Waits for one number.
///
/// Errors: argument_error for pointers on the wrong side; allocation_error.
///
/// Example: examples/coo_to_csr.cpp. Names elsewhere: A.diagonal() in SciPy, GxB_Vector_diag.
template <context Context, class Value, class Index, class Offset>
auto diagonal(Context& ctx, csr_view<Value, Index, Offset> a) {
  using stored = std::remove_const_t<Value>;
  using T = std::conditional_t<is_pattern<Value>, Offset, stored>;
  detail::check_pointer(ctx, "diagonal", "a.row_offsets", a.row_offsets, a.num_rows);
  detail::check_pointer(ctx, "diagonal", "a.columns", a.columns, a.num_nonzeros);
  detail::check_pointer(ctx, "diagonal", "a.values", a.values,
                        detail::stored_values<Value>(a.num_nonzeros));
  const Index size = std::min(a.num_rows, a.num_columns);
  array<T> result(ctx, size);
  if (size == 0) return result;
  // Rows below the last column have no entry on the diagonal.
  const Offset count = to_host(ctx, a.row_offsets + size, 1)[0];
  lbs_segreduce(ctx, count, detail::value_on_diagonal<stored, Index, Offset, T>{a}, a.row_offsets,
                size, result.data(), plus{}, T{});
  return result;
}

}  // namespace evenfold
