#pragma once
// Sums of integers, scanned in vector registers. Additions of integers may be done in any order.
//
// Idea: one addition after the other takes at least one cycle per item, whatever else a processor
// can do in that cycle. The prefixes within a vector do not depend on the vectors before it, and
// one addition per vector then carries the sum on.
// Source: Hillis and Steele, "Data parallel algorithms", CACM 29(12), 1986.

#include <concepts>
#include <cstring>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::cpu {

/// Whether a function reads an element of an array of T.
template <class T, class F>
inline constexpr bool reads_elements =
    std::same_as<F, element_of<T, T*>> || std::same_as<F, element_of<T, const T*>>;

/// Whether sums are scanned in vector registers, in any order. Two lanes gain nothing.
template <class T, class F, class Output, class Op>
inline constexpr bool scans_integers_in_vectors =
    std::integral<T> && !std::same_as<T, bool> && (sizeof(T) < 8) && std::same_as<Op, plus> &&
    reads_elements<T, F> && std::same_as<Output, T*>;

/// x with every lane moved up by `Distance`, and zeros in the first lanes.
template <int Distance, class T>
[[gnu::always_inline]] inline vector_of<T> moved_up(vector_of<T> x) {
  constexpr int lanes = vector_lanes<T>;
  return [x]<int... Lane>(std::integer_sequence<int, Lane...>) {
    return __builtin_shufflevector(vector_of<T>{}, x,
                                   (Lane < Distance ? Lane : lanes + Lane - Distance)...);
  }(std::make_integer_sequence<int, lanes>{});
}

/// The sums of the first 1, 2, 3, ... lanes of x, where those of `Summed` lanes are known.
template <class T, int Summed = 1>
[[gnu::always_inline]] inline vector_of<T> sums_of_lanes(vector_of<T> x) {
  if constexpr (Summed == vector_lanes<T>) {
    return x;
  } else {
    return sums_of_lanes<T, 2 * Summed>(x + moved_up<Summed, T>(x));
  }
}

/// Scans the whole vectors of elements [begin, end), where `before` is the sum of everything before
/// them, and adds their sum to `before`. Returns the end of the last one.
template <scan_kind Kind, class T, class Size>
Size scan_integers(Size begin, Size end, const T* in, T* out, T& before) {
  // Sums of some lanes may overflow where no prefix does, which is defined for unsigned integers.
  using number = std::make_unsigned_t<T>;
  constexpr int lanes = vector_lanes<T>;
  const Size last = static_cast<Size>(end - (end - begin) % lanes);
  vector_of<number> carried = vector_of<number>{} + static_cast<number>(before);
  for (; begin < last; begin = static_cast<Size>(begin + Size(lanes))) {
    vector_of<number> x;
    std::memcpy(&x, in + begin, sizeof(x));
    const vector_of<number> sums = sums_of_lanes<number>(x);
    const vector_of<number> prefixes = carried + (Kind == scan_kind::inclusive ? sums : sums - x);
    std::memcpy(out + begin, &prefixes, sizeof(prefixes));
    carried += sums[lanes - 1];
  }
  before = static_cast<T>(carried[0]);
  return begin;
}

}  // namespace evenfold::cpu
