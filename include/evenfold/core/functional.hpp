#pragma once
// Function objects for host and device, and their properties.
//
// Algorithms keep the order of operands, so any associative operator works. If an operator is
// *declared* commutative, an algorithm may use another order that is faster. This order is fixed,
// too, so results are deterministic.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/core/access.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"

namespace evenfold {

/// a + b: a T if both operands are a T, else the type of the C++ expression.
struct plus {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
  template <class A, class B>
  EF_HD constexpr auto operator()(const A& a, const B& b) const -> decltype(a + b) {
    return a + b;
  }
};

/// a - b, with types as for `plus`. Not associative, so it cannot be the operator of a fold.
struct minus {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a - b);
  }
  template <class A, class B>
  EF_HD constexpr auto operator()(const A& a, const B& b) const -> decltype(a - b) {
    return a - b;
  }
};

/// a * b, with types as for `plus`.
struct multiplies {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    if constexpr (std::unsigned_integral<T> && sizeof(T) < sizeof(int)) {
      // The product of two 16-bit numbers could overflow an int.
      return static_cast<T>(1u * a * b);
    } else {
      return static_cast<T>(a * b);
    }
  }
  template <class A, class B>
  EF_HD constexpr auto operator()(const A& a, const B& b) const -> decltype(a * b) {
    return a * b;
  }
};

namespace detail {

/// a * b, where both are converted to T first.
template <class T>
struct multiply_as {
  template <class A, class B>
  EF_HD constexpr T operator()(const A& a, const B& b) const {
    return multiplies{}(static_cast<T>(a), static_cast<T>(b));
  }
};

/// The common type of A and B, which has to hold all values of both.
template <class A, class B>
struct common {
  using type = std::common_type_t<A, B>;
  static_assert(!std::unsigned_integral<type> || std::is_signed_v<A> == std::is_signed_v<B>,
                "no type holds all numbers of a signed and an unsigned type of this width: convert "
                "one of them first");
};

/// Whether a < b as numbers: a negative number is less than any number of an unsigned type.
template <class A, class B>
EF_HD constexpr bool is_less(const A& a, const B& b) {
  if constexpr (!std::integral<A> || !std::integral<B> ||
                std::is_signed_v<A> == std::is_signed_v<B>) {
    return a < b;
  } else if constexpr (std::is_signed_v<A>) {
    return a < 0 || static_cast<std::make_unsigned_t<A>>(a) < b;
  } else {
    return b >= 0 && a < static_cast<std::make_unsigned_t<B>>(b);
  }
}

}  // namespace detail

/// The smaller operand, in the common type; the first if they are equivalent. For floating-point
/// numbers this is the minimum of IEEE 754-2019: NaN if an operand is NaN, and -0 is less than +0,
/// so that it is associative and commutative.
struct minimum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    if constexpr (detail::has_bits<T>) {
      // These two differ only for zeros and NaN; then they are both operands.
      const auto one = detail::bit_cast<detail::bits_of<T>>(b < a ? b : a);
      const auto other = detail::bit_cast<detail::bits_of<T>>(a < b ? a : b);
      return detail::bit_cast<T>(one | other);
    } else {
      return b < a ? b : a;
    }
  }
  template <class A, class B>
  EF_HD constexpr typename detail::common<A, B>::type operator()(const A& a, const B& b) const {
    using T = typename detail::common<A, B>::type;
    return (*this)(static_cast<T>(a), static_cast<T>(b));
  }
};

/// The larger operand, in the common type; the first if they are equivalent. For floating-point
/// numbers this is the maximum of IEEE 754-2019, with the rules of `minimum`.
struct maximum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    if constexpr (detail::has_bits<T>) {
      // As above, but the sign bit is set only if both have it.
      constexpr auto sign = detail::bit_cast<detail::bits_of<T>>(-T{0});
      const auto one = detail::bit_cast<detail::bits_of<T>>(a < b ? b : a);
      const auto other = detail::bit_cast<detail::bits_of<T>>(b < a ? a : b);
      return detail::bit_cast<T>((one & other) | ((one | other) & ~sign));
    } else {
      return a < b ? b : a;
    }
  }
  template <class A, class B>
  EF_HD constexpr typename detail::common<A, B>::type operator()(const A& a, const B& b) const {
    using T = typename detail::common<A, B>::type;
    return (*this)(static_cast<T>(a), static_cast<T>(b));
  }
};

/// a < b. Integers of different types are compared by value.
struct less {
  template <class A, class B>
  EF_HD constexpr bool operator()(const A& a, const B& b) const {
    return detail::is_less(a, b);
  }
};

/// b < a. Integers of different types are compared by value.
struct greater {
  template <class A, class B>
  EF_HD constexpr bool operator()(const A& a, const B& b) const {
    return detail::is_less(b, a);
  }
};

/// a == b. Integers of different types are compared by value.
struct equal_to {
  template <class A, class B>
  EF_HD constexpr bool operator()(const A& a, const B& b) const {
    if constexpr (std::integral<A> && std::integral<B>) {
      return !detail::is_less(a, b) && !detail::is_less(b, a);
    } else {
      return a == b;
    }
  }
};

/// Whether out[i] of a scan includes the i-th value (inclusive) or only the values before it
/// (exclusive).
enum class scan_kind { inclusive, exclusive };

/// In place of the initial value of an inclusive scan: there is none, and out[0] is the first
/// value.
struct no_init {};

namespace detail {

/// Whether Op is one of the operators above, and T an arithmetic type.
template <class Op, class T>
inline constexpr bool is_arithmetic_fold =
    std::is_arithmetic_v<T> && (std::same_as<Op, plus> || std::same_as<Op, multiplies> ||
                                std::same_as<Op, minimum> || std::same_as<Op, maximum>);

}  // namespace detail

/// Whether Op is commutative on T. True for the operators above on arithmetic types. Specialise it
/// for another operator, or pass commutative(op), to allow a faster order of operands.
template <class Op, class T>
inline constexpr bool is_commutative = detail::is_arithmetic_fold<Op, T>;

/// An operator that is declared commutative: the result of commutative().
template <class F>
struct commutative_operator {
  F f;
  template <class A, class B>
  EF_HD constexpr auto operator()(const A& a, const B& b) const -> decltype(f(a, b)) {
    return f(a, b);
  }
};
template <class F, class T>
inline constexpr bool is_commutative<commutative_operator<F>, T> = true;

/// Declares an associative operator commutative, where `is_commutative` cannot be specialised, as
/// for a lambda: reduce(ctx, x, n, commutative(EF_LAMBDA(int a, int b) { return a ^ b; }), 0).
template <class F>
constexpr commutative_operator<F> commutative(F f) {
  return {f};
}

/// `value` is the identity of Op on T: op(value, x) = op(x, value) = x. Defined for the operators
/// above on arithmetic types. Specialise it for another operator to fold without an initial value.
template <class Op, class T>
struct identity_of {};

template <class T>
  requires std::is_arithmetic_v<T>
struct identity_of<plus, T> {
  static constexpr T value{0};
};
template <class T>
  requires std::is_arithmetic_v<T>
struct identity_of<multiplies, T> {
  static constexpr T value{1};
};
template <class T>
  requires std::is_arithmetic_v<T>
struct identity_of<minimum, T> {
  using limits = std::numeric_limits<T>;
  static constexpr T value = limits::has_infinity ? limits::infinity() : limits::max();
};
template <class T>
  requires std::is_arithmetic_v<T>
struct identity_of<maximum, T> {
  using limits = std::numeric_limits<T>;
  static constexpr T value = limits::has_infinity ? -limits::infinity() : limits::lowest();
};

namespace detail {

/// In place of values: a sort or merge of keys alone.
struct no_value {};

/// The type of a fold without an initial value: 64 bits for sums and products of integers, else the
/// type of the elements.
template <class Op, class T>
struct fold_type {
  using type = T;
};
template <class Op, std::integral T>
  requires std::same_as<Op, plus> || std::same_as<Op, multiplies>
struct fold_type<Op, T> {
  using type = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
};
template <class Op, class T>
using fold_type_t = typename fold_type<Op, T>::type;

template <class Op, class T>
concept has_identity = requires { identity_of<Op, T>::value; };

/// The identity of the operator, which does not even change the sign of a zero (-0 for sums of
/// floating-point numbers).
template <class Op, class T>
inline constexpr T unchanging = identity_of<Op, T>::value;
template <class T>
inline constexpr T unchanging<plus, T> = -T{0};

/// Whether `unchanging` is an operand that changes no number.
template <class Op, class T>
inline constexpr bool has_unchanging = is_arithmetic_fold<Op, T>;

}  // namespace detail

}  // namespace evenfold
