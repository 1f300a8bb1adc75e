#pragma once
// The elements of a matrix as a sequence in row-major order.

#include <concepts>
#include <cstdint>
#include <limits>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/core/divisor.hpp"

namespace evenfold::detail {

/// k -> f(i, j), where (i, j) is the k-th position in row-major order. Finds the row by a
/// multiplication: a division per element would be slower than the memory.
template <std::integral Size, class F>
struct element_in_row_order {
  /// Whether this is a matrix; one without gaps between its rows is read as a sequence.
  static constexpr bool rows_have_gaps = requires(const F& g) { g.row_stride(); };

  F f;
  divisor<Size> columns;

  EF_HD constexpr decltype(auto) operator()(Size k) const {
    const Size row = columns.quotient(k);
    return f(std::int64_t{row}, std::int64_t{k - row * columns.value()});
  }
};

/// Calls g(count, element) with the number of elements and the elements in row-major order. Indices
/// have 32 bits if this is enough, which halves the cost of finding a row.
template <class F, class G>
auto with_row_order(std::int64_t rows, std::int64_t columns, F f, G g) {
  const std::int64_t count = rows * columns;
  const auto call = [&](auto size, auto length) {
    return g(size, element_in_row_order<decltype(size), F>{f, divisor(length)});
  };
  // A divisor must not be 0, even if there are no elements.
  const std::int64_t length = count == 0 ? 1 : columns;
  if (count > std::numeric_limits<std::int32_t>::max()) return call(count, length);
  return call(static_cast<std::int32_t>(count), static_cast<std::int32_t>(length));
}

/// init (+) f(0, 0) (+) f(0, 1) (+) ... (+) f(rows - 1, columns - 1), in row-major order, returned
/// to the host or written to `out`.
template <context Context, class F, class Op, class T, class... Out>
auto fold_in_row_order(Context& ctx, std::int64_t rows, std::int64_t columns, F f, Op op, T init,
                       Out... out) {
  return with_row_order(rows, columns, f, [&](auto count, auto element) {
    return transform_reduce(ctx, count, element, op, init, out...);
  });
}

}  // namespace evenfold::detail
