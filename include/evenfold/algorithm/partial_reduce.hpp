#pragma once
// partial_reduce: the partial fold of a part of a longer sequence, for folds of several contexts.

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/backend/reference/partial_reduce.hpp"
#include "evenfold/balance/fold_order.hpp"

#if defined(__CUDACC__)
#include "evenfold/backend/cuda/launch/partial_reduce.cuh"
#else
#include "evenfold/backend/cpu/partial_reduce.hpp"
#endif

namespace evenfold {

namespace detail {

/// partial_reduce without waiting: the result is converted to a `partial_fold` where that is
/// needed, and other algorithms that return nothing to the host may be called before.
template <class T, class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Op>
auto start_partial_reduce(Context& ctx, Size count, F f, Op op, std::uint64_t begin) {
  check_reduction<T, Size, F, Op>();
  check_count("partial_reduce", "count", count);
  return backend::partial_reduce<Tuning, T>(ctx, count, f, op, begin);
}

}  // namespace detail

/// The partial fold of f(0), f(1), ..., f(count - 1), where f(i) is item `begin` + i of a sequence.
/// Joined with the partial folds of the items before and after these, it gives the fold of the
/// sequence with the bits of `transform_reduce` on one context.
///
/// - `f(i)`: the value of an item, converted to T. It may be called more than once for one i, so
///   that it only reads.
/// - `op`: as for `transform_reduce`.
/// - `begin`: the index in the sequence of the first item.
///
/// Work O(count), span O(count / workers + log count); reads each value once. Scratch on the CPU:
/// one `partial_fold` per thread; on a GPU that of `reduce`. One launch of its kernel if `begin` is
/// 0 or has a block of `count` items, and otherwise one more per factor of two. Deterministic: the
/// fold has the canonical order (balance/fold_order.hpp). Waits.
///
/// Errors: argument_error for a negative count; allocation_error.
///
/// Example: examples/distributed.cpp uses it for a sum over several ranks.
template <class T, class Tuning = default_tuning, context Context, std::integral Size, class F,
          class Op>
partial_fold<T> partial_reduce(Context& ctx, Size count, F f, Op op, std::uint64_t begin) {
  return detail::start_partial_reduce<T, Tuning>(ctx, count, f, op, begin);
}

}  // namespace evenfold
