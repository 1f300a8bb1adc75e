#pragma once
// The function objects and outputs that `spmv` is composed of.

#include <concepts>
#include <type_traits>

#include "evenfold/core/access.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/functional.hpp"
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

template <class T, class U>
inline constexpr bool is_light<multiply_entry<T, multiply_as<U>>> = true;

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
  static constexpr bool index_is_address = true;
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

/// The checks of a matrix that need no waiting.
template <context Context, class Value, class Index, class Offset>
void check_rows(const Context& ctx, const char* function, const csr_view<Value, Index, Offset>& a) {
  check_count(function, "a.num_rows", a.num_rows);
  check_count(function, "a.num_columns", a.num_columns);
  check_count(function, "a.num_nonzeros", a.num_nonzeros);
  check_pointer(ctx, function, "a.row_offsets", a.row_offsets, a.num_rows);
  check_pointer(ctx, function, "a.columns", a.columns, a.num_nonzeros);
  check_pointer(ctx, function, "a.values", a.values, stored_values<Value>(a.num_nonzeros));
}

}  // namespace evenfold::detail
