#pragma once
// dot: the inner product of two sequences.

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

/// out[0] = init + x[0] * y[0] + ... + x[count - 1] * y[count - 1], where elements are converted to
/// the type T of `init` before they are multiplied.
///
/// - `x`, `y`: any iterators that read with []; contiguous ones are loaded 16 bytes at a time.
///
/// Work O(count), span O(count / workers + log workers); reads each element once. Scratch as
/// `transform_reduce`. Deterministic. Does not wait.
///
/// Errors: argument_error for a negative count or an argument on the wrong side.
///
/// Example: examples/vectors.cpp.
/// Names elsewhere: cublasSdot, std::inner_product, thrust::inner_product, numpy.dot.
template <class Tuning = default_tuning, context Context, class X, class Y, std::integral Size,
          class T>
void dot(Context& ctx, X x, Y y, Size count, T init, T* out) {
  detail::check_count("dot", "count", count);
  detail::check_pointer(ctx, "dot", "x", x, count);
  detail::check_pointer(ctx, "dot", "y", y, count);
  transform_reduce<Tuning>(ctx, count, elementwise(detail::multiply_as<T>{}, x, y), plus{}, init,
                           out);
}

/// The same sum, returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, class X, class Y, std::integral Size,
          class T>
T dot(Context& ctx, X x, Y y, Size count, T init) {
  detail::check_count("dot", "count", count);
  detail::check_pointer(ctx, "dot", "x", x, count);
  detail::check_pointer(ctx, "dot", "y", y, count);
  return transform_reduce<Tuning>(ctx, count, elementwise(detail::multiply_as<T>{}, x, y), plus{},
                                  init);
}

/// The same for ranges of the same size.
template <class Tuning = default_tuning, context Context, sized_range X, sequence Y, class T>
void dot(Context& ctx, const X& x, const Y& y, T init, T* out) {
  const std::size_t count = detail::size_of(x);
  evenfold::dot<Tuning>(ctx, detail::begin_of(x), detail::input_of("dot", "y", y, count, "x"),
                        count, init, out);
}
template <class Tuning = default_tuning, context Context, sized_range X, sequence Y, class T>
T dot(Context& ctx, const X& x, const Y& y, T init) {
  const std::size_t count = detail::size_of(x);
  return evenfold::dot<Tuning>(ctx, detail::begin_of(x),
                               detail::input_of("dot", "y", y, count, "x"), count, init);
}

}  // namespace evenfold
