#pragma once
// adjacent_difference: the differences of neighbouring elements of a sequence.

#include <concepts>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

/// out[0] = input[0] and out[i] = op(input[i], input[i - 1]) for every i in [1, count).
///
/// - `input`: iterator to `count` elements.
/// - `out`: iterator to `count` elements; it does not overlap `input`.
/// - `op`: takes an element and the one before it, and returns a value that converts to an element
///   of `out`. It need not be associative. By default the two are subtracted.
///
/// This is the inverse of an inclusive scan by `plus` if sums are exact, and turns offsets into
/// lengths. Work O(count); reads each element twice, once from a cache, and writes each once. No
/// scratch. Deterministic. Does not wait.
///
/// Errors: argument_error for a negative count, or an argument on the wrong side.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: std::adjacent_difference, thrust::adjacent_difference,
/// cub::DeviceAdjacentDifference::SubtractLeftCopy, numpy.diff (which omits the first result).
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Output, class Op = minus>
void adjacent_difference(Context& ctx, Input input, Size count, Output out, Op op = {}) {
  using item = element_t<Input>;
  using T = element_t<Output>;
  static_assert(detail::can_be_called<T, Op, const item&, const item&>(),
                "adjacent_difference: op is called with an element and the one before it and "
                "returns what converts to an element of out; its operator() is const");
  detail::check_count("adjacent_difference", "count", count);
  detail::check_pointer(ctx, "adjacent_difference", "input", input, count);
  detail::check_pointer(ctx, "adjacent_difference", "out", out, count);
  transform<Tuning>(ctx, count, write_result{with_previous<T, Op, Input>{op, input}, out});
}

/// The same for ranges: `out` has room for as many elements as `input` has.
template <class Tuning = default_tuning, context Context, sized_range Input, sequence Output,
          class Op = minus>
void adjacent_difference(Context& ctx, const Input& input, Output&& out, Op op = {}) {
  const std::size_t count = detail::size_of(input);
  evenfold::adjacent_difference<Tuning>(ctx, detail::begin_of(input), count,
                                        detail::output_of("adjacent_difference", "out", out, count),
                                        op);
}

}  // namespace evenfold
