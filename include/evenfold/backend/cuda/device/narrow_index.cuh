#pragma once
// Indices of 32 bits in kernels whose caller counts in 64 bits, where there are few enough items. A
// kernel that compares many indices takes up to 1.8 times as long with 64 bits.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "evenfold/balance/uniform_offsets.hpp"
#include "evenfold/core/access.hpp"

namespace evenfold::device {

/// What a function of an index does with it: something unknown; it is an address, so that its type
/// does not matter; or a part of an address, which iterators of the user's compute.
enum class index_use { unknown, address, of_iterators };

template <class... Iterators>
inline constexpr index_use use_of_iterators =
    (std::is_pointer_v<Iterators> && ...) ? index_use::address : index_use::of_iterators;

template <class F>
inline constexpr index_use index_use_of = index_use::unknown;
template <class T, class Input>
inline constexpr index_use index_use_of<element_of<T, Input>> = use_of_iterators<Input>;
template <class F, class... Inputs>
inline constexpr index_use index_use_of<elementwise<F, Inputs...>> = use_of_iterators<Inputs...>;
template <class T, class F, class Input>
inline constexpr index_use index_use_of<with_previous<T, F, Input>> = use_of_iterators<Input>;
template <class F, class Input, class Indices, class... Values>
inline constexpr index_use index_use_of<gathered<F, Input, Indices, Values...>> =
    use_of_iterators<Indices, Values...>;

/// Calls f with indices of the type that it expects.
template <class Index, class F>
struct with_index {
  F f;
  template <std::integral Narrow>
  __device__ decltype(auto) operator()(Narrow i) const {
    return f(static_cast<Index>(i));
  }
};

/// f for a kernel with narrower indices than Index.
template <class Index, class F>
auto of_narrow_index(F f) {
  if constexpr (index_use_of<F> == index_use::address) {
    return f;
  } else {
    return with_index<Index, F>{f};
  }
}

/// Whether the type of the index of an iterator does not matter. Structures say so themselves.
template <class Iterator>
inline constexpr bool is_addressed =
    std::is_pointer_v<Iterator> || std::is_same_v<Iterator, detail::uniform_offsets> ||
    requires { requires Iterator::index_is_address; };

/// Whether an algorithm with indices of type Size, a function of them, and iterators can have
/// narrower ones: the function is told the type that it expects, but iterators could not be.
template <class Size, class F, class... Iterators>
inline constexpr bool can_narrow =
    sizeof(Size) > sizeof(std::int32_t) && index_use_of<F> != index_use::of_iterators &&
    (is_addressed<Iterators> && ...);

inline bool fits_narrow_index(std::uint64_t steps) {
  return steps <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
}

}  // namespace evenfold::device
