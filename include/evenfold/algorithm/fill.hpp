#pragma once
// fill, iota: sequences of equal or of successive values.

#include <concepts>
#include <type_traits>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

namespace detail {

/// i -> first + i * step, in the type T
template <class T>
struct arithmetic_sequence {
  static constexpr bool reads_nothing = true;
  T first;
  T step;

  template <std::integral Size>
  EF_HD constexpr T operator()(Size i) const {
    return plus{}(first, multiplies{}(static_cast<T>(i), step));
  }
};

}  // namespace detail

/// out[i] = value for every i in [0, count).
///
/// - `out`: iterator to `count` elements of any trivially copyable type.
/// - `value`: converted to the type of the elements.
///
/// Work O(count); writes each element once. No scratch. Deterministic. Does not wait.
///
/// Errors: argument_error for a negative count, or `out` on the wrong side.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: std::fill_n, thrust::fill_n, numpy.full.
template <class Tuning = default_tuning, context Context, class Output, std::integral Size>
void fill(Context& ctx, Output out, Size count, std::type_identity_t<element_t<Output>> value) {
  detail::check_count("fill", "count", count);
  detail::check_pointer(ctx, "fill", "out", out, count);
  transform<Tuning>(ctx, count, write_result{constant<element_t<Output>>{value}, out});
}

/// out[i] = first + i * step for every i in [0, count), computed in the type of the elements.
///
/// - `out`: iterator to `count` elements of an arithmetic type.
/// - `first`, `step`: converted to that type. Integers wrap around.
///
/// Work O(count); writes each element once. No scratch. Deterministic: an element depends only on
/// its index, even if it is rounded. Does not wait.
///
/// Errors: argument_error for a negative count, or `out` on the wrong side.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: std::iota, thrust::sequence, parlay::iota, numpy.arange.
template <class Tuning = default_tuning, context Context, class Output, std::integral Size>
  requires(std::is_arithmetic_v<element_t<Output>> && !sized_range<Output>)
void iota(Context& ctx, Output out, Size count, std::type_identity_t<element_t<Output>> first = 0,
          std::type_identity_t<element_t<Output>> step = 1) {
  detail::check_count("iota", "count", count);
  detail::check_pointer(ctx, "iota", "out", out, count);
  using T = element_t<Output>;
  transform<Tuning>(ctx, count, write_result{detail::arithmetic_sequence<T>{first, step}, out});
}

/// The same for a range.
template <class Tuning = default_tuning, context Context, sized_range Output>
void fill(Context& ctx, Output&& out, std::type_identity_t<element_t<Output>> value) {
  evenfold::fill<Tuning>(ctx, detail::begin_of(out), detail::size_of(out), value);
}
template <class Tuning = default_tuning, context Context, sized_range Output>
  requires std::is_arithmetic_v<element_t<Output>>
void iota(Context& ctx, Output&& out, std::type_identity_t<element_t<Output>> first = 0,
          std::type_identity_t<element_t<Output>> step = 1) {
  evenfold::iota<Tuning>(ctx, detail::begin_of(out), detail::size_of(out), first, step);
}

}  // namespace evenfold
