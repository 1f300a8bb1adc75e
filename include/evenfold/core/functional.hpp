#pragma once
// Function objects for both sides, and what is known about them.
//
// Algorithms keep operand order, so any associative operator works. Where an operator is *declared*
// commutative, an algorithm may take a faster order that is still fixed, hence deterministic.

#include <concepts>
#include <type_traits>

#include "evenfold/core/config.hpp"

namespace evenfold {

/// a + b
struct plus {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

/// a * b
struct multiplies {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return a * b;
  }
};

/// The smaller of the two; the first where they are equivalent.
struct minimum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

/// The larger of the two; the first where they are equivalent.
struct maximum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

/// a < b
struct less {
  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

/// b < a
struct greater {
  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};

/// a == b
struct equal_to {
  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    return a == b;
  }
};

/// i -> T(input[i]): a sequence as the function that algorithms ask for. It has a name, where a
/// lambda would do, so that a backend can recognise contiguous input and load it wider.
template <class T, class Input>
struct element_of {
  Input input;

  template <std::integral Size>
  EF_HD constexpr T operator()(Size i) const {
    return static_cast<T>(input[i]);
  }
};

/// Whether out[i] of a scan contains the i-th value (inclusive) or only those before it
/// (exclusive).
enum class scan_kind { inclusive, exclusive };

/// Stands for the initial value of an inclusive scan that has none: out[0] is the first value.
struct no_init {};

/// Stands for the values of a sort of keys alone.
struct no_value {};

/// What a scan accumulates: the type of the initial value, or without one the type of the values.
template <class Init, class F, class Size>
struct scan_value {
  using type = Init;
};
template <class F, class Size>
struct scan_value<no_init, F, Size> {
  using type = std::remove_cvref_t<std::invoke_result_t<F, Size>>;
};
template <class Init, class F, class Size>
using scan_value_t = typename scan_value<Init, F, Size>::type;

/// Whether Op may be applied to T in any order. True for the operators above on arithmetic types;
/// specialise it for an operator of your own to allow the faster order.
template <class Op, class T>
inline constexpr bool is_commutative =
    std::is_arithmetic_v<T> && (std::same_as<Op, plus> || std::same_as<Op, multiplies> ||
                                std::same_as<Op, minimum> || std::same_as<Op, maximum>);

}  // namespace evenfold
