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
  detail::divisor<Size> columns;

  EF_HD constexpr decltype(auto) operator()(Size k) const {
    const Size row = columns.quotient(k);
    return f(std::int64_t{row}, std::int64_t{k - row * columns.value()});
  }
};

/// Calls g(count, element) with the number of elements and the elements in row order. Their indices
/// have 32 bits where these are enough, which halves the cost of finding a row.
template <class F, class G>
auto with_row_order(std::int64_t rows, std::int64_t columns, F f, G g) {
  const std::int64_t count = rows * columns;
  const auto call = [&](auto size, auto length) {
    return g(size, element_in_row_order<decltype(size), F>{f, detail::divisor(length)});
  };
  // Without elements, nothing is divided.
  const std::int64_t length = count == 0 ? 1 : columns;
  if (count > std::numeric_limits<std::int32_t>::max()) return call(count, length);
  return call(static_cast<std::int32_t>(count), static_cast<std::int32_t>(length));
}

/// init (+) f(0, 0) (+) f(0, 1) (+) ... (+) f(rows - 1, columns - 1), row after row: returned to
/// the host, or left in `out` where that is given.
template <context Context, class F, class Op, class T, class... Out>
auto fold_in_row_order(Context& ctx, std::int64_t rows, std::int64_t columns, F f, Op op, T init,
                       Out... out) {
  return with_row_order(rows, columns, f, [&](auto count, auto element) {
    return transform_reduce(ctx, count, element, op, init, out...);
  });
}

}  // namespace evenfold
