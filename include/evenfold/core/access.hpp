#pragma once
// Function objects that tell a backend what they read and where they write. A lambda tells nothing.
// With this knowledge a backend loads and stores several values at once, or loads them in advance.

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "evenfold/core/config.hpp"
#include "evenfold/core/iterator.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

/// i -> T(input[i]): a sequence as a function of the index. Where the input is contiguous, a
/// backend reads it in wide loads.
template <class T, class Input>
struct element_of {
  static constexpr bool takes_cached_alone = true;
  Input input;

  /// Further arguments, such as the segment of an item, are ignored.
  template <std::integral Size, class... Rest>
  EF_HD constexpr T operator()(Size i, const Rest&...) const {
    return static_cast<T>(input[i]);
  }
};

/// Any index -> value.
template <class T>
struct constant {
  static constexpr bool reads_nothing = true;
  T value;

  template <class... Index>
  EF_HD constexpr T operator()(const Index&...) const {
    return value;
  }
};

/// i -> input[indices[i]]
template <class Input, class Indices>
struct gathered_element {
  Input input;
  Indices indices;

  template <std::integral Size>
  EF_HD constexpr decltype(auto) operator()(Size i) const {
    return detail::values_of(input)[detail::values_of(indices)[i]];
  }
};
template <class Input, class Indices>
gathered_element(Input, Indices) -> gathered_element<Input, Indices>;

/// i -> f(inputs[i]...): a function of the elements of several sequences, which are read as in
/// `element_of`.
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
    return f(detail::values_of(get<I>(inputs))[i]...);
  }
};

/// i -> T(f(input[i], input[i - 1])), and T(input[0]) for 0: a function of an element and the one
/// before it, which are read as in `element_of`.
template <class T, class F, class Input>
struct with_previous {
  F f;
  Input input;

  template <std::integral Size>
  EF_HD constexpr T operator()(Size i) const {
    const auto elements = detail::values_of(input);
    return i == 0 ? static_cast<T>(elements[i])
                  : static_cast<T>(f(elements[i], elements[static_cast<Size>(i - 1)]));
  }
};

/// i -> f(input[indices[i]], values[i]...): a function of gathered elements. A backend reads the
/// indices of many items before it reads their elements.
template <class F, class Input, class Indices, class... Values>
struct gathered {
  F f;
  Input input;
  Indices indices;
  tuple<Values...> values;

  EF_HD constexpr gathered(F function, Input elements, Indices positions, Values... sequences)
      : f(function), input(elements), indices(positions), values(sequences...) {}

  // At -O2, g++ would call these functions for every item.
  template <std::integral Size>
  [[gnu::always_inline]] EF_HD constexpr decltype(auto) operator()(Size i) const {
    return call(i, std::index_sequence_for<Values...>{});
  }

 private:
  template <class Size, std::size_t... I>
  [[gnu::always_inline]] EF_HD constexpr decltype(auto) call(Size i,
                                                             std::index_sequence<I...>) const {
    return f(detail::values_of(input)[detail::values_of(indices)[i]],
             detail::values_of(get<I>(values))[i]...);
  }
};

/// out[index] = value(index, ...): a function for `transform` and `transform_lbs` that writes one
/// result per item. Where the output is contiguous, a backend writes several results at once.
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

/// out[target(index, ...)] = value(index, ...): the same for results in another order than the
/// items. A backend may read many values before it writes the first result.
template <class Value, class Target, class Output>
struct scatter_result {
  Value value;
  Target target;
  Output out;

  template <class Size, class... Rest>
  EF_HD constexpr void operator()(Size index, const Rest&... rest) const {
    out[target(index, rest...)] = value(index, rest...);
  }
};

/// index -> index: the target of results in the order of the items. Use it in `scatter_result`
/// where the values are scattered over memory: many values are then read before the first result is
/// written, unlike with `write_result`.
struct own_index {
  static constexpr bool takes_cached_alone = true;

  template <class Size, class... Rest>
  EF_HD constexpr Size operator()(Size index, const Rest&...) const {
    return index;
  }
};

/// A function of an index in two steps, f(i) = f.write(i, f.read(i)). `read` writes nothing that
/// another call reads, so that a backend may read for many indices before it writes for the first.
template <class F, class Size>
concept reads_then_writes = requires(const F& f, Size i) { f.write(i, f.read(i)); };

namespace detail {

/// Whether the values of a function are computed from the index alone, without reading memory.
/// Function objects state this by a member `reads_nothing`.
template <class F>
concept reads_nothing = requires { requires F::reads_nothing; };

/// Whether a call of a function for `transform` moves a few elements and does little else. A thread
/// of the CPU backend gets thousands of such calls, because it takes as long to start a thread.
/// Other function objects state this by a member type `light`.
template <class F>
inline constexpr bool is_light = requires { typename F::light; };
template <class T, class Input>
inline constexpr bool is_light<element_of<T, Input>> = std::is_pointer_v<Input>;
template <class T>
inline constexpr bool is_light<constant<T>> = true;
template <>
inline constexpr bool is_light<own_index> = true;
template <class Input, class Indices>
inline constexpr bool is_light<gathered_element<Input, Indices>> =
    std::is_pointer_v<Input> && std::is_pointer_v<Indices>;
template <class Value, class Output>
inline constexpr bool is_light<write_result<Value, Output>> = is_light<Value>;
template <class Value, class Target, class Output>
inline constexpr bool is_light<scatter_result<Value, Target, Output>> =
    is_light<Value> && is_light<Target>;

/// Whether calls of a function branch or read scattered elements, or its folds take a small part of
/// the time of an algorithm. The CPU backend then folds 16 items at a time instead of 256, which
/// takes half the time if the function branches, and one item at a time where the order makes no
/// difference; both compile faster. Function objects state this by a member type `heavy`.
template <class F>
inline constexpr bool is_heavy = requires { typename F::heavy; };

/// About how many steps, such as reads of an element, a call of a function takes. Function objects
/// whose calls take many state it by a member `steps_per_call`. The CPU backend then folds few
/// calls by many threads, and gives each thread calls from all parts of the range; the CUDA backend
/// gives a lane up to three calls, so that all lanes run at once.
template <class F>
inline constexpr std::size_t steps_of_call = 1;
template <class F>
  requires requires { typename std::integral_constant<std::size_t, F::steps_per_call>; }
inline constexpr std::size_t steps_of_call<F> = F::steps_per_call;

}  // namespace detail

}  // namespace evenfold
