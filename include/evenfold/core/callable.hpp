#pragma once
// What algorithms ask of a function before they compile a loop around it, so that a mistake is
// reported in one sentence.
//
// nvcc compiles a lambda that is `__device__` alone so that its host half accepts any arguments and
// returns int. Therefore no algorithm takes a type from the result of a function: values are
// computed in the type of the initial value or of the output. Where a type has to be known all the
// same (`result_t`), such a lambda has to state it.

#include <concepts>
#include <type_traits>

#include "evenfold/core/access.hpp"
#include "evenfold/core/config.hpp"

namespace evenfold::detail {

/// Whether a function is a lambda that is `__device__` alone.
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

/// Whether a function of the library's calls such a lambda: the host half cannot look inside.
template <class F>
inline constexpr bool calls_device_lambda = false;
template <class F, class... Inputs>
inline constexpr bool calls_device_lambda<elementwise<F, Inputs...>> =
    is_device_lambda<F> || calls_device_lambda<F>;
template <class F, class... Inputs>
inline constexpr bool calls_device_lambda<gathered<F, Inputs...>> =
    is_device_lambda<F> || calls_device_lambda<F>;

/// Whether a constant `F` can be called with such arguments and, unless R is void, gives what can
/// be converted to R. True where that cannot be known.
template <class R, class F, class... Args>
constexpr bool can_be_called() {
  if constexpr (calls_device_lambda<F>) {
    return true;
  } else {
    // The host half of a lambda that is __device__ alone has no constant call.
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

/// Made from any integer and nothing else.
struct any_integer {
  any_integer(std::integral auto) {}
};

/// Refuses, when compiled, a function that is not an operator on T.
template <class T, class Op>
constexpr void check_operator() {
  static_assert(std::is_trivially_copyable_v<T>,
                "values are copied byte by byte: the type of init is trivially copyable");
  static_assert(can_be_called<T, Op, const T&, const T&>(),
                "op is called as op(a, b), where a and b have the type of init (without init, of "
                "the elements of out), and returns what converts to it; its operator() is const");
}

/// Refuses, when compiled, a function that does not order keys.
template <class Key, class Less>
constexpr void check_order() {
  static_assert(can_be_called<bool, Less, const Key&, const Key&>(),
                "less is called as less(a, b) with two keys and returns a bool; its operator() is "
                "const");
}

/// Refuses, when compiled, a function that does not compare keys.
template <class Key, class Equal>
constexpr void check_equal() {
  static_assert(
      can_be_called<bool, Equal, const Key&, const Key&>(),
      "equal is called as equal(a, b) with two keys and returns a bool; its operator() is "
      "const");
}

/// What a function returns, without const and reference.
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
