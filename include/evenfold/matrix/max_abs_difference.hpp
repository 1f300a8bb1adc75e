#pragma once
// max_abs_difference: the largest difference between two matrices.

#include <cstdint>
#include <string>
#include <type_traits>

#include "evenfold/core/functional.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/matrix/row_order.hpp"

namespace evenfold {

namespace detail {

/// |a - b|. For integers it is exact, in the unsigned type of the same size.
struct abs_difference {
  template <class T>
  EF_HD constexpr auto operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return a < b ? b - a : a - b;
    } else {
      using U = std::make_unsigned_t<T>;
      return a < b ? static_cast<U>(static_cast<U>(b) - static_cast<U>(a))
                   : static_cast<U>(static_cast<U>(a) - static_cast<U>(b));
    }
  }
};
template <class T>
using abs_difference_t = decltype(abs_difference{}(T{}, T{}));

/// (i, j) -> |a(i, j) - b(i, j)|
template <class T>
struct abs_difference_of_elements {
  matrix_view<const T> a, b;
  EF_HD abs_difference_t<T> operator()(std::int64_t i, std::int64_t j) const {
    return abs_difference{}(a(i, j), b(i, j));
  }
};

/// The fold of `max_abs_difference`, returned to the host or written to `out`.
template <context Context, class T, class... Out>
auto fold_abs_difference(Context& ctx, matrix_view<const T> a, matrix_view<const T> b, Out... out) {
  check_pointer(ctx, "max_abs_difference", "a", a.data(), a.size());
  check_pointer(ctx, "max_abs_difference", "b", b.data(), b.size());
  if (a.rows() != b.rows() || a.columns() != b.columns()) {
    const auto extents = [](matrix_view<const T> m) {
      return std::to_string(m.rows()) + " x " + std::to_string(m.columns());
    };
    refuse_argument("max_abs_difference", "b", extents(b), "a is " + extents(a),
                    "pass matrices of the same extents, or blocks of them");
  }
  if (!a.is_row_major()) {
    a = a.transposed();
    b = b.transposed();
  }
  const abs_difference_t<T> none{};
  if (a.is_contiguous() && b.is_contiguous()) {
    return transform_reduce(ctx, a.size(), elementwise(abs_difference{}, a.data(), b.data()),
                            maximum{}, none, out...);
  }
  return fold_in_row_order(ctx, a.rows(), a.columns(), abs_difference_of_elements<T>{a, b},
                           maximum{}, none, out...);
}

}  // namespace detail

/// The largest |a(i, j) - b(i, j)|, in one pass over both; 0 for matrices without elements.
///
/// - `a`, `b`: views of the same extents, each of any layout, in the context's memory. Their
///   elements have the same arithmetic type. For integers the result is exact, in the unsigned type
///   of the same size.
///
/// The result is NaN if a difference is NaN: of a NaN, or of equal infinities.
///
/// Work O(rows * columns), span O(rows * columns / workers + log workers); reads each element once.
/// Memory is read in the order of `a`. If `b` has the other storage order, a large comparison takes
/// more than twice as long (docs/performance.md); to compare with `b` often, copy() it to the
/// layout of `a`. Scratch as `transform_reduce`. Deterministic. Waits for the result.
///
/// Errors: argument_error for different extents, or a view on the wrong side; allocation_error.
///
/// Example: examples/aggregate.cpp.
/// Names elsewhere: numpy.max(numpy.abs(a - b)), numpy.linalg.norm(a - b, inf) of vectors.
template <context Context, class A, class B>
  requires std::is_same_v<std::remove_const_t<A>, std::remove_const_t<B>>
auto max_abs_difference(Context& ctx, matrix_view<A> a, matrix_view<B> b) {
  return detail::fold_abs_difference<Context, std::remove_const_t<A>>(ctx, a, b);
}

/// The same, written to out[0] in the context's memory. Does not wait.
template <context Context, class A, class B>
  requires std::is_same_v<std::remove_const_t<A>, std::remove_const_t<B>>
void max_abs_difference(Context& ctx, matrix_view<A> a, matrix_view<B> b,
                        detail::abs_difference_t<std::remove_const_t<A>>* out) {
  detail::check_pointer(ctx, "max_abs_difference", "out", out, 1);
  detail::fold_abs_difference<Context, std::remove_const_t<A>>(ctx, a, b, out);
}

}  // namespace evenfold
