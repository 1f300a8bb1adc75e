#pragma once
// `tuple`, `make_tuple`, `get`: values of several types.
//
// std::tuple cannot be used in device code, and cuda::std::tuple needs CUDA. Programs link object
// files compiled with and without CUDA, where a structure with a tuple inside must have one layout.
// So the library has a tuple of its own. It is trivially copyable if its elements are.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "evenfold/core/config.hpp"
#include "evenfold/core/iterator.hpp"

namespace evenfold {

namespace detail {

/// One element of a tuple.
template <std::size_t I, class T>
struct tuple_leaf {
  T value;
};

template <class Indices, class... T>
struct tuple_leaves;
template <std::size_t... I, class... T>
struct tuple_leaves<std::index_sequence<I...>, T...> : tuple_leaf<I, T>... {};

}  // namespace detail

/// Values of several types, in memory in the order of the types.
template <class... T>
struct tuple : detail::tuple_leaves<std::index_sequence_for<T...>, T...> {
  constexpr tuple() = default;
  EF_HD constexpr tuple(const T&... values)
    requires(sizeof...(T) > 0)
      : detail::tuple_leaves<std::index_sequence_for<T...>, T...>{{values}...} {}
};
template <class... T>
tuple(T...) -> tuple<T...>;

/// Element I of a tuple.
template <std::size_t I, class T>
EF_HD constexpr T& get(detail::tuple_leaf<I, T>& element) {
  return element.value;
}
template <std::size_t I, class T>
EF_HD constexpr const T& get(const detail::tuple_leaf<I, T>& element) {
  return element.value;
}

/// A tuple of copies of the values.
template <class... T>
EF_HD constexpr tuple<T...> make_tuple(T... values) {
  return tuple<T...>(values...);
}

namespace detail {

/// The values that a tuple of iterators reads at `index`.
template <class... Iterators, class Index>
EF_HD constexpr tuple<element_t<Iterators>...> load_at(const tuple<Iterators...>& iterators,
                                                       Index index) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return tuple<element_t<Iterators>...>(
        static_cast<element_t<Iterators>>(get<I>(iterators)[index])...);
  }(std::index_sequence_for<Iterators...>{});
}

}  // namespace detail

}  // namespace evenfold

/// For structured bindings: `auto [a, b] = ...`.
template <class... T>
struct std::tuple_size<evenfold::tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {
};
template <std::size_t I, class... T>
struct std::tuple_element<I, evenfold::tuple<T...>> {
  using type =
      std::remove_cvref_t<decltype(evenfold::get<I>(std::declval<evenfold::tuple<T...>&>()))>;
};

namespace evenfold {

using std::tuple_element_t;
using std::tuple_size_v;

}  // namespace evenfold
