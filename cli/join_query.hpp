#pragma once
// The query of `evenfold join`, host memory to host memory, on a device that is chosen at run time.

#include <cstdint>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/key_column.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/table/join.hpp"

namespace evenfold::cli {

struct join_query {
  /// Of the left rows, then of the right ones. A row with a null among its keys matches nothing.
  const std::vector<key_column>& keys;
  std::int32_t left_count;
  join_kind how;
};

/// The rows of the result, in the order of the left table, then of the right one; -1 where a side
/// has no row, and those without a left one at the end. Of semi and anti joins `right` is empty.
struct join_answer {
  std::vector<std::int32_t> left, right;
};

#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
join_answer join_tables(const join_query& query, device where, int threads, const on_phase& begin);
std::int64_t count_joined(const join_query& query, device where, int threads,
                          const on_phase& begin);
}  // namespace gpu_backend
#endif
namespace host_backend {
join_answer join_tables(const join_query& query, device where, int threads, const on_phase& begin);
/// How many rows there are, without making them.
std::int64_t count_joined(const join_query& query, device where, int threads,
                          const on_phase& begin);
}  // namespace host_backend

}  // namespace evenfold::cli
