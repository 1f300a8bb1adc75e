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

/// Whether an argument is a container, or a view with a size, instead of an iterator.
template <class Argument>
inline constexpr bool is_container = requires(const Argument& argument) {
  argument.begin();
  argument.size();
};

/// Fails to compile for a container: it would be passed by value, and what is written to the copy
/// would be lost.
template <class Argument>
constexpr void check_iterator() {
  static_assert(!is_container<Argument>,
                "algorithms take iterators and counts, or ranges without counts: pass data() and "
                "size() here");
  static_assert(
      is_container<Argument> || requires(Argument iterator) { iterator[0]; },
      "algorithms take iterators that are read with []: pointers, or random access iterators such "
      "as those of std::vector and std::deque");
}

/// Returns the argument if it is a pointer, else fails to compile: for containers with the message
/// of check_iterator, for other iterators with one of its own. An algorithm that moves the elements
/// of an array calls it before it passes the array to a backend.
template <class Argument>
constexpr auto as_pointer(Argument argument) {
  check_iterator<Argument>();
  static_assert(std::is_pointer_v<Argument> || is_container<Argument>,
                "an algorithm that sorts takes pointers, not other iterators, to what it writes: "
                "pass data(), or std::to_address of the iterator");
  static_assert(
      !std::is_const_v<std::remove_pointer_t<Argument>>,
      "an algorithm that sorts writes its keys, values and indices: they cannot be const");
  if constexpr (std::is_pointer_v<Argument>) {
    // Without const, so that no other error follows.
    return const_cast<std::remove_const_t<std::remove_pointer_t<Argument>>*>(argument);
  } else {
    return static_cast<element_t<Argument>*>(nullptr);
  }
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
