#pragma once
// reduce, transform_reduce: the fold of a sequence.

#include "evenfold/backend/reference/reduce.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/callable.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"
#include "evenfold/core/tuning.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/reduce.cuh"
#else
#include "evenfold/backend/cpu/reduce.hpp"
#endif

namespace evenfold {

namespace detail {

/// Fails to compile unless op folds the values of f.
template <class T, class Size, class F, class Op>
constexpr void check_reduction() {
  check_operator<T, Op>();
  static_assert(can_be_called<T, F, Size>(),
                "transform_reduce: f is called as f(i), i of the type of count, and returns what "
                "converts to the type of init; its operator() is const");
}

}  // namespace detail

/// out[0] = init (+) f(0) (+) f(1) (+) ... (+) f(count - 1), in this order.
///
/// - `f(i)`: the i-th value, converted to T, the type of `init`. Called exactly once for each i, in
///   any order, concurrently, so it may also write results of i.
/// - `op`: associative; not assumed commutative unless `is_commutative<Op, T>` says so.
/// - `init`: the first operand, and the result of an empty fold.
/// - `out`: pointer to the result, in the context's memory.
///
/// Work O(count), span O(count / workers + log workers); reads each value once. Scratch: one
/// `partial_fold` per thread on the CPU; at most 8300 T on a GPU, in memory that the context keeps.
/// Deterministic: the fold has the canonical order (balance/fold_order.hpp), and the same bits on
/// every backend. Does not wait.
///
/// Errors: argument_error for a negative count, or `out` on the wrong side; allocation_error, with
/// `out` untouched.
///
/// Example: examples/reduce.cpp.
/// Names elsewhere: thrust::transform_reduce, cub::DeviceReduce::TransformReduce,
/// mgpu::transform_reduce.
template <class Tuning = default_tuning, context Context, std::integral Size, class F, class Op,
          class T>
void transform_reduce(Context& ctx, Size count, F f, Op op, T init, T* out) {
  detail::check_reduction<T, Size, F, Op>();
  detail::check_count("transform_reduce", "count", count);
  detail::check_pointer(ctx, "transform_reduce", "out", out, 1);
  backend::transform_reduce<Tuning>(ctx, count, f, op, init, out);
}

/// The same fold, returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, std::integral Size, class F, class Op,
          class T>
T transform_reduce(Context& ctx, Size count, F f, Op op, T init) {
  detail::check_reduction<T, Size, F, Op>();
  detail::check_count("transform_reduce", "count", count);
  return backend::transform_reduce<Tuning>(ctx, count, f, op, init);
}

/// out[0] = init (+) input[0] (+) ... (+) input[count - 1]. Otherwise as `transform_reduce`. Names
/// elsewhere: std::accumulate, thrust::reduce, cub::DeviceReduce::Reduce,
/// mgpu::reduce, numpy.add.reduce.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size, class Op,
          class T>
void reduce(Context& ctx, Input input, Size count, Op op, T init, T* out) {
  detail::check_operator<T, Op>();
  detail::check_count("reduce", "count", count);
  detail::check_pointer(ctx, "reduce", "input", input, count);
  detail::check_pointer(ctx, "reduce", "out", out, 1);
  backend::transform_reduce<Tuning>(ctx, count, element_of<T, Input>{input}, op, init, out);
}

/// The same fold, returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, class Input, std::integral Size, class Op,
          class T>
T reduce(Context& ctx, Input input, Size count, Op op, T init) {
  detail::check_operator<T, Op>();
  detail::check_count("reduce", "count", count);
  detail::check_pointer(ctx, "reduce", "input", input, count);
  return backend::transform_reduce<Tuning>(ctx, count, element_of<T, Input>{input}, op, init);
}

/// The same for a range.
template <class Tuning = default_tuning, context Context, sized_range Input, class Op, class T>
void reduce(Context& ctx, const Input& input, Op op, T init, T* out) {
  evenfold::reduce<Tuning>(ctx, detail::begin_of(input), detail::size_of(input), op, init, out);
}
template <class Tuning = default_tuning, context Context, sized_range Input, class Op, class T>
T reduce(Context& ctx, const Input& input, Op op, T init) {
  return evenfold::reduce<Tuning>(ctx, detail::begin_of(input), detail::size_of(input), op, init);
}

}  // namespace evenfold
