#pragma once
// The query of `evenfold convert`, host memory to host memory, on a device that is chosen at run
// time.

#include <cstdint>

#include "cli/device_kind.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/sparse/coo.hpp"
#include "evenfold/sparse/csr.hpp"

namespace evenfold {
enum class duplicates;
}  // namespace evenfold

namespace evenfold::cli {

struct convert_query {
  bool drop_self_loops, symmetrize;
  evenfold::duplicates duplicates;
};

/// The entries that the query leaves and adds, in rows.
namespace host_backend {
csr<double, std::int32_t, std::int64_t> convert(
    coo_view<const double, std::int32_t, std::int64_t> entries, const convert_query& query,
    device where, int threads, const on_phase& begin);
csr<pattern, std::int32_t, std::int64_t> convert(
    coo_view<const pattern, std::int32_t, std::int64_t> entries, const convert_query& query,
    device where, int threads, const on_phase& begin);
}  // namespace host_backend
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
csr<double, std::int32_t, std::int64_t> convert(
    coo_view<const double, std::int32_t, std::int64_t> entries, const convert_query& query,
    device where, int threads, const on_phase& begin);
csr<pattern, std::int32_t, std::int64_t> convert(
    coo_view<const pattern, std::int32_t, std::int64_t> entries, const convert_query& query,
    device where, int threads, const on_phase& begin);
}  // namespace gpu_backend
#endif

}  // namespace evenfold::cli
