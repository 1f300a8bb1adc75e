#pragma once
// The options of betweenness, and what betweenness_verify finds.

#include <cmath>
#include <cstdint>

namespace evenfold {

/// The options of `betweenness`.
struct betweenness_options {
  /// The number of sources to draw, each at most once; 0: every vertex is a source. With fewer
  /// sources than vertices the result is an estimate.
  std::int64_t samples = 0;
  /// The sources of one seed are the same on every backend.
  std::uint64_t seed = 0;
  /// Whether to divide by the number of pairs of other vertices.
  bool normalized = false;
};

/// The sum of all scores, and the sum that follows from the distances.
struct betweenness_report {
  double sum = 0, expected = 0;

  /// Whether they agree up to rounding.
  bool ok() const { return std::abs(sum - expected) <= 1e-9 * expected; }
};

}  // namespace evenfold
