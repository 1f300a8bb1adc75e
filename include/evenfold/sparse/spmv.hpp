#pragma once
// spmv: a sparse matrix times a vector, or several.
//
// Idea: a row is a segment of entries and its result their fold, so transform_segreduce shares the
// entries and the rows evenly, however long or empty the rows are. What is added here: the function
// of an entry has a name (gathered), so that a GPU looks up the elements of x in its own rhythm;
// alpha and beta are applied where a sum is written; and several vectors at a time are one vector
// of short rows.

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/csc.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {

/// (element, value) -> multiply(value, element): what an entry does to its element of x. The value
/// of an entry without one is the number one in the type of the element, or `pattern` where that is
/// not a number.
template <class T, class Multiply>
struct multiply_entry {
  Multiply multiply;

  template <class Element>
  EF_HD constexpr T operator()(const Element& element) const {
    if constexpr (std::is_arithmetic_v<Element>) {
      return multiply(Element{1}, element);
    } else {
      return multiply(pattern{}, element);
    }
  }
  template <class Element, class Value>
  EF_HD constexpr T operator()(const Element& element, const Value& value) const {
    return multiply(value, element);
  }
};

/// alpha sum + beta y, where y is not read if beta is 0.
template <class T>
struct scaled {
  T alpha, beta;

  EF_HD constexpr void operator()(const T& sum, T& y) const {
    y = beta == T{0} ? alpha * sum : alpha * sum + beta * y;
  }
};

/// An output that scales the sums written to it.
template <class T>
struct scaled_sums {
  struct place {
    scaled<T> scale;
    T& y;
    EF_HD constexpr void operator=(const T& sum) const { scale(sum, y); }
  };
  scaled<T> scale;
  T* y;

  template <std::integral Index>
  EF_HD constexpr place operator[](Index row) const {
    return {scale, y[row]};
  }
};

/// `Width` neighbours of a row.
template <class T, int Width>
struct row_piece {
  T value[Width];
};

/// Pieces added element by element.
struct add_pieces {
  template <class T, int Width>
  EF_HD constexpr row_piece<T, Width> operator()(row_piece<T, Width> a,
                                                 const row_piece<T, Width>& b) const {
    for (int k = 0; k < Width; ++k) a.value[k] += b.value[k];
    return a;
  }
};

/// value * piece, in T.
template <class T>
struct multiply_piece {
  template <class Value, int Width>
  EF_HD constexpr row_piece<T, Width> operator()(const Value& value,
                                                 row_piece<T, Width> piece) const {
    for (int k = 0; k < Width; ++k) piece.value[k] *= static_cast<T>(value);
    return piece;
  }
};

/// Columns [first, first + Width) of a dense matrix, as a sequence of pieces of rows.
template <class T, int Width, class X>
struct pieces_of_rows {
  matrix_view<X> x;
  std::int64_t first;

  template <std::integral Index>
  EF_HD row_piece<T, Width> operator[](Index row) const {
    row_piece<T, Width> piece;
    for (int k = 0; k < Width; ++k) piece.value[k] = static_cast<T>(x(row, first + k));
    return piece;
  }
};

/// The output for sums of pieces.
template <class T, int Width>
struct scaled_pieces {
  struct place {
    const scaled_pieces& out;
    std::int64_t row;
    EF_HD void operator=(const row_piece<T, Width>& sums) const {
      for (int k = 0; k < Width; ++k) out.scale(sums.value[k], out.y(row, out.first + k));
    }
  };
  scaled<T> scale;
  matrix_view<T> y;
  std::int64_t first;

  template <std::integral Index>
  EF_HD place operator[](Index row) const {
    return {*this, row};
  }
};

/// Refuses what can be seen to be wrong with a matrix without waiting.
template <context Context, class Value, class Index, class Offset>
void check_rows(const Context& ctx, const csr_view<Value, Index, Offset>& a) {
  detail::check_count("spmv", "a.num_rows", a.num_rows);
  detail::check_count("spmv", "a.num_columns", a.num_columns);
  detail::check_count("spmv", "a.num_nonzeros", a.num_nonzeros);
  detail::check_pointer(ctx, "spmv", "a.row_offsets", a.row_offsets, a.num_rows);
  detail::check_pointer(ctx, "spmv", "a.columns", a.columns, a.num_nonzeros);
  detail::check_pointer(ctx, "spmv", "a.values", a.values,
                        detail::stored_values<Value>(a.num_nonzeros));
}

/// y[r] = zero (+) multiply(a_rj, x[j]) (+) ... over the entries of each row r, in their order: the
/// product over any semiring, such as (minimum, +) for the shortest paths of one more step.
///
/// - `x`: iterator to a.num_columns elements of any type; `y`: iterator to a.num_rows elements, in
///   other memory than x.
/// - `multiply`: (value of an entry, element of x) -> T. Where the matrix has no values, each is
///   the number one in the type of x, or `pattern` where x does not hold numbers.
/// - `add`: associative; operands keep their order unless `is_commutative<Add, T>`.
/// - `zero`: the first operand of every row; what an empty one gives. T is its type.
///
/// Work O(entries + rows), span, scratch, determinism, and no wait: those of `transform_segreduce`.
/// Reads each entry, offset and looked-up element once, writes each result once. A GPU with large
/// matrices is busy looking up x: every element from another place costs a request to L2. There is
/// no analysis of the matrix before the product, and nothing is kept from one to the next.
///
/// Errors: argument_error for negative sizes, entries without a row, a first row that does not
/// begin at entry 0 (on the host) and pointers on the wrong side; allocation_error, with y
/// untouched.
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
                "and an element of x, and returns what converts to the type of zero; its "
                "operator() is const");
  check_rows(ctx, a);
  detail::check_pointer(ctx, "spmv", "x", x, a.num_columns);
  detail::check_pointer(ctx, "spmv", "y", y, a.num_rows);
  const multiply_entry<T, Multiply> entry{multiply};
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
/// Where beta is 0, y is not read (NaN in it do not matter); a row without entries gives beta y[r].
///
/// - `x`: a.num_columns elements; `y`: a.num_rows elements that do not overlap them.
///
/// Cost and promises of the general form; reads y once more where beta is not 0. On two contexts
/// that round a product and a sum at once or one by one the last bits differ.
///
/// Errors: those of the general form; argument_error where y overlaps x.
///
/// Example: examples/spmv.cpp.
/// Names elsewhere: cusparseSpMV, mkl_sparse_d_mv, scipy.sparse.csr_array @ vector.
/// Source: Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", SC
/// 2016.
template <class Tuning = default_tuning, context Context, class Value, class Index, class Offset,
          class X, class T>
void spmv(Context& ctx, csr_view<Value, Index, Offset> a, const X* x, T* y,
          std::type_identity_t<T> alpha = T{1}, std::type_identity_t<T> beta = T{0}) {
  check_rows(ctx, a);
  detail::check_pointer(ctx, "spmv", "y", y, a.num_rows);
  const std::less<const void*> before;
  if (before(x, y + a.num_rows) && before(y, x + a.num_columns)) {
    detail::refuse_argument("spmv", "y", "in the memory of x", "x is read while y is written",
                            "pass a vector of its own for the result");
  }
  spmv<Tuning>(ctx, a, x, scaled_sums<T>{{alpha, beta}, y}, detail::multiply_as<T>{}, plus{}, T{0});
}

/// Columns [first, first + Width) of Y = alpha A X + beta Y, with the arguments checked.
template <int Width, class Tuning, context Context, class Value, class Index, class Offset, class X,
          class T>
void multiply_columns(Context& ctx, csr_view<Value, Index, Offset> a, matrix_view<X> x,
                      matrix_view<T> y, std::int64_t first, scaled<T> scale) {
  spmv<Tuning>(ctx, a, pieces_of_rows<T, Width, X>{x, first},
               scaled_pieces<T, Width>{scale, y, first}, multiply_piece<T>{}, add_pieces{},
               row_piece<T, Width>{});
}

/// Y = alpha A X + beta Y for dense X (a.num_columns x n) and Y (a.num_rows x n) in any layouts: n
/// products at once, four columns at a time, so that each entry of A is read a quarter as often. X
/// is read fastest in row-major order.
///
/// Cost and promises of the product with one vector, for each four columns. Errors: argument_error
/// where the extents do not fit, and those of that product.
///
/// Names elsewhere: cusparseSpMM, scipy.sparse.csr_array @ matrix.
template <class Tuning = default_tuning, context Context, class Value, class Index, class Offset,
          class X, class T>
void spmv(Context& ctx, csr_view<Value, Index, Offset> a, matrix_view<X> x, matrix_view<T> y,
          std::type_identity_t<T> alpha = T{1}, std::type_identity_t<T> beta = T{0}) {
  check_rows(ctx, a);
  detail::check_pointer(ctx, "spmv", "x", x.data(), x.size());
  detail::check_pointer(ctx, "spmv", "y", y.data(), y.size());
  if (x.rows() != static_cast<std::int64_t>(a.num_columns)) {
    detail::refuse_argument("spmv", "x.rows()", x.rows(),
                            "the matrix has " + std::to_string(a.num_columns) + " columns",
                            "pass one row of x for each");
  }
  if (y.rows() != static_cast<std::int64_t>(a.num_rows)) {
    detail::refuse_argument("spmv", "y.rows()", y.rows(),
                            "the matrix has " + std::to_string(a.num_rows) + " rows",
                            "pass one row of y for each");
  }
  if (y.columns() != x.columns()) {
    detail::refuse_argument("spmv", "y.columns()", y.columns(),
                            "x has " + std::to_string(x.columns()) + " columns",
                            "pass as many of y");
  }
  const scaled<T> scale{alpha, beta};
  std::int64_t j = 0;
  for (; j + 4 <= y.columns(); j += 4) multiply_columns<4, Tuning>(ctx, a, x, y, j, scale);
  for (; j < y.columns(); ++j) multiply_columns<1, Tuning>(ctx, a, x, y, j, scale);
}

/// y = alpha A x + beta y for a matrix stored by columns. With transposed(a) of a matrix stored by
/// rows it is the product with the transposed matrix; transposed(a) of one stored by columns is
/// stored by rows, and needs none of this.
///
/// What a column adds is spread over all of y, and sums in the order of chance would differ from
/// run to run; so the entries are put in order of their rows first, `to_csr`, with its work and
/// scratch, and it waits. For more than one product keep what to_csr gives.
template <class Tuning = default_tuning, context Context, class Value, class Index, class Offset,
          class X, class T>
void spmv(Context& ctx, csc_view<Value, Index, Offset> a, const X* x, T* y,
          std::type_identity_t<T> alpha = T{1}, std::type_identity_t<T> beta = T{0}) {
  check_rows(ctx, transposed(a));
  const auto by_rows = to_csr(ctx, a);
  spmv<Tuning>(ctx, by_rows.view(), x, y, alpha, beta);
}

}  // namespace evenfold
