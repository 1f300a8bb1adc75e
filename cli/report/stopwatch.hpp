#pragma once
// The time that work takes on its device.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/engine.hpp"

namespace evenfold::cli {

/// Milliseconds from the call of work() until the device has completed it.
template <class Work>
double milliseconds(runtime::engine& engine, Work work) {
  using clock = std::chrono::steady_clock;
  const auto begun = clock::now();
  work();
  engine.synchronize();
  return std::chrono::duration<double, std::milli>(clock::now() - begun).count();
}

/// The median of at least one time; for an even number of times the upper of the two in the middle.
inline double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

/// The median time of `repeats` calls of work(), at least one.
template <class Work>
double median_milliseconds(runtime::engine& engine, int repeats, Work work) {
  // Any number of repeats is accepted, so memory for their times is not reserved.
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(std::min(repeats, 1024)));
  for (int i = 0; i < repeats; ++i) times.push_back(milliseconds(engine, work));
  return median(std::move(times));
}

}  // namespace evenfold::cli
