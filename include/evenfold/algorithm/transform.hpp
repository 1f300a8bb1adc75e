#pragma once
// transform: calls a function for each index, or for each element of a sequence.

#include "evenfold/backend/reference/transform.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/transform.cuh"
#else
#include "evenfold/backend/cpu/transform.hpp"
#endif

namespace evenfold {

/// Calls f(i) for every i in [0, count), in any order, concurrently.
///
/// - `count`: the number of calls. i has the type of `count`, so pass a 64-bit count if 2^31 calls
///   are not enough.
/// - `f`: a function that writes to pointers it has captured. Different calls write to different
///   addresses.
///
/// Work O(count), span O(count / workers). No scratch. Deterministic if f is. Does not wait on a
/// cuda_context, where the loop is grid-stride: the launch override of the context, down to one
/// block of one thread, changes only the speed.
///
/// Errors: argument_error for a negative count. If f throws on a host context, the caller gets
/// the exception; f may have been called for some other indices.
///
/// Example: examples/transform.cpp.
/// Names elsewhere: thrust::for_each_n, cub::DeviceFor::Bulk, mgpu::transform.
template <class Tuning = default_tuning, context Context, std::integral Size, class F>
void transform(Context& ctx, Size count, F f) {
  static_assert(detail::can_be_called<void, F, Size>(),
                "transform: f is called as f(i), i of the type of count; its operator() is const");
  detail::check_count("transform", "count", count);
  if (count > 0) backend::transform<Tuning>(ctx, count, f);
}

/// out[i] = f(input[i]) for every i in [0, count). Otherwise as `transform` of indices.
///
/// - `input`: iterator to `count` elements.
/// - `f`: takes one element and returns a value that converts to an element of `out`.
/// - `out`: iterator to `count` elements. It may be `input` itself; else the two do not overlap.
///
/// Reads and writes each element once; on a GPU 16 bytes at a time if both are pointers.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: std::transform, thrust::transform, cub::DeviceTransform, parlay::map.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size,
          class Output, class F>
void transform(Context& ctx, Input input, Size count, Output out, F f) {
  static_assert(detail::can_be_called<element_t<Output>, F, detail::reference_t<Input>>(),
                "transform: f is called as f(element) and returns what converts to an element of "
                "out; its operator() is const");
  detail::check_count("transform", "count", count);
  detail::check_pointer(ctx, "transform", "input", input, count);
  detail::check_pointer(ctx, "transform", "out", out, count);
  transform<Tuning>(ctx, count, write_result{elementwise(f, input), out});
}

/// The same for ranges: `out` has room for as many elements as `input` has.
template <class Tuning = default_tuning, context Context, sized_range Input, sequence Output,
          class F>
void transform(Context& ctx, const Input& input, Output&& out, F f) {
  const std::size_t count = detail::size_of(input);
  evenfold::transform<Tuning>(ctx, detail::begin_of(input), count,
                              detail::output_of("transform", "out", out, count), f);
}

}  // namespace evenfold
