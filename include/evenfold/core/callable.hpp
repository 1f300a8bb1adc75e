#pragma once
// Checks of the functions that are passed to algorithms, at compile time: a mistake is reported in
// one sentence and not deep inside of a loop.
//
// With nvcc, the host version of a lambda that is only `__device__` accepts any arguments and
// returns int. Therefore algorithms deduce no type from the result of a function: they compute
// values in the type of the initial value or of the output. Where the result type is needed
// (`result_t`), such a lambda has to state it.

#include <concepts>
#include <type_traits>

#include "evenfold/core/access.hpp"
#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::detail {

/// Whether F is a lambda that is only `__device__`, and whether it states its result type.
#if defined(__CUDACC_EXTENDED_LAMBDA__)
template <class F>
inline constexpr bool is_device_lambda = __nv_is_extended_device_lambda_closure_type(F);
template <class F>
inline constexpr bool states_result = __nv_is_extended_device_lambda_with_preserved_return_type(F);
#else
template <class F>
inline constexpr bool is_device_lambda = false;
template <class F>
inline constexpr bool states_result = false;
#endif

/// Whether a function object of this library calls such a lambda, so that the host knows neither
/// its arguments nor its result.
template <class F>
inline constexpr bool calls_device_lambda = false;
template <class F, class... Inputs>
inline constexpr bool calls_device_lambda<elementwise<F, Inputs...>> =
    is_device_lambda<F> || calls_device_lambda<F>;
template <class F, class... Inputs>
inline constexpr bool calls_device_lambda<gathered<F, Inputs...>> =
    is_device_lambda<F> || calls_device_lambda<F>;

template <class F>
inline constexpr bool calls_device_lambda<commutative_operator<F>> = is_device_lambda<F>;

/// Whether a constant F can be called with these arguments and, unless R is void, its result can be
/// converted to R. True where that cannot be known.
template <class R, class F, class... Args>
constexpr bool can_be_called() {
  if constexpr (calls_device_lambda<F>) {
    return true;
  } else {
    // The host version of a lambda that is only __device__ has no const operator().
    using callee = std::conditional_t<is_device_lambda<F>, F&, const F&>;
    if constexpr (!std::is_invocable_v<callee, Args...>) {
      return false;
    } else if constexpr (std::is_void_v<R> || (is_device_lambda<F> && !states_result<F>)) {
      return true;
    } else {
      return std::is_constructible_v<R, std::invoke_result_t<callee, Args...>>;
    }
  }
}

/// Can be made from any integer and nothing else.
struct any_integer {
  any_integer(std::integral auto) {}
};

/// Fails to compile unless Op is an operator on T.
template <class T, class Op>
constexpr void check_operator() {
  static_assert(std::is_trivially_copyable_v<T>,
                "values are copied byte by byte: the type of init is trivially copyable, as a "
                "structure or evenfold::tuple of numbers is, but not std::pair and std::tuple");
  static_assert(can_be_called<T, Op, const T&, const T&>(),
                "op is called as op(a, b), where a and b have the type of init (without init, of "
                "the elements of out), and returns what converts to it; its operator() is const");
}

/// Fails to compile unless Less orders keys.
template <class Key, class Less>
constexpr void check_order() {
  static_assert(can_be_called<bool, Less, const Key&, const Key&>(),
                "less is called as less(a, b) with two keys and returns a bool; its operator() is "
                "const");
}

/// Fails to compile unless Equal compares keys.
template <class Key, class Equal>
constexpr void check_equal() {
  static_assert(
      can_be_called<bool, Equal, const Key&, const Key&>(),
      "equal is called as equal(a, b) with two keys and returns a bool; its operator() is "
      "const");
}

/// The result type of a function, without const and reference.
template <class F, class... Args>
struct result_of {
  static_assert(!calls_device_lambda<F> && (!is_device_lambda<F> || states_result<F>),
                "nvcc does not tell the host what a __device__ lambda returns: write the type, "
                "[=] __device__(int i) -> float {...}, or use EF_LAMBDA, or a function object");
  using type = std::remove_cvref_t<
      std::invoke_result_t<std::conditional_t<is_device_lambda<F>, F&, const F&>, Args...>>;
};
template <class F, class... Args>
using result_t = typename result_of<F, Args...>::type;

}  // namespace evenfold::detail
