#pragma once
// The enumerations of the options of `pagerank`, and what `pagerank_verify` finds.

#include <cmath>

namespace evenfold {

/// Where the surfer goes from a vertex without out-links: to any vertex, to a target of jumps, to
/// the same vertex, or out of the graph.
enum class dangling { evenly, personalize, self, lose };

/// How the change of an iteration is measured: by the sum or the maximum of |r'(v) - r(v)|.
enum class pagerank_change { l1, maximum };

/// The result of `pagerank_verify`: the sum of the ranks, the lowest rank, the change of the ranks
/// by one more iteration, and how large it can be.
struct pagerank_report {
  double sum = 1, lowest = 0, change = 0, most_change = 0;
  /// Whether the sum may be less than 1.
  bool may_lose = false;

  /// The largest error of rounding in a sum over all vertices.
  static constexpr double rounding = 1e-10;

  bool is_in_range() const { return lowest >= 0; }
  bool is_distribution() const {
    return may_lose ? sum <= 1 + rounding : std::abs(sum - 1) <= rounding;
  }
  bool has_converged_as_said() const { return change <= most_change; }
  bool ok() const { return is_in_range() && is_distribution() && has_converged_as_said(); }
};

}  // namespace evenfold
