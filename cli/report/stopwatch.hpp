#pragma once
// The time that work takes on its device.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "runtime/engine.hpp"

namespace evenfold::cli {

/// Milliseconds from the call of work() until the device has done it.
template <class Work>
double milliseconds(runtime::engine& engine, Work work) {
  using clock = std::chrono::steady_clock;
  const auto begun = clock::now();
  work();
  engine.synchronize();
  return std::chrono::duration<double, std::milli>(clock::now() - begun).count();
}

/// The median of at least one time: of an even number the upper one in the middle.
inline double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace evenfold::cli
