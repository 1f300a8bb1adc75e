#pragma once
// The result of degree_statistics.

#include <cstdint>
#include <vector>

namespace evenfold {

/// Statistics of the lengths of rows. All are 0 if there are no rows.
struct degree_summary {
  std::int64_t rows = 0, entries = 0, empty_rows = 0;
  std::int64_t min = 0, max = 0;
  double mean = 0, median = 0;
  /// max / mean.
  double skew = 0;
  /// The Gini coefficient: 0 if all rows have the same length, near 1 if one row has all entries.
  double gini = 0;
  /// rows_by_length[b]: the number of rows with 2^(b - 1) to 2^b - 1 entries; rows_by_length[0]:
  /// the number of empty rows. The last element counts the longest rows.
  std::vector<std::int64_t> rows_by_length;
};

}  // namespace evenfold
