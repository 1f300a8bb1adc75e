#pragma once
// Iterators: what can be read, and perhaps written, with [].

#include <concepts>
#include <type_traits>
#include <utility>

#include "evenfold/core/config.hpp"

namespace evenfold {

namespace detail {

/// The result of [] on an iterator: a value, a reference or a proxy.
template <class Input>
using reference_t = decltype(std::declval<Input&>()[0]);

template <class Input>
struct element {
  using type = std::remove_cvref_t<reference_t<Input>>;
};
template <class Input>
  requires requires { typename Input::value_type; }
struct element<Input> {
  using type = std::remove_cv_t<typename Input::value_type>;
};

}  // namespace detail

/// The type of the elements of an iterator: its `value_type` if it has one, else the result of []
/// without const and reference.
template <class Input>
using element_t = typename detail::element<std::remove_cvref_t<Input>>::type;

namespace detail {

/// Fails to compile for a container, or a view with a size, instead of an iterator: it would be
/// passed by value, and what is written to the copy would be lost.
template <class Argument>
constexpr void check_iterator() {
  constexpr bool is_container = requires(const Argument& argument) {
    argument.begin();
    argument.size();
  };
  static_assert(!is_container,
                "algorithms take an iterator and a count, not a container: pass data() and size()");
}

/// Whether [] returns proxies for the elements, as iterators of std::vector<bool>, of
/// thrust::device_vector and of zipped sequences do.
template <class Input>
inline constexpr bool gives_proxies =
    !std::same_as<std::remove_cvref_t<reference_t<Input>>, element_t<Input>>;

/// Reads values where an iterator returns proxies.
template <class Input>
struct value_reader {
  using value_type = element_t<Input>;
  Input input;

  template <std::integral Size>
  EF_HD constexpr value_type operator[](Size i) const {
    return static_cast<value_type>(input[i]);
  }
};

/// The iterator itself, or one that reads values if the iterator returns proxies: functions of
/// users take values.
template <class Input>
EF_HD constexpr auto values_of(Input input) {
  if constexpr (gives_proxies<Input>) {
    return value_reader<Input>{input};
  } else {
    return input;
  }
}

}  // namespace detail

}  // namespace evenfold
