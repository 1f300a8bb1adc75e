#pragma once
// The query of `evenfold fold`, host memory to host memory, on a device that is chosen at run time.

#include <functional>

#include "cli/device_kind.hpp"
#include "cli/numbers.hpp"
#include "cli/on_phase.hpp"
#include "evenfold/algorithm/fold.hpp"

namespace evenfold::cli {

enum class fold_operator { sum, product, max, min };

struct fold_query {
  const numbers& values;
  fold_operator op;
  fold_strategy strategy;
};

/// As the observer of evenfold::fold, with the cells on the host. May be empty.
using on_fold_round = std::function<void(int, const numbers&)>;

namespace host_backend {
number fold(const fold_query& query, device where, int threads, const on_fold_round& observe,
            const on_phase& begin);
}
#if defined(EVENFOLD_WITH_CUDA) || defined(__CUDACC__)
namespace gpu_backend {
number fold(const fold_query& query, device where, int threads, const on_fold_round& observe,
            const on_phase& begin);
}
#endif

/// Calls visitor(op) with the function object of an operator.
template <class Visitor>
decltype(auto) visit_operator(fold_operator op, Visitor&& visitor) {
  switch (op) {
    case fold_operator::sum:
      return visitor(plus{});
    case fold_operator::product:
      return visitor(multiplies{});
    case fold_operator::max:
      return visitor(maximum{});
    case fold_operator::min:
      break;
  }
  return visitor(minimum{});
}

}  // namespace evenfold::cli
