#pragma once
// The elements of a matrix as a sequence: row after row.

#include <concepts>
#include <cstdint>
#include <limits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/divisor.hpp"

namespace evenfold {

/// k -> f(i, j): the k-th element, row after row, of a matrix whose element (i, j) is f(i, j).
/// Finds the row by a multiplication: a division for each element would be slower than the memory.
template <std::integral Size, class F>
struct element_in_row_order {
  F f;
  divisor<Size> columns;

  EF_HD constexpr decltype(auto) operator()(Size k) const {
    const Size row = columns.quotient(k);
    return f(std::int64_t{row}, std::int64_t{k - row * columns.value()});
  }
};

/// init (+) f(0, 0) (+) f(0, 1) (+) ... (+) f(rows - 1, columns - 1), row after row: returned to
/// the host, or left in `out` where that is given. Indices have 32 bits where these are enough,
/// which halves the cost of finding a row.
template <context Context, class F, class Op, class T, class... Out>
auto fold_in_row_order(Context& ctx, std::int64_t rows, std::int64_t columns, F f, Op op, T init,
                       Out... out) {
  const std::int64_t count = rows * columns;
  const std::int64_t length = count == 0 ? 1 : columns;
  const auto fold = [&](auto size, auto row_length) {
    const element_in_row_order<decltype(size), F> element{f, divisor(row_length)};
    return transform_reduce(ctx, size, element, op, init, out...);
  };
  if (count > std::numeric_limits<std::int32_t>::max()) return fold(count, length);
  return fold(static_cast<std::int32_t>(count), static_cast<std::int32_t>(length));
}

}  // namespace evenfold
