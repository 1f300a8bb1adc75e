#pragma once
// The query of `evenfold info`, host memory to host memory, on a device that is chosen at run time.

#include <cstdint>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/degrees.hpp"

namespace evenfold::cli {

struct info_query {
  coo_view<const pattern, std::int32_t, std::int64_t> entries;
  /// Whether the opposite of each entry belongs to the matrix, too.
  bool symmetrize;
  /// Whether the distributions of degrees are wanted.
  bool distributions;
};

/// rows[i] rows have degrees[i] entries each; the degrees ascend.
struct degree_distribution {
  std::vector<std::int64_t> degrees, rows;
};

/// Each place of the matrix counts once, however often it occurs.
struct info_answer {
  std::int64_t entries = 0;
  std::int64_t on_diagonal = 0;
  /// Entries of the file at places it has told before.
  std::int64_t duplicates = 0;
  degree_summary rows, columns;
  degree_distribution row_degrees, column_degrees;
  /// Of a square matrix: whether each entry has its opposite, and what hangs together.
  bool symmetric = false;
  std::int32_t components = 0, largest_component = 0;
};

namespace host_backend {
info_answer info(const info_query& query, device where, int threads, const on_phase& begin);
}
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
info_answer info(const info_query& query, device where, int threads, const on_phase& begin);
}
#endif

}  // namespace evenfold::cli
