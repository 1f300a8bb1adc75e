#pragma once
// Items of histograms whose bins are given by number, and what their histograms are.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evenfold/core/random.hpp"

namespace evenfold::testing {

inline constexpr std::int32_t bin_counts[] = {1, 2, 101, 1025, 4096, (1 << 16) + 1, 1 << 20};

/// Numbers of bins, and some that are not bins: three below 0 and three beyond the last.
inline std::vector<int> random_bins(std::int64_t count, std::int32_t bins) {
  const random_stream random(5);
  std::vector<int> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto n =
        random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(bins) + 6);
    result.push_back(static_cast<int>(n) - 3);
  }
  return result;
}

/// The definition, on the host.
template <class T, class Number, class Weight>
std::vector<T> binned_sums(const std::vector<Number>& numbers, std::int64_t count,
                           std::int32_t bins, Weight weight) {
  std::vector<T> result(static_cast<std::size_t>(bins), T{});
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const auto number = static_cast<std::int64_t>(numbers[i]);
    if (number >= 0 && number < bins) {
      T& sum = result[static_cast<std::size_t>(number)];
      sum = sum + weight(i);
    }
  }
  return result;
}

}  // namespace evenfold::testing
