#pragma once
// The query of `evenfold spmv`, host memory to host memory, on a device that is chosen at run time.

#include <cstdint>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold {
enum class duplicates;
}  // namespace evenfold

namespace evenfold::cli {

/// y = alpha A x + beta y
struct spmv_query {
  evenfold::duplicates duplicates;
  bool transpose;
  double alpha, beta;
  std::vector<double> x, y;
  /// How many products to time.
  int repeats;
};

struct spmv_answer {
  std::vector<double> y;
  /// Once those of a place are one.
  std::int64_t entries;
  /// The median of the products, with the matrix in place.
  double ms;
};

/// The entries lie on the host, in any order.
namespace host_backend {
spmv_answer spmv(coo_view<const pattern, std::int32_t, std::int64_t> entries,
                 const spmv_query& query, device where, int threads, const on_phase& begin);
spmv_answer spmv(coo_view<const double, std::int32_t, std::int64_t> entries,
                 const spmv_query& query, device where, int threads, const on_phase& begin);
}  // namespace host_backend
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
spmv_answer spmv(coo_view<const pattern, std::int32_t, std::int64_t> entries,
                 const spmv_query& query, device where, int threads, const on_phase& begin);
spmv_answer spmv(coo_view<const double, std::int32_t, std::int64_t> entries,
                 const spmv_query& query, device where, int threads, const on_phase& begin);
}  // namespace gpu_backend
#endif

}  // namespace evenfold::cli
