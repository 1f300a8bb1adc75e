#pragma once
// The function objects and outputs that `spmv` is composed of.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/context.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/core/pattern.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold::detail {

/// (element of x, value of an entry) -> multiply(value, element). In a matrix without values, the
/// value of every entry is the number one in the type of the element, or `pattern` if the elements
/// are not numbers.
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

/// y = alpha sum + beta y; y is not read if beta is 0.
template <class T>
struct scaled {
  T alpha, beta;

  EF_HD constexpr void operator()(const T& sum, T& y) const {
    y = beta == T{0} ? alpha * sum : alpha * sum + beta * y;
  }
};

/// An output iterator that scales the sums written to it.
template <class T>
struct scaled_sums {
  struct reference {
    scaled<T> scale;
    T& y;
    EF_HD constexpr void operator=(const T& sum) const { scale(sum, y); }
  };
  scaled<T> scale;
  T* y;

  template <std::integral Index>
  EF_HD constexpr reference operator[](Index row) const {
    return {scale, y[row]};
  }
};

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

/// The checks of a matrix that need no waiting.
template <context Context, class Value, class Index, class Offset>
void check_rows(const Context& ctx, const csr_view<Value, Index, Offset>& a) {
  check_count("spmv", "a.num_rows", a.num_rows);
  check_count("spmv", "a.num_columns", a.num_columns);
  check_count("spmv", "a.num_nonzeros", a.num_nonzeros);
  check_pointer(ctx, "spmv", "a.row_offsets", a.row_offsets, a.num_rows);
  check_pointer(ctx, "spmv", "a.columns", a.columns, a.num_nonzeros);
  check_pointer(ctx, "spmv", "a.values", a.values, stored_values<Value>(a.num_nonzeros));
}

}  // namespace evenfold::detail
