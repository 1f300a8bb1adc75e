#pragma once
// Indices of 32 bits in kernels whose caller counts in 64 bits, where there are few enough items. A
// kernel that compares many indices takes up to 1.8 times as long with 64 bits.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/uniform_offsets.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/tuple.hpp"

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

/// Calls a function of the items of segments with the types that it expects.
template <class Index, class Segment, class F>
struct with_item_index {
  static constexpr bool takes_cached_alone = requires { requires F::takes_cached_alone; };
  static constexpr bool is_per_segment = requires { requires F::is_per_segment; };
  F f;
  template <class Narrow, class NarrowSegment, class... Values>
  __device__ decltype(auto) operator()(Narrow i, NarrowSegment s, Narrow rank,
                                       const Values&... values) const {
    return f(static_cast<Index>(i), static_cast<Segment>(s), static_cast<Index>(rank), values...);
  }
};

/// A function of the items of segments, for a kernel with narrower indices; where it writes results
/// to memory, the functions that compute these.
template <class Index, class Segment, class F>
auto of_narrow_items(F f) {
  return with_item_index<Index, Segment, F>{f};
}
template <class Index, class Segment, class Value, class Output>
auto of_narrow_items(write_result<Value, Output> f) {
  return write_result{of_narrow_items<Index, Segment>(f.value), f.out};
}
/// The target of a result is only an address: a wider one would take registers.
template <class Index, class Segment>
own_index of_narrow_items(own_index f) {
  return f;
}
template <class Index, class Segment, class Value, class Target, class Output>
auto of_narrow_items(scatter_result<Value, Target, Output> f) {
  auto value = of_narrow_items<Index, Segment>(f.value);
  auto target = of_narrow_items<Index, Segment>(f.target);
  return scatter_result<decltype(value), decltype(target), Output>{value, target, f.out};
}

template <class F>
inline constexpr bool writes_by_iterator = false;
template <class Value, class Output>
inline constexpr bool writes_by_iterator<write_result<Value, Output>> = !is_addressed<Output>;
template <class Value, class Target, class Output>
inline constexpr bool writes_by_iterator<scatter_result<Value, Target, Output>> =
    !is_addressed<Output>;

template <class Cached>
inline constexpr bool are_addressed = false;
template <class... Iterators>
inline constexpr bool are_addressed<tuple<Iterators...>> = (is_addressed<Iterators> && ...);

/// The same as can_narrow for a function of the items of segments.
template <class Size, class F, class Offsets, class Cached>
inline constexpr bool can_narrow_items =
    sizeof(Size) > sizeof(std::int32_t) &&
    !writes_by_iterator<F> && is_addressed<Offsets> && are_addressed<Cached>;

/// The iterators of cached values for a kernel with narrower indices. Structures that compute their
/// values from indices give a narrower one themselves.
template <class Iterator>
auto of_narrow_cached(const Iterator& iterator) {
  if constexpr (requires { iterator.narrow(); }) {
    return iterator.narrow();
  } else {
    return iterator;
  }
}
template <class... Iterators>
auto of_narrow_cached(const tuple<Iterators...>& cached) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return evenfold::make_tuple(of_narrow_cached(get<I>(cached))...);
  }(std::index_sequence_for<Iterators...>{});
}

inline bool fits_narrow_index(std::uint64_t steps) {
  return steps <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
}

template <class Size, class Offsets, class SegmentSize>
detail::segment_view<std::int32_t, Offsets, std::int32_t> with_narrow_index(
    const detail::segment_view<Size, Offsets, SegmentSize>& segments) {
  return {static_cast<std::int32_t>(segments.count), segments.offsets,
          static_cast<std::int32_t>(segments.num_segments)};
}

}  // namespace evenfold::device
