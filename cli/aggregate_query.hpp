#pragma once
// The query of `evenfold aggregate`, host memory to host memory, on a device that is chosen at run
// time.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cli/device_kind.hpp"
#include "cli/numbers.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/core/matrix_view.hpp"

namespace evenfold::cli {

enum class aggregate_operator { max, min, sum, product, mean, argmax, argmin };
enum class aggregate_axis { all, rows, columns };

/// A matrix whose elements fill one run of memory, row after row or column after column.
using number_view = std::variant<matrix_view<const std::int64_t>, matrix_view<const std::uint64_t>,
                                 matrix_view<const float>, matrix_view<const double>>;

struct aggregate_query {
  /// For messages.
  std::string file;
  number_view matrix;
  aggregate_operator op;
  aggregate_axis axis;
};

/// One fold, or one for each row or column. Sums and products of floating-point numbers, and all
/// means, are double.
struct aggregate_answer {
  /// Of argmax and argmin: the extreme elements.
  numbers values;
  /// Of argmax and argmin alone: where in its row or column each is; its row and its column if the
  /// axis is `all`.
  std::vector<std::int64_t> places;
};

#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
/// Errors: error for a sum or product of integers that does not fit into 64 bits.
aggregate_answer aggregate(const aggregate_query& query, device where, int threads,
                           const on_phase& begin);
}  // namespace gpu_backend
#endif
namespace host_backend {
aggregate_answer aggregate(const aggregate_query& query, device where, int threads,
                           const on_phase& begin);
}  // namespace host_backend

}  // namespace evenfold::cli
