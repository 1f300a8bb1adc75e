#pragma once
// spmv: a sparse matrix times a vector.
//
// Idea: each row is a segment of entries that is reduced to one result, so transform_segreduce
// shares entries and rows evenly, however long or empty the rows are. The function of an entry is
// `gathered`, which lets a GPU load the elements of x ahead of their use. alpha and beta are
// applied where a sum is written.

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/csc.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/spmv_parts.hpp"

namespace evenfold {

/// y[r] = zero (+) multiply(a_rj, x[j]) (+) ... over the entries of each row r, in their order: the
/// product over any semiring. With (minimum, +) a product extends shortest paths by one edge.
///
/// - `x`: iterator to a.num_columns elements of any type; `y`: iterator to a.num_rows elements, in
///   other memory than x.
/// - `multiply`: (value of an entry, element of x) -> T. In a matrix without values, the value of
///   every entry is the number one in the type of x, or `pattern` if x does not hold numbers.
/// - `add`: associative; operands keep their order unless `is_commutative<Add, T>`.
/// - `zero`: the first operand of every row, and the result of an empty row. T is its type.
///
/// Work O(entries + rows). Span, scratch and determinism are those of `transform_segreduce`. Does
/// not wait. Reads each entry, each offset and one element of x per entry once, and writes each
/// result once. For large matrices on a GPU the accesses to x take most of the time: each element
/// from another cache line costs a request to L2. The matrix is not analysed before the
/// product, and nothing is kept for the next product.
///
/// Errors: argument_error for negative sizes, for entries in a matrix without rows, for a first row
/// that does not begin at entry 0 (on the host), and for pointers on the wrong side;
/// allocation_error, with y untouched.
///
/// Example: examples/spmv.cpp.
/// Names elsewhere: GrB_mxv.
template <class Tuning = default_tuning, context Context, class Value, class Index, class Offset,
          class X, class Output, class Multiply, class Add, class T>
void spmv(Context& ctx, csr_view<Value, Index, Offset> a, X x, Output y, Multiply multiply, Add add,
          T zero) {
  using element = element_t<X>;
  using one = std::conditional_t<std::is_arithmetic_v<element>, element, pattern>;
  using value = std::conditional_t<is_pattern<Value>, one, std::remove_const_t<Value>>;
  static_assert(detail::can_be_called<T, Multiply, const value&, const element&>(),
                "spmv: multiply is called as multiply(value, element) with the value of an entry "
                "and an element of x, and its result converts to the type of zero; its "
                "operator() is const");
  detail::check_rows(ctx, "spmv", a);
  detail::check_pointer(ctx, "spmv", "x", x, a.num_columns);
  detail::check_pointer(ctx, "spmv", "y", y, a.num_rows);
  const detail::multiply_entry<T, Multiply> entry{multiply};
  if constexpr (is_pattern<Value>) {
    transform_segreduce<Tuning>(ctx, a.num_nonzeros, gathered(entry, x, a.columns), a.row_offsets,
                                a.num_rows, y, add, zero);
  } else {
    const std::remove_const_t<Value>* const values = a.values;
    transform_segreduce<Tuning>(ctx, a.num_nonzeros, gathered(entry, x, a.columns, values),
                                a.row_offsets, a.num_rows, y, add, zero);
  }
}

/// y = alpha A x + beta y, with sums in the type of y: y[r] = alpha (sum of a_rj x[j]) + beta y[r].
/// If beta is 0, y is not read and may hold NaN. A row without entries gives beta y[r].
///
/// - `x`: a.num_columns elements; `y`: a.num_rows elements that do not overlap x.
///
/// Cost and guarantees of the general form; also reads y if beta is not 0. The last bits differ
/// between contexts with and without fused multiply-add.
///
/// Errors: those of the general form; argument_error if y overlaps x.
///
/// Example: examples/spmv.cpp.
/// Names elsewhere: cusparseSpMV, mkl_sparse_d_mv, scipy.sparse.csr_array @ vector.
/// Source: Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", SC
/// 2016.
template <class Tuning = default_tuning, context Context, class Value, class Index, class Offset,
          class X, class T>
void spmv(Context& ctx, csr_view<Value, Index, Offset> a, const X* x, T* y,
          std::type_identity_t<T> alpha = T{1}, std::type_identity_t<T> beta = T{0}) {
  detail::check_rows(ctx, "spmv", a);
  detail::check_pointer(ctx, "spmv", "y", y, a.num_rows);
  const std::less<const void*> before;
  if (before(x, y + a.num_rows) && before(y, x + a.num_columns)) {
    detail::refuse_argument("spmv", "y", "in the memory of x", "x is read while y is written",
                            "pass another vector for the result");
  }
  spmv<Tuning>(ctx, a, x, detail::scaled_sums<T>{{alpha, beta}, y}, detail::multiply_as<T>{},
               plus{}, T{0});
}

/// y = alpha A x + beta y for a matrix stored by columns. For a matrix `a` stored by rows,
/// transposed(a) is stored by columns, and this is the product with the transposed matrix.
///
/// Parallel sums over columns would differ from run to run. The matrix is therefore converted by
/// `to_csr` first, at its cost and with its scratch; waits. For several products, convert the
/// matrix once and multiply by the result of `to_csr`.
template <class Tuning = default_tuning, context Context, class Value, class Index, class Offset,
          class X, class T>
void spmv(Context& ctx, csc_view<Value, Index, Offset> a, const X* x, T* y,
          std::type_identity_t<T> alpha = T{1}, std::type_identity_t<T> beta = T{0}) {
  detail::check_rows(ctx, "spmv", transposed(a));
  const auto by_rows = to_csr(ctx, a);
  spmv<Tuning>(ctx, by_rows.view(), x, y, alpha, beta);
}

/// The same for ranges.
template <class Tuning = default_tuning, context Context, class Matrix, sized_range X, sequence Y>
void spmv(Context& ctx, const Matrix& a, const X& x, Y&& y,
          std::type_identity_t<element_t<Y>> alpha = 1,
          std::type_identity_t<element_t<Y>> beta = 0) {
  evenfold::spmv<Tuning>(
      ctx, a, detail::input_of("spmv", "x", x, static_cast<std::size_t>(a.num_columns), "a row"),
      detail::output_of("spmv", "y", y, static_cast<std::size_t>(a.num_rows)), alpha, beta);
}

}  // namespace evenfold
