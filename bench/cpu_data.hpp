#pragma once
// The data of the benches of the CPU backend, and the loops that are its peers.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"

namespace bench {

/// The context of the bench.
evenfold::cpu_context& host();

/// f(i) for every i. Each thread first touches what it will read, so that pages are near their
/// reader.
template <class T, class F>
evenfold::array<T> filled(std::int64_t count, F f) {
  evenfold::array<T> data(host(), count);
  T* to = data.data();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(f(i));
  return data;
}

/// Integers in [-8, 8], whose sums are exact in any order, in float, too.
inline auto small_numbers(std::uint64_t seed) {
  return [random = evenfold::random_stream(seed)](std::int64_t i) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(i), 17)) - 8;
  };
}

inline auto any_numbers(std::uint64_t seed) {
  return [random = evenfold::random_stream(seed)](std::int64_t i) {
    return static_cast<int>(random.bits32(static_cast<std::uint64_t>(i)));
  };
}

template <class T>
std::string difference(const evenfold::array<T>& ours, const evenfold::array<T>& theirs) {
  const auto at = std::mismatch(ours.begin(), ours.end(), theirs.begin()).first;
  return at == ours.end() ? "" : "element " + std::to_string(at - ours.begin()) + " differs";
}

/// The loop of a thread over its segments, as in a program without a library.
template <bool Dynamic, class F>
void for_segments(const std::vector<int>& offsets, F f) {
  const auto last = static_cast<std::int64_t>(offsets.size()) - 1;
  const int* at = offsets.data();
  if constexpr (Dynamic) {
#pragma omp parallel for schedule(dynamic, 256)
    for (std::int64_t s = 0; s < last; ++s) f(s, at[s], at[s + 1]);
  } else {
#pragma omp parallel for schedule(static)
    for (std::int64_t s = 0; s < last; ++s) f(s, at[s], at[s + 1]);
  }
}

}  // namespace bench
