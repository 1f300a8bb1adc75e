#pragma once
// The queries of the commands on one table, and of `evenfold search`: host memory to host memory,
// on a device that is chosen at run time. Rows are numbered from 0.

#include <cstdint>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/input/column_list.hpp"
#include "cli/key_column.hpp"
#include "cli/on_phase.hpp"

namespace evenfold::cli {

/// The first row of each key, and how many rows have it, in the order of these rows.
struct first_rows {
  std::vector<std::int32_t> rows, counts;
};

/// Keeps the rows of a column whose code, compared with `bound`, is as `op` says; never nulls.
struct code_condition {
  key_column column;
  comparison op;
  std::uint64_t bound;
};

/// Where needles stand in a haystack.
struct found_places {
  /// Of each needle, how many rows of the haystack are before it, and how many are not behind it.
  std::vector<std::int32_t> lower, upper;
  /// The first row of the haystack that is before its predecessor; then nothing is found. The
  /// number of rows if there is none.
  std::int32_t first_unsorted;
};

#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
std::vector<std::int32_t> sorted_rows(const std::vector<key_column>& keys, device where,
                                      int threads, const on_phase& begin);
first_rows unique_rows(const std::vector<key_column>& keys, device where, int threads,
                       const on_phase& begin);
std::vector<std::int32_t> filtered_rows(const std::vector<code_condition>& conditions, device where,
                                        int threads, const on_phase& begin);
found_places search_rows(const std::vector<key_column>& keys, std::int32_t num_needles,
                         device where, int threads, const on_phase& begin);
}  // namespace gpu_backend
#endif
namespace host_backend {
/// The rows in the order of their keys, equal ones in their own.
std::vector<std::int32_t> sorted_rows(const std::vector<key_column>& keys, device where,
                                      int threads, const on_phase& begin);
first_rows unique_rows(const std::vector<key_column>& keys, device where, int threads,
                       const on_phase& begin);
/// The rows that meet all of one condition or more, in their order.
std::vector<std::int32_t> filtered_rows(const std::vector<code_condition>& conditions, device where,
                                        int threads, const on_phase& begin);
/// The keys are those of the needles, then those of the haystack.
found_places search_rows(const std::vector<key_column>& keys, std::int32_t num_needles,
                         device where, int threads, const on_phase& begin);
}  // namespace host_backend

}  // namespace evenfold::cli
