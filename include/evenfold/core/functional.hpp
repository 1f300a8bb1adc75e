#pragma once
// Function objects for both sides, and what is known about them.
//
// Algorithms keep operand order, so any associative operator works. Where an operator is *declared*
// commutative, an algorithm may take a faster order that is still fixed, hence deterministic.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/core/access.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/config.hpp"

namespace evenfold {

/// a + b: of two T a T, else what C++ gives.
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

/// a - b: of two T a T, else what C++ gives. Not associative: no operator of a fold.
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

/// a * b: of two T a T, else what C++ gives.
struct multiplies {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    if constexpr (std::unsigned_integral<T> && sizeof(T) < sizeof(int)) {
      // As int, the product of two of 16 bits could overflow.
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

/// a * b in the type T: both are converted first.
template <class T>
struct multiply_as {
  template <class A, class B>
  EF_HD constexpr T operator()(const A& a, const B& b) const {
    return multiplies{}(static_cast<T>(a), static_cast<T>(b));
  }
};

/// The type that holds all values of A and of B.
template <class A, class B>
struct common {
  using type = std::common_type_t<A, B>;
  static_assert(!std::unsigned_integral<type> || std::is_signed_v<A> == std::is_signed_v<B>,
                "no type holds all numbers of a signed and an unsigned type of this width: convert "
                "one of them first");
};

/// Whether a < b as numbers: a negative one is less than any of an unsigned type.
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

/// The smaller of the two, in their common type; the first where they are equivalent. Of
/// floating-point numbers the minimum of IEEE 754-2019: a NaN where one of them is a NaN, and -0 is
/// below +0, so that it is associative and commutative on all of them.
struct minimum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    if constexpr (detail::has_bits<T>) {
      // Different only where they are zeros or a NaN is among them: then both operands are here.
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

/// The larger of the two, in their common type; the first where they are equivalent. Of
/// floating-point numbers the maximum of IEEE 754-2019, with the rules of `minimum`.
struct maximum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    if constexpr (detail::has_bits<T>) {
      // As above, but the sign is that of a -0 only where both have it.
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

/// a < b, integers of different types by their values
struct less {
  template <class A, class B>
  EF_HD constexpr bool operator()(const A& a, const B& b) const {
    return detail::is_less(a, b);
  }
};

/// b < a, integers of different types by their values
struct greater {
  template <class A, class B>
  EF_HD constexpr bool operator()(const A& a, const B& b) const {
    return detail::is_less(b, a);
  }
};

/// a == b, integers of different types by their values
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

/// Whether out[i] of a scan contains the i-th value (inclusive) or only those before it
/// (exclusive).
enum class scan_kind { inclusive, exclusive };

/// Stands for the initial value of an inclusive scan that has none: out[0] is the first value.
struct no_init {};

/// Whether Op may be applied to T in any order. True for the operators above on arithmetic types;
/// specialise it for an operator of your own to allow the faster order.
template <class Op, class T>
inline constexpr bool is_commutative =
    std::is_arithmetic_v<T> && (std::same_as<Op, plus> || std::same_as<Op, multiplies> ||
                                std::same_as<Op, minimum> || std::same_as<Op, maximum>);

/// `value` is the operand of Op that changes no other: op(value, x) = op(x, value) = x. Known for
/// the operators above on arithmetic types; specialise it for an operator of your own, and it can
/// be folded without an initial value.
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

/// Stands for the values of a sort of keys alone.
struct no_value {};

/// The type in which a fold without an initial value is computed: sums and products of integers in
/// 64 bits, all else in the type of the elements.
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

}  // namespace detail

}  // namespace evenfold
