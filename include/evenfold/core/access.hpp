#pragma once
// Functions with names that tell a backend what they read and where they write, which a lambda does
// not: a backend can then load and store several values at once, or fetch them ahead of their use.

#include <concepts>
#include <cstddef>
#include <utility>

#include "evenfold/core/config.hpp"
#include "evenfold/core/iterator.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold {

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

/// Any index -> value.
template <class T>
struct constant {
  T value;

  template <class... Index>
  EF_HD constexpr T operator()(const Index&...) const {
    return value;
  }
};

/// i -> input[places[i]]
template <class Input, class Places>
struct gathered_element {
  Input input;
  Places places;

  template <std::integral Size>
  EF_HD constexpr decltype(auto) operator()(Size i) const {
    return detail::values_of(input)[places[i]];
  }
};
template <class Input, class Places>
gathered_element(Input, Places) -> gathered_element<Input, Places>;

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
    return f(detail::values_of(get<I>(inputs))[i]...);
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
    return f(detail::values_of(input)[places[i]], detail::values_of(get<I>(values))[i]...);
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

/// out[place(index, ...)] = value(index, ...): the same for results that do not lie in the order of
/// the items. A backend may read many values before it writes the first result.
template <class Value, class Place, class Output>
struct scatter_result {
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
struct own_index {
  template <class Size, class... Rest>
  EF_HD constexpr Size operator()(Size index, const Rest&...) const {
    return index;
  }
};

}  // namespace evenfold
