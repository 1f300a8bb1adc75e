#pragma once
// Requests for elements that a CPU thread will read soon.
//
// A processor follows a few sequences that a thread reads in order, and reads ahead of it. Where
// the thread also looks up elements anywhere in memory, it takes these for the beginnings of
// further sequences, and loses the ones that it followed. A loop that looks up elements therefore
// asks for its sequences itself. To ask beyond the end of an array is harmless.

#include <cstddef>
#include <utility>

#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::cpu {

// The functions are always inlined: g++ drops calls of functions that only prefetch.

/// Asks for what f reads in order for a run of 16 items, 256 items after item i.
template <class F, class Size>
[[gnu::always_inline]] inline void prefetch_sequences(const F&, Size) {}
template <class F, class Input, class Index, class... Values, class Size>
[[gnu::always_inline]] inline void prefetch_sequences(
    const gathered<F, Input, Index*, Values*...>& f, Size i) {
  constexpr std::size_t items_ahead = 256, line = 64;
  const auto prefetch = [i]<class T>(const T* sequence) __attribute__((always_inline)) {
    const auto* const run = reinterpret_cast<const char*>(sequence + i + items_ahead);
    for (std::size_t at = 0; at < detail::fold_run * sizeof(T); at += line)
      __builtin_prefetch(run + at);
  };
  prefetch(f.indices);
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    (prefetch(get<I>(f.values)), ...);
  }
  (std::index_sequence_for<Values...>{});
}

/// Asks for the element that a later call f(i) looks up.
template <class F, class Size>
[[gnu::always_inline]] inline void prefetch_element(const F&, Size) {}
template <class F, class Element, class Index, class... Values, class Size>
[[gnu::always_inline]] inline void prefetch_element(
    const gathered<F, Element*, Index*, Values*...>& f, Size i) {
  __builtin_prefetch(f.input + f.indices[i]);
}

/// Whether prefetching of elements that are in no cache of a core pays. Measured: products of large
/// matrices take 0.8 to 0.85 of the time on a processor of AMD, and 1.15 on one of Intel.
inline bool prefetching_pays() {
#if defined(__x86_64__)
  static const bool is_intel = [] {
    __builtin_cpu_init();
    return __builtin_cpu_is("intel") != 0;
  }();
  return !is_intel;
#else
  return true;
#endif
}

}  // namespace evenfold::cpu
