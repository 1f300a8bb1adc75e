#pragma once
// Sums of integers and extremes of floating-point numbers, scanned in vector registers. These
// operations may be done in any order.
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

/// Whether sums are scanned in vector registers, in any order. Two lanes gain nothing.
template <class T, class F, class Output, class Op>
inline constexpr bool scans_integers_in_vectors =
    std::integral<T> && !std::same_as<T, bool> && (sizeof(T) < 8) && std::same_as<Op, plus> &&
    reads_elements<T, F> && std::same_as<Output, T*>;

/// Whether extremes are scanned in vector registers.
template <class T, class Output, class Op>
inline constexpr bool scans_extremes_in_vectors =
    (std::same_as<T, float> || std::same_as<T, double>)&&std::same_as<Output, T*> &&
    (std::same_as<Op, minimum> || std::same_as<Op, maximum>);

/// x with every lane moved up by `Distance`, and lanes of `fill` in the first ones.
template <int Distance, class T>
[[gnu::always_inline]] inline vector_of<T> moved_up(vector_of<T> x, vector_of<T> fill) {
  constexpr int lanes = vector_lanes<T>;
  return [x, fill]<int... Lane>(std::integer_sequence<int, Lane...>) {
    return __builtin_shufflevector(fill, x, (Lane < Distance ? Lane : lanes + Lane - Distance)...);
  }(std::make_integer_sequence<int, lanes>{});
}

/// The sums of the first 1, 2, 3, ... lanes of x, where those of `Summed` lanes are known.
template <class T, int Summed = 1>
[[gnu::always_inline]] inline vector_of<T> sums_of_lanes(vector_of<T> x) {
  if constexpr (Summed == vector_lanes<T>) {
    return x;
  } else {
    return sums_of_lanes<T, 2 * Summed>(x + moved_up<Summed, T>(x, vector_of<T>{}));
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

/// The extremes of the first 1, 2, 3, ... lanes of x, where those of `Known` lanes are known.
template <class Op, class T, int Known = 1>
[[gnu::always_inline]] inline vector_of<T> extremes_of_lanes(vector_of<T> x) {
  if constexpr (Known == vector_lanes<T>) {
    return x;
  } else {
    const vector_of<T> none = in_all_lanes(detail::unchanging<Op, T>);
    return extremes_of_lanes<Op, T, 2 * Known>(extremes<Op, T>(moved_up<Known, T>(x, none), x));
  }
}

/// Scans the whole vectors of f(begin), ..., f(end - 1), where `before` is the extreme of
/// everything before them, and of these afterwards. Returns the end of the last one.
template <scan_kind Kind, class T, class Op, class Size, class F>
Size scan_extremes(Size begin, Size end, const F& f, T* out, T& before) {
  constexpr int lanes = vector_lanes<T>;
  const Size last = static_cast<Size>(end - (end - begin) % lanes);
  vector_of<T> carried = in_all_lanes(before);
  for (; begin < last; begin = static_cast<Size>(begin + Size(lanes))) {
    const vector_of<T> known = extremes_of_lanes<Op, T>(item_vectors<T, Size, F>{begin, f}[0]);
    vector_of<T> prefixes = extremes<Op, T>(carried, known);
    if constexpr (Kind == scan_kind::exclusive) prefixes = moved_up<1, T>(prefixes, carried);
    std::memcpy(out + begin, &prefixes, sizeof(prefixes));
    carried = extremes<Op, T>(carried, in_all_lanes(known[lanes - 1]));
  }
  before = carried[0];
  return begin;
}

}  // namespace evenfold::cpu
