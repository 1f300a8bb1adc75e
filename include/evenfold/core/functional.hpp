#pragma once
// Function objects for both sides, and what is known about them.
//
// Algorithms keep operand order, so any associative operator works. Where an operator is *declared*
// commutative, an algorithm may take a faster order that is still fixed, hence deterministic.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "evenfold/core/config.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

/// Whether the bits of a T are those of an unsigned integer: float and double.
template <class T>
inline constexpr bool has_bits = std::same_as<T, float> || std::same_as<T, double>;

/// The unsigned integer as wide as a floating-point number.
template <class T>
using bits_of = std::conditional_t<std::same_as<T, float>, std::uint32_t, std::uint64_t>;

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

/// The smaller of the two; the first where they are equivalent. Of floating-point numbers the
/// minimum of IEEE 754-2019: a NaN where one of them is a NaN, and -0 is below +0, so that it is
/// associative and commutative on all of them.
struct minimum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    if constexpr (has_bits<T>) {
      // Different only where they are zeros or a NaN is among them: then both operands are here.
      const auto one = std::bit_cast<bits_of<T>>(b < a ? b : a);
      const auto other = std::bit_cast<bits_of<T>>(a < b ? a : b);
      return std::bit_cast<T>(one | other);
    } else {
      return b < a ? b : a;
    }
  }
};

/// The larger of the two; the first where they are equivalent. Of floating-point numbers the
/// maximum of IEEE 754-2019, with the rules of `minimum`.
struct maximum {
  template <class T>
  EF_HD constexpr T operator()(const T& a, const T& b) const {
    if constexpr (has_bits<T>) {
      // As above, but the sign is that of a -0 only where both have it.
      constexpr auto sign = std::bit_cast<bits_of<T>>(-T{0});
      const auto one = std::bit_cast<bits_of<T>>(a < b ? b : a);
      const auto other = std::bit_cast<bits_of<T>>(b < a ? a : b);
      return std::bit_cast<T>((one & other) | ((one | other) & ~sign));
    } else {
      return a < b ? b : a;
    }
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

  /// What else is known of an item, such as its segment, makes no difference.
  template <std::integral Size, class... Rest>
  EF_HD constexpr T operator()(Size i, const Rest&...) const {
    return static_cast<T>(input[i]);
  }
};

/// i -> f(inputs[i]...): a function of several sequences. It has a name for the same reason.
template <class F, class... Inputs>
struct elementwise {
  F f;
  tuple<Inputs...> inputs;

  EF_HD constexpr explicit elementwise(F function, Inputs... sequences)
      : f(function), inputs(sequences...) {}

  template <std::integral Size>
  EF_HD constexpr decltype(auto) operator()(Size i) const {
    return call(i, std::index_sequence_for<Inputs...>{});
  }

 private:
  template <class Size, std::size_t... I>
  EF_HD constexpr decltype(auto) call(Size i, std::index_sequence<I...>) const {
    return f(get<I>(inputs)[i]...);
  }
};

/// i -> f(input[places[i]], values[i]...): a function of elements that lie where `places` says. It
/// has a name so that a backend can read the places of many items before it looks up their
/// elements.
template <class F, class Input, class Places, class... Values>
struct gathered {
  F f;
  Input input;
  Places places;
  tuple<Values...> values;

  EF_HD constexpr gathered(F function, Input elements, Places where, Values... sequences)
      : f(function), input(elements), places(where), values(sequences...) {}

  template <std::integral Size>
  EF_HD constexpr decltype(auto) operator()(Size i) const {
    return call(i, std::index_sequence_for<Values...>{});
  }

 private:
  template <class Size, std::size_t... I>
  EF_HD constexpr decltype(auto) call(Size i, std::index_sequence<I...>) const {
    return f(input[places[i]], get<I>(values)[i]...);
  }
};

/// out[index] = value(index, ...): a function for transform and transform_lbs with one known
/// effect. It has a name so that a backend can recognise contiguous output and write several
/// results at once.
template <class Value, class Output>
struct write_result {
  Value value;
  Output out;

  template <class Size, class... Rest>
  EF_HD constexpr void operator()(Size index, const Rest&... rest) const {
    out[index] = value(index, rest...);
  }
};
template <class Value, class Output>
write_result(Value, Output) -> write_result<Value, Output>;

/// The type of the elements that an iterator reads.
template <class Input>
using element_t = std::remove_cvref_t<decltype(std::declval<Input>()[0])>;

/// out[place(index, ...)] = value(index, ...): the same for results that do not lie in the order of
/// the items. A backend may read many values before it writes the first result.
template <class Value, class Place, class Output>
struct place_result {
  Value value;
  Place place;
  Output out;

  template <class Size, class... Rest>
  EF_HD constexpr void operator()(Size index, const Rest&... rest) const {
    out[place(index, rest...)] = value(index, rest...);
  }
};

/// index -> index: the place of a result in the order of the items. Say so where the values come
/// from all over memory: many are then read before the first is written, which write_result does
/// not do.
struct own_place {
  template <class Size, class... Rest>
  EF_HD constexpr Size operator()(Size index, const Rest&...) const {
    return index;
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

template <class Op, class T>
concept has_identity = requires { identity_of<Op, T>::value; };

}  // namespace evenfold
