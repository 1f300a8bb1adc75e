#include "evenfold/matrix/argmax_axis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/contexts.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Context>
using argmax_axis = on<Context>;
TYPED_TEST_SUITE(argmax_axis, contexts);

/// The first column that no other column beats, as in NumPy: a NaN beats all numbers.
template <class T>
std::int64_t first_extreme(matrix_view<const T> a, std::int64_t i, bool largest) {
  std::int64_t best = 0;
  for (std::int64_t j = 1; j < a.columns(); ++j) {
    const T x = a(i, j), y = a(i, best);
    if (y != y) break;
    if (x != x || (largest ? x > y : x < y)) best = j;
  }
  return best;
}

template <class T>
bool same(T a, T b) {
  return a == b || (a != a && b != b);
}

/// Compares all four functions with plain loops.
template <class T, class Context>
void check_argmax_axis(Context& ctx, const std::vector<T>& host, std::int64_t rows,
                       std::int64_t columns, bool by_rows) {
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) +
               (by_rows ? " by rows" : " by columns"));
  const array<T> data = to_context(ctx, host.data(), static_cast<std::size_t>(rows * columns));
  const auto view = [&](const T* elements) {
    return by_rows ? matrix_view<const T>::row_major(elements, rows, columns)
                   : matrix_view<const T>::column_major(elements, rows, columns);
  };
  const auto here = view(host.data()), there = view(data.data());
  for (const bool largest : {true, false}) {
    for (const bool of_rows : {true, false}) {
      const auto lines = of_rows ? here : here.transposed();
      array<T> values(ctx, lines.rows());
      array<std::int64_t> indices(ctx, lines.rows());
      if (largest) {
        of_rows ? argmax_rows(ctx, there, values.data(), indices.data())
                : argmax_columns(ctx, there, values.data(), indices.data());
      } else {
        of_rows ? argmin_rows(ctx, there, values.data(), indices.data())
                : argmin_columns(ctx, there, values.data(), indices.data());
      }
      const std::vector<T> got_values = to_host(ctx, values);
      const std::vector<std::int64_t> got = to_host(ctx, indices);
      for (std::int64_t i = 0; i < lines.rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (lines.columns() == 0) {
          ASSERT_EQ(got[at], 0);
          continue;
        }
        const std::int64_t expected = first_extreme(lines, i, largest);
        ASSERT_EQ(got[at], expected) << "line " << i;
        ASSERT_TRUE(same(got_values[at], lines(i, expected))) << "line " << i;
      }
    }
  }
}

template <class Context>
void all_shapes(Context& ctx) {
  std::vector<double> distinct = random_values<double>(60000, 3);
  // Of small integers, many are equal.
  std::vector<double> ties(distinct.size());
  for (std::size_t i = 0; i < ties.size(); ++i) {
    ties[i] = static_cast<double>(static_cast<std::int64_t>(i * 7919 % 5));
  }
  std::vector<double> some_nan = distinct;
  for (std::size_t i = 11; i < some_nan.size(); i += 97) some_nan[i] = std::nan("");
  const std::vector<double> equal(distinct.size(), 1.5);
  for (const auto& values : {distinct, ties, some_nan, equal}) {
    for (const bool by_rows : {true, false}) {
      for (const auto& [rows, columns] :
           std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0},
                                                              {0, 4},
                                                              {4, 0},
                                                              {1, 1},
                                                              {1, 60000},
                                                              {60000, 1},
                                                              {3, 20000},
                                                              {20000, 3},
                                                              {33, 31},
                                                              {257, 130}}) {
        check_argmax_axis(ctx, values, rows, columns, by_rows);
      }
    }
  }
}
TYPED_TEST(argmax_axis, every_shape_and_both_orders) { all_shapes(this->ctx); }

template <class Context>
void zeros_and_extremes(Context& ctx) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  check_argmax_axis(ctx, std::vector<double>{-0., 0, 0., -0., -inf, -inf, inf, inf}, 4, 2, true);
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  check_argmax_axis(
      ctx, std::vector<std::int64_t>{lowest, lowest, highest, highest, highest - 1, highest}, 3, 2,
      true);
}
TYPED_TEST(argmax_axis, zeros_and_extremes) { zeros_and_extremes(this->ctx); }

}  // namespace
}  // namespace evenfold::testing
