#pragma once
// Values read in two stages: something is fetched for a tile while the tile before it is processed,
// and the values are computed from it when the tile is processed.
//
// For a function object that looks elements up (gathered), the first stage fetches their indices
// and the values beside them, so that the second stage waits for memory once instead of twice. Any
// other function is called in the first stage, and the second stage returns its value.

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::device {

/// Whether the values of a function are read in two stages: it looks its elements up.
template <class F>
inline constexpr bool reads_in_two_stages = false;
template <class F, class Input, class Places, class... Values>
inline constexpr bool reads_in_two_stages<gathered<F, Input, Places, Values...>> = true;

/// Reads 4 or 8 bytes without keeping them in L1.
__device__ inline std::uint32_t load_past_l1(const std::uint32_t* from) {
  std::uint32_t word;
  asm volatile("ld.global.L1::no_allocate.b32 %0, [%1];" : "=r"(word) : "l"(from));
  return word;
}
__device__ inline std::uint64_t load_past_l1(const std::uint64_t* from) {
  std::uint64_t word;
  asm volatile("ld.global.L1::no_allocate.b64 %0, [%1];" : "=l"(word) : "l"(from));
  return word;
}

/// Reads an element that is not read again soon, without evicting from L1 the elements that are
/// looked up often.
template <class Iterator, class Size>
__device__ element_t<Iterator> load_once(Iterator from, Size index) {
  using element = element_t<Iterator>;
  if constexpr (!std::is_pointer_v<Iterator> || !std::is_arithmetic_v<element>) {
    return from[index];
  } else if constexpr (sizeof(element) == 4 || sizeof(element) == 8) {
    using word = std::conditional_t<sizeof(element) == 4, std::uint32_t, std::uint64_t>;
    const word raw = load_past_l1(reinterpret_cast<const word*>(from + index));
    element result;
    memcpy(&result, &raw, sizeof(result));
    return result;
  } else {
    return __ldcs(from + index);
  }
}

template <class T, class F>
struct staged {
  using fetched = uninitialized<T>;

  template <class Size>
  __device__ static fetched fetch(const F& f, Size index) {
    return uninitialized<T>(static_cast<T>(f(index)));
  }
  __device__ static uninitialized<T> value(const F&, const fetched& from) { return from; }
};

template <class T, class F, class Input, class Places, class... Values>
struct staged<T, gathered<F, Input, Places, Values...>> {
  using function = gathered<F, Input, Places, Values...>;
  struct fetched {
    element_t<Places> index;
    tuple<uninitialized<element_t<Values>>...> values;
  };

  template <class Size>
  __device__ static fetched fetch(const function& f, Size index) {
    return fetch(f, index, indices{});
  }
  __device__ static uninitialized<T> value(const function& f, const fetched& from) {
    return value(f, from, indices{});
  }

 private:
  using indices = std::index_sequence_for<Values...>;

  template <class Size, std::size_t... I>
  __device__ static fetched fetch(const function& f, Size index, std::index_sequence<I...>) {
    return {load_once(f.indices, index),
            tuple<uninitialized<element_t<Values>>...>(
                uninitialized<element_t<Values>>(load_once(get<I>(f.values), index))...)};
  }
  template <std::size_t... I>
  __device__ static uninitialized<T> value(const function& f, const fetched& from,
                                           std::index_sequence<I...>) {
    return uninitialized<T>(static_cast<T>(f.f(f.input[from.index], get<I>(from.values).value...)));
  }
};

}  // namespace evenfold::device
