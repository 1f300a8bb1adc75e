#pragma once
// Folds of whole blocks of the canonical order (balance/fold_order.hpp) in vector registers.
//
// The items of a run at the same position in their vectors are folded first, by whole vectors. Two
// vectors of folds then become one, whose lanes are the folds of neighbours, until a lane is a
// block.

#include <atomic>
#include <concepts>
#include <cstring>
#include <utility>

#include "evenfold/backend/cpu/prefetch.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold::cpu {

/// Whether blocks are folded in vector registers.
template <class Op, class T>
inline constexpr bool folds_in_vectors = (std::same_as<T, float> || std::same_as<T, double>)&&(
    std::same_as<Op, plus> || std::same_as<Op, multiplies>);

/// A register of 16 bytes, which all x86-64 and 64-bit ARM processors have.
template <class T>
using vector_of [[gnu::vector_size(16)]] = T;

template <class T>
inline constexpr int vector_lanes = 16 / sizeof(T);

/// A vector of equal elements.
template <class T>
vector_of<T> in_all_lanes(const T& x) {
  if constexpr (vector_lanes<T> == 2) {
    return vector_of<T>{x, x};
  } else {
    return vector_of<T>{x, x, x, x};
  }
}

// The functions of vectors are always inlined: a call would keep loads of neighbours from becoming
// one wide load.

/// Whether a function reads an element of an array of T.
template <class T, class F>
inline constexpr bool reads_elements =
    std::same_as<F, element_of<T, T*>> || std::same_as<F, element_of<T, const T*>>;

/// The items from `begin` on as vectors.
template <class T, class Size, class F>
struct item_vectors {
  Size begin;
  const F& f;

  [[gnu::always_inline]] vector_of<T> operator[](int k) const {
    const Size at = static_cast<Size>(begin + Size(k * vector_lanes<T>));
    if constexpr (reads_elements<T, F>) {
      // Of single items that are shuffled later, g++ makes single loads.
      vector_of<T> items;
      std::memcpy(&items, f.input + at, sizeof(items));
      return items;
    } else {
      return load(at, std::make_integer_sequence<int, vector_lanes<T>>{});
    }
  }

 private:
  template <int... Lane>
  [[gnu::always_inline]] vector_of<T> load(Size at, std::integer_sequence<int, Lane...>) const {
    return vector_of<T>{static_cast<T>(f(static_cast<Size>(at + Size(Lane))))...};
  }
};

/// minimum{} or maximum{} of each lane, with the same bits (core/functional.hpp).
template <class Op, class T>
[[gnu::always_inline]] inline vector_of<T> extremes(vector_of<T> a, vector_of<T> b) {
  using bits = vector_of<detail::bits_of<T>>;
  constexpr auto sign = detail::bit_cast<detail::bits_of<T>>(-T{0});
  constexpr bool largest = std::same_as<Op, maximum>;
  const auto one = detail::bit_cast<bits>((largest ? a < b : b < a) ? b : a);
  const auto other = detail::bit_cast<bits>((largest ? b < a : a < b) ? a : b);
  const bits both = one & other, any = one | other;
  return detail::bit_cast<vector_of<T>>(largest ? both | (any & ~sign) : any);
}

/// The fold of the `Count` vectors x[first], x[first + Stride], ... by even and odd ones.
template <int Count, class T, int Stride = 1, class Vectors, class Op>
[[gnu::always_inline]] inline vector_of<T> fold_vectors(const Vectors& x, const Op& op,
                                                        int first = 0) {
  if constexpr (Count == 1) {
    return x[first];
  } else {
    return op(fold_vectors<Count / 2, T, 2 * Stride>(x, op, first),
              fold_vectors<Count / 2, T, 2 * Stride>(x, op, first + Stride));
  }
}

/// Makes element j of vector k element k of vector j.
template <class T>
[[gnu::always_inline]] inline void transpose(vector_of<T>* x) {
  if constexpr (vector_lanes<T> == 2) {
    const vector_of<T> first = __builtin_shufflevector(x[0], x[1], 0, 2);
    x[1] = __builtin_shufflevector(x[0], x[1], 1, 3);
    x[0] = first;
  } else {
    const vector_of<T> a = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5);
    const vector_of<T> b = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
    const vector_of<T> c = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
    const vector_of<T> d = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
    x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    x[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    x[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
  }
}

/// The folds of as many equal parts of a block of `Runs` runs as a vector has lanes. Parts of less
/// than a run are the positions that are equal modulo their number.
template <int Runs, class T, class Size, class F, class Op>
[[gnu::always_inline]] inline vector_of<T> fold_parts(Size begin, const F& f, const Op& op) {
  constexpr int lanes = vector_lanes<T>;
  if constexpr (Runs == 1) {
    prefetch_sequences(f, begin);
    constexpr int vectors = detail::fold_run / lanes;
    const item_vectors<T, Size, F> items{begin, f};
    if constexpr (asks_ahead<F>) {
      // In the order of memory, so that elements arrive in the order of their use.
      vector_of<T> x[vectors];
#pragma GCC unroll 8
      for (int k = 0; k < vectors; ++k) {
        x[k] = items[k];
        std::atomic_signal_fence(std::memory_order_acq_rel);
      }
      return fold_vectors<vectors, T>(x, op);
    } else {
      return fold_vectors<vectors, T>(items, op);
    }
  } else {
    const Size middle = static_cast<Size>(begin + Size(Runs / 2 * detail::fold_run));
    const vector_of<T> a = fold_parts<Runs / 2, T>(begin, f, op);
    const vector_of<T> b = fold_parts<Runs / 2, T>(middle, f, op);
    if constexpr (lanes == 2) {
      return op(__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3));
    } else if constexpr (Runs == 2) {
      return op(__builtin_shufflevector(a, b, 0, 1, 4, 5),
                __builtin_shufflevector(a, b, 2, 3, 6, 7));
    } else {
      return op(__builtin_shufflevector(a, b, 0, 2, 4, 6),
                __builtin_shufflevector(a, b, 1, 3, 5, 7));
    }
  }
}

/// The fold of a block of `Runs` runs.
template <int Runs, class T, class Size, class F, class Op>
[[gnu::always_inline]] inline T fold_runs(Size begin, const F& f, const Op& op) {
  const vector_of<T> x = fold_parts<Runs, T>(begin, f, op);
  if constexpr (vector_lanes<T> == 2) {
    return op(x[0], x[1]);
  } else if constexpr (Runs == 1) {
    return op(op(x[0], x[2]), op(x[1], x[3]));
  } else {
    return op(op(x[0], x[1]), op(x[2], x[3]));
  }
}

/// The fold of `blocks` blocks of `Runs` runs each, a power of two and at most 16.
template <int Runs, class T, class Size, class F, class Op>
T fold_row_of_runs(int blocks, Size begin, const F& function, const Op& op) {
  // A copy that nobody else can see stays in registers.
  const F f = function;
  T folds[16];
  for (int k = 0; k < blocks; ++k) {
    folds[k] = fold_runs<Runs, T>(begin, f, op);
    begin = static_cast<Size>(begin + Size(Runs * detail::fold_run));
  }
  for (; blocks > 1; blocks /= 2) {
    for (int k = 0; k < blocks / 2; ++k) folds[k] = op(folds[2 * k], folds[2 * k + 1]);
  }
  return folds[0];
}

}  // namespace evenfold::cpu
