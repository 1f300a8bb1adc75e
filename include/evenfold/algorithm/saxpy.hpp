#pragma once
// saxpy: adds a multiple of one sequence to another.

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// (x, y) -> a * x + y
template <class T>
struct multiply_add {
  T a;
  EF_HD constexpr T operator()(const T& x, const T& y) const {
    return plus{}(multiplies{}(a, x), y);
  }
};

}  // namespace detail

/// y[i] = a * x[i] + y[i] for every i in [0, count). T is any type with * and +.
///
/// Work O(count); reads x and y and writes y once. No scratch. Deterministic. Does not wait. x and
/// y may be the same sequence, but do not overlap otherwise.
///
/// Errors: argument_error for a negative count or an argument on the wrong side.
///
/// Example: examples/vectors.cpp.
/// Names elsewhere: cublasSaxpy, cublasDaxpy, scipy.linalg.blas.saxpy.
template <class Tuning = default_tuning, context Context, std::integral Size, class T>
void saxpy(Context& ctx, Size count, std::type_identity_t<T> a, const T* x, T* y) {
  detail::check_count("saxpy", "count", count);
  detail::check_pointer(ctx, "saxpy", "x", x, count);
  detail::check_pointer(ctx, "saxpy", "y", y, count);
  transform<Tuning>(ctx, count, write_result{elementwise(detail::multiply_add<T>{a}, x, y), y});
}

/// The same for ranges of the same size.
template <class Tuning = default_tuning, context Context, sized_range X, sequence Y>
void saxpy(Context& ctx, std::type_identity_t<element_t<X>> a, const X& x, Y&& y) {
  const std::size_t count = detail::size_of(x);
  evenfold::saxpy<Tuning>(ctx, count, a, detail::begin_of(x),
                          detail::input_of("saxpy", "y", y, count, "x"));
}

}  // namespace evenfold
