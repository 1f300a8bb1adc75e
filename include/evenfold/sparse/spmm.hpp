#pragma once
// spmm: a sparse matrix times a dense matrix, which is several vectors.
//
// Idea: several vectors are multiplied as one vector of short rows, so that each entry of the
// sparse matrix is read once for all of them. At -O2, g++ does not unroll loops by itself, and
// keeps short rows in memory then.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/sparse/csr.hpp"
#include "evenfold/sparse/spmv.hpp"
#include "evenfold/sparse/spmv_parts.hpp"

namespace evenfold {

namespace detail {

/// `Width` consecutive elements of a row.
template <class T, int Width>
struct row_vector {
  T value[Width];
};

/// The sum of two vectors, element by element.
struct add_vectors {
  template <class T, int Width>
  EF_HD constexpr row_vector<T, Width> operator()(row_vector<T, Width> a,
                                                  const row_vector<T, Width>& b) const {
#if !defined(__CUDACC__)
#pragma GCC unroll 4
#endif
    for (int k = 0; k < Width; ++k) a.value[k] += b.value[k];
    return a;
  }
};

/// value * vector, computed in T.
template <class T>
struct multiply_vector {
  template <class Value, int Width>
  EF_HD constexpr row_vector<T, Width> operator()(const Value& value,
                                                  row_vector<T, Width> vector) const {
#if !defined(__CUDACC__)
#pragma GCC unroll 4
#endif
    for (int k = 0; k < Width; ++k) vector.value[k] *= static_cast<T>(value);
    return vector;
  }
};

/// Columns [first, first + Width) of a dense matrix, as a sequence of row vectors.
template <class T, int Width, class X>
struct row_vectors {
  matrix_view<X> x;
  std::int64_t first;

  template <std::integral Index>
  EF_HD row_vector<T, Width> operator[](Index row) const {
    row_vector<T, Width> vector;
#if !defined(__CUDACC__)
#pragma GCC unroll 4
#endif
    for (int k = 0; k < Width; ++k) vector.value[k] = static_cast<T>(x(row, first + k));
    return vector;
  }
};

/// An output iterator that scales the sums written to `Width` columns of y.
template <class T, int Width>
struct scaled_vectors {
  struct reference {
    const scaled_vectors& out;
    std::int64_t row;
    EF_HD void operator=(const row_vector<T, Width>& sums) const {
      for (int k = 0; k < Width; ++k) out.scale(sums.value[k], out.y(row, out.first + k));
    }
  };
  scaled<T> scale;
  matrix_view<T> y;
  std::int64_t first;

  template <std::integral Index>
  EF_HD reference operator[](Index row) const {
    return {*this, row};
  }
};

}  // namespace detail

/// Sums of short rows have the order of sums of their elements.
template <class T, int Width>
inline constexpr bool is_commutative<detail::add_vectors, detail::row_vector<T, Width>> =
    is_commutative<plus, T>;

namespace detail {

/// Columns [first, first + Width) of Y = alpha A X + beta Y. The arguments have been checked.
template <int Width, class Tuning, context Context, class Value, class Index, class Offset, class X,
          class T>
void multiply_columns(Context& ctx, csr_view<Value, Index, Offset> a, matrix_view<X> x,
                      matrix_view<T> y, std::int64_t first, scaled<T> scale) {
  spmv<Tuning>(ctx, a, row_vectors<T, Width, X>{x, first},
               scaled_vectors<T, Width>{scale, y, first}, multiply_vector<T>{}, add_vectors{},
               row_vector<T, Width>{});
}

}  // namespace detail

/// Y = alpha A X + beta Y for dense X (a.num_columns x n) and Y (a.num_rows x n) in any layouts: n
/// products, four columns at a time, so that each entry of A is read a quarter as often. A
/// row-major X is read fastest.
///
/// Each column of Y has the bits of `spmv` with that column of X. Cost and guarantees of `spmv`,
/// per four columns. Errors: argument_error if the extents do not fit, and those of `spmv`.
///
/// Example: examples/spmv.cpp.
/// Names elsewhere: cusparseSpMM, GrB_mxm, scipy.sparse.csr_array @ matrix.
template <class Tuning = default_tuning, context Context, class Value, class Index, class Offset,
          class X, class T>
void spmm(Context& ctx, csr_view<Value, Index, Offset> a, matrix_view<X> x, matrix_view<T> y,
          std::type_identity_t<T> alpha = T{1}, std::type_identity_t<T> beta = T{0}) {
  detail::check_rows(ctx, "spmm", a);
  detail::check_pointer(ctx, "spmm", "x", x.data(), x.size());
  detail::check_pointer(ctx, "spmm", "y", y.data(), y.size());
  if (x.rows() != static_cast<std::int64_t>(a.num_columns)) {
    detail::refuse_argument("spmm", "x.rows()", x.rows(),
                            "the matrix has " + std::to_string(a.num_columns) + " columns",
                            "pass one row of x per column of the matrix");
  }
  if (y.rows() != static_cast<std::int64_t>(a.num_rows)) {
    detail::refuse_argument("spmm", "y.rows()", y.rows(),
                            "the matrix has " + std::to_string(a.num_rows) + " rows",
                            "pass one row of y per row of the matrix");
  }
  if (y.columns() != x.columns()) {
    detail::refuse_argument("spmm", "y.columns()", y.columns(),
                            "x has " + std::to_string(x.columns()) + " columns",
                            "pass as many columns of y");
  }
  const detail::scaled<T> scale{alpha, beta};
  std::int64_t j = 0;
  for (; j + 4 <= y.columns(); j += 4) detail::multiply_columns<4, Tuning>(ctx, a, x, y, j, scale);
  for (; j < y.columns(); ++j) detail::multiply_columns<1, Tuning>(ctx, a, x, y, j, scale);
}

}  // namespace evenfold
