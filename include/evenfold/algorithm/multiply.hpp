#pragma once
// multiply: the elementwise product of two sequences.

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

/// out[i] = x[i] * y[i] for every i in [0, count), where elements are converted to the element type
/// of `out` before they are multiplied.
///
/// - `out`: may be x or y, but does not overlap them otherwise.
///
/// Work O(count); reads x and y and writes out once. No scratch. Deterministic. Does not wait.
///
/// Errors: argument_error for a negative count or an argument on the wrong side.
///
/// Example: examples/vectors.cpp.
/// Names elsewhere: numpy.multiply; thrust::transform with thrust::multiplies.
template <class Tuning = default_tuning, context Context, class X, class Y, std::integral Size,
          class Output>
void multiply(Context& ctx, X x, Y y, Size count, Output out) {
  detail::check_count("multiply", "count", count);
  detail::check_pointer(ctx, "multiply", "x", x, count);
  detail::check_pointer(ctx, "multiply", "y", y, count);
  detail::check_pointer(ctx, "multiply", "out", out, count);
  transform<Tuning>(ctx, count,
                    write_result{elementwise(detail::multiply_as<element_t<Output>>{}, x, y), out});
}

/// The same for ranges of the same size; `out` has room for as many elements.
template <class Tuning = default_tuning, context Context, sized_range X, sequence Y,
          sequence Output>
void multiply(Context& ctx, const X& x, const Y& y, Output&& out) {
  const std::size_t count = detail::size_of(x);
  evenfold::multiply<Tuning>(ctx, detail::begin_of(x),
                             detail::input_of("multiply", "y", y, count, "x"), count,
                             detail::output_of("multiply", "out", out, count));
}

}  // namespace evenfold
