#pragma once
// What degree_statistics tells.

#include <cstdint>
#include <vector>

namespace evenfold {

/// The lengths of rows. All are 0 where there is no row.
struct degree_summary {
  std::int64_t rows = 0, entries = 0, empty_rows = 0;
  std::int64_t min = 0, max = 0;
  double mean = 0, median = 0;
  /// The largest divided by the mean: how far the longest row is from an equal share.
  double skew = 0;
  /// The coefficient of Gini: 0 where all rows are of one length, near 1 where one has everything.
  double gini = 0;
  /// rows_by_length[b]: rows of 2^(b - 1) to 2^b - 1 entries, those without any at b = 0; up to the
  /// longest row.
  std::vector<std::int64_t> rows_by_length;
};

}  // namespace evenfold
