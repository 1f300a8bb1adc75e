#pragma once
// for_all_indices on CPU threads: an equal share of the elements per thread, cut where rows end.

#include <algorithm>
#include <cstdint>

#include "evenfold/backend/cpu/context.hpp"

namespace evenfold {
namespace cpu {

/// Calls f(row, first, last) for runs of neighbours in a row, which cover all elements once.
template <class F>
void for_row_runs(cpu_context& ctx, std::int64_t rows, std::int64_t columns, const F& f) {
  ctx.parallel(static_cast<std::size_t>(rows * columns), [&](std::size_t begin, std::size_t end) {
    std::int64_t row = static_cast<std::int64_t>(begin) / columns;
    std::int64_t first = static_cast<std::int64_t>(begin) % columns;
    for (std::int64_t left = static_cast<std::int64_t>(end - begin); left > 0; ++row) {
      const std::int64_t last = std::min(columns, first + left);
      f(row, first, last);
      left -= last - first;
      first = 0;
    }
  });
}

}  // namespace cpu

namespace backend {

template <class Tuning, class F>
void for_all_indices(cpu_context& ctx, std::int64_t rows, std::int64_t columns, F f) {
  cpu::for_row_runs(ctx, rows, columns,
                    [&](std::int64_t row, std::int64_t first, std::int64_t last) {
                      for (std::int64_t j = first; j < last; ++j) f(row, j);
                    });
}

}  // namespace backend
}  // namespace evenfold
