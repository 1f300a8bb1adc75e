#include "evenfold/matrix/jacobi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/contexts.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A row-major grid on the host.
template <class T>
struct host_grid {
  std::int64_t rows, columns;
  std::vector<T> values;

  T& at(std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(i * columns + j)];
  }
  matrix_view<T> view() { return matrix_view<T>::row_major(values.data(), rows, columns); }
};

template <class T>
host_grid<T> random_grid(std::int64_t rows, std::int64_t columns) {
  return {rows, columns, random_fractions<T>(rows * columns)};
}

template <class T>
host_grid<T> constant_grid(std::int64_t rows, std::int64_t columns, T value) {
  return {rows, columns, std::vector<T>(static_cast<std::size_t>(rows * columns), value)};
}

/// The definition, on the host.
template <class T>
jacobi_result<T> by_definition(host_grid<T>& grid, T tolerance, std::int64_t max_sweeps) {
  jacobi_result<T> result{0, std::numeric_limits<T>::infinity(), false};
  while (result.sweeps < max_sweeps && !result.converged) {
    host_grid<T> before = grid;
    result.residual = 0;
    for (std::int64_t i = 1; i < grid.rows - 1; ++i) {
      for (std::int64_t j = 1; j < grid.columns - 1; ++j) {
        const T sum = (before.at(i - 1, j) + before.at(i + 1, j)) +
                      (before.at(i, j - 1) + before.at(i, j + 1));
        grid.at(i, j) = sum / 4;
        const T change = std::abs(sum - 4 * before.at(i, j)) / 4;
        // Far from underflow this is the exact change.
        if (change > T{1e-30f}) {
          EXPECT_EQ(change, std::abs(grid.at(i, j) - before.at(i, j)));
        }
        result.residual = std::max(result.residual, change);
      }
    }
    ++result.sweeps;
    result.converged = result.residual <= tolerance;
  }
  return result;
}

template <class T>
void expect_same_bits(const std::vector<T>& got, const std::vector<T>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(std::memcmp(&got[i], &expected[i], sizeof(T)), 0)
        << "element " << i << ": " << got[i] << ", not " << expected[i];
  }
}

template <class T>
void expect_same(const jacobi_result<T>& got, const jacobi_result<T>& expected) {
  EXPECT_EQ(got.sweeps, expected.sweeps);
  EXPECT_EQ(got.residual, expected.residual);
  EXPECT_EQ(got.converged, expected.converged);
}

/// Runs jacobi on a copy of the grid in the context, and copies it back.
template <class T, class Context>
jacobi_result<T> run(Context& ctx, host_grid<T>& grid, T tolerance, std::int64_t max_sweeps) {
  array<T> values = to_context(ctx, grid.values);
  const auto view = matrix_view<T>::row_major(values.data(), grid.rows, grid.columns);
  const jacobi_result<T> result = jacobi(ctx, view, tolerance, max_sweeps);
  grid.values = to_host(ctx, values);
  return result;
}

template <class T, class Context>
void check_by_definition(Context& ctx, std::int64_t rows, std::int64_t columns, T tolerance,
                         std::int64_t max_sweeps) {
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) + ", at most " +
               std::to_string(max_sweeps));
  host_grid<T> expected = random_grid<T>(rows, columns);
  host_grid<T> got = expected;
  const jacobi_result<T> right = by_definition(expected, tolerance, max_sweeps);
  expect_same(run(ctx, got, tolerance, max_sweeps), right);
  expect_same_bits(got.values, expected.values);
}

template <class Context>
class jacobi_on : public on<Context> {};
TYPED_TEST_SUITE(jacobi_on, contexts);

TYPED_TEST(jacobi_on, every_shape_around_the_edges_of_strips) {
  for (const std::int64_t rows : {3, 4, 10, 11, 41}) {
    for (const std::int64_t columns : {3, 17, 18, 33, 300}) {
      check_by_definition<double>(this->ctx, rows, columns, 0, 3);
      check_by_definition<float>(this->ctx, columns, rows, 0, 2);
    }
  }
  for (const std::int64_t columns : {2047, 2048, 2049, 2050, 4100}) {
    check_by_definition<double>(this->ctx, 12, columns, 0, 3);
  }
  check_by_definition<double>(this->ctx, 700, 650, 0, 3);
}

TYPED_TEST(jacobi_on, every_number_of_sweeps) {
  for (const std::int64_t sweeps : {0, 1, 2, 3, 4, 6, 7, 8, 126, 127, 128, 191, 192, 300}) {
    check_by_definition<double>(this->ctx, 21, 19, 0, sweeps);
  }
}

TYPED_TEST(jacobi_on, stops_at_the_first_small_change) {
  // Tolerances that are met after few and after many sweeps, when the host checks the change and
  // between two checks.
  host_grid<double> start = random_grid<double>(14, 15);
  for (const std::int64_t sweeps : {1, 2, 3, 4, 5, 7, 9, 63, 64, 70, 127, 128, 190, 193}) {
    host_grid<double> expected = start;
    const double met = by_definition(expected, 0., sweeps).residual;
    host_grid<double> got = start;
    const jacobi_result<double> result = run(this->ctx, got, met, 1000);
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.sweeps, sweeps);
    EXPECT_EQ(result.residual, met);
    expect_same_bits(got.values, expected.values);
    // A slightly smaller tolerance takes at least one more sweep.
    got = start;
    EXPECT_GT(run(this->ctx, got, std::nextafter(met, 0.), 1000).sweeps, sweeps);
  }
}

TYPED_TEST(jacobi_on, converges_to_zero_through_subnormal_numbers) {
  host_grid<double> expected = constant_grid(5, 6, 0.);
  for (std::int64_t i = 1; i < 4; ++i) {
    for (std::int64_t j = 1; j < 5; ++j) expected.at(i, j) = 1e-300 * static_cast<double>(i + j);
  }
  host_grid<double> got = expected;
  const jacobi_result<double> right = by_definition(expected, 0., 5000);
  ASSERT_TRUE(right.converged);
  ASSERT_GT(right.sweeps, 100);
  expect_same(run(this->ctx, got, 0., 5000), right);
  expect_same_bits(got.values, expected.values);
}

template <class Context>
void check_layouts(Context& ctx) {
  const std::int64_t rows = 12;
  const std::int64_t columns = 19;
  for (const std::int64_t sweeps : {4, 5}) {
    host_grid<float> expected = random_grid<float>(rows, columns);
    const host_grid<float> start = expected;
    const jacobi_result<float> right = by_definition(expected, 0.f, sweeps);
    const auto check = [&](std::int64_t row_stride, std::int64_t column_stride) {
      SCOPED_TRACE(std::to_string(row_stride) + ", " + std::to_string(column_stride));
      // The other elements of that memory do not change.
      std::vector<float> memory(2000, -7.f);
      std::vector<float> after = memory;
      const auto embed = [&](std::vector<float>& in, const std::vector<float>& from) {
        for (std::int64_t i = 0; i < rows * columns; ++i) {
          in[static_cast<std::size_t>(i / columns * row_stride + i % columns * column_stride + 3)] =
              from[static_cast<std::size_t>(i)];
        }
      };
      embed(memory, start.values);
      embed(after, expected.values);
      array<float> values = to_context(ctx, memory);
      const matrix_view<float> view(values.data() + 3, rows, columns, row_stride, column_stride);
      expect_same(jacobi(ctx, view, 0.f, sweeps), right);
      expect_same_bits(to_host(ctx, values), after);
    };
    check(columns, 1);
    check(columns + 5, 1);
    check(1, rows);
    check(1, rows + 3);
    check(3 * columns, 3);
    check(2, 2 * rows);
    check(2, 2 * rows + 1);
  }
}
TYPED_TEST(jacobi_on, every_layout_gives_the_same_bits) { check_layouts(this->ctx); }

TYPED_TEST(jacobi_on, the_border_bounds_the_inside) {
  host_grid<double> grid = random_grid<double>(40, 30);
  for (std::int64_t i = 1; i < 39; ++i) {
    for (std::int64_t j = 1; j < 29; ++j) grid.at(i, j) = 0.5;
  }
  host_grid<double> border = grid;
  ASSERT_TRUE(run(this->ctx, grid, 1e-7, 100000).converged);
  for (std::int64_t i = 0; i < 40; ++i) {
    for (std::int64_t j = 0; j < 30; ++j) {
      ASSERT_GT(grid.at(i, j), 0);
      ASSERT_LT(grid.at(i, j), 1);
      if (i == 0 || j == 0 || i == 39 || j == 29) {
        ASSERT_EQ(grid.at(i, j), border.at(i, j));
      }
    }
  }
}

TYPED_TEST(jacobi_on, linear_functions_do_not_change) {
  host_grid<double> grid = constant_grid(30, 50, 0.);
  for (std::int64_t i = 0; i < 30; ++i) {
    for (std::int64_t j = 0; j < 50; ++j) grid.at(i, j) = static_cast<double>(3 * i - 2 * j);
  }
  const std::vector<double> before = grid.values;
  expect_same(run(this->ctx, grid, 0., 10), {1, 0., true});
  expect_same_bits(grid.values, before);
}

TYPED_TEST(jacobi_on, grids_without_an_inside) {
  for (const std::int64_t rows : {0, 1, 2, 9}) {
    for (const std::int64_t columns : {0, 1, 2}) {
      host_grid<float> grid = random_grid<float>(rows, columns);
      const std::vector<float> before = grid.values;
      expect_same(run(this->ctx, grid, 0.f, 10), {0, 0.f, true});
      std::swap(grid.rows, grid.columns);
      expect_same(run(this->ctx, grid, 0.f, 10), {0, 0.f, true});
      expect_same_bits(grid.values, before);
    }
  }
}

TYPED_TEST(jacobi_on, nan_ends_it_and_corners_do_not_matter) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto ended = [&](host_grid<double> grid) { return run(this->ctx, grid, 1e9, 1000); };
  for (const auto& [i, j] : {std::pair(0, 7), std::pair(5, 0), std::pair(13, 8), std::pair(7, 7)}) {
    host_grid<double> grid = random_grid<double>(20, 25);
    grid.at(i, j) = nan;
    const jacobi_result<double> result = ended(grid);
    EXPECT_EQ(result.sweeps, 1);
    EXPECT_TRUE(std::isnan(result.residual));
    EXPECT_FALSE(result.converged);
  }
  host_grid<double> lonely = constant_grid(3, 3, 1.);
  lonely.at(1, 1) = -nan;
  EXPECT_TRUE(std::isnan(ended(lonely).residual));

  host_grid<double> hot = random_grid<double>(20, 25);
  hot.at(0, 7) = infinity;
  EXPECT_EQ(ended(hot).sweeps, 2);
  EXPECT_TRUE(std::isnan(ended(hot).residual));

  host_grid<double> corners = random_grid<double>(20, 25);
  for (const std::int64_t i : {0, 19}) corners.at(i, 0) = corners.at(i, 24) = nan;
  EXPECT_TRUE(ended(corners).converged);
}

TYPED_TEST(jacobi_on, reports_its_progress) {
  host_grid<double> grid = random_grid<double>(30, 30);
  array<double> values = to_context(this->ctx, grid.values);
  std::vector<std::int64_t> sweeps;
  double residual = 0;
  const auto result = jacobi(this->ctx, matrix_view<double>::row_major(values.data(), 30, 30), 1e-3,
                             100, [&](std::int64_t done, double change) {
                               sweeps.push_back(done);
                               residual = change;
                             });
  ASSERT_FALSE(sweeps.empty());
  EXPECT_EQ(sweeps.front(), 1);
  EXPECT_EQ(sweeps.back(), result.sweeps);
  EXPECT_EQ(residual, result.residual);
  EXPECT_EQ(std::adjacent_find(sweeps.begin(), sweeps.end(), std::greater_equal{}), sweeps.end());
}

template <class Context>
std::string refusal(Context& ctx, matrix_view<double> view, double tolerance,
                    std::int64_t max_sweeps) {
  try {
    jacobi(ctx, view, tolerance, max_sweeps);
  } catch (const argument_error& refused) {
    return refused.what();
  }
  return "accepted";
}

TYPED_TEST(jacobi_on, refuses_what_makes_no_sense) {
  host_grid<double> grid = random_grid<double>(5, 5);
  array<double> values = to_context(this->ctx, grid.values);
  const auto view = matrix_view<double>::row_major(values.data(), 5, 5);
  const std::string finite = ", but it must be a finite number of at least 0; ";
  EXPECT_EQ(refusal(this->ctx, view, -0.5, 1).find("jacobi: tolerance is -0.5" + finite), 0u);
  EXPECT_EQ(refusal(this->ctx, view, NAN, 1).find("jacobi: tolerance is nan" + finite), 0u);
  EXPECT_EQ(refusal(this->ctx, view, INFINITY, 1).find("jacobi: tolerance is inf" + finite), 0u);
  EXPECT_EQ(refusal(this->ctx, view, 0, -1).find("jacobi: max_sweeps is -1, but "), 0u);
  expect_same_bits(to_host(this->ctx, values), grid.values);
  if constexpr (TypeParam::side == memory_side::device) {
    EXPECT_EQ(refusal(this->ctx, grid.view(), 0, 1).find("jacobi: A is a host pointer, but "), 0u);
  }
}

TYPED_TEST(jacobi_on, without_memory_nothing_happens) {
  host_grid<double> grid = random_grid<double>(50, 50);
  array<double> values = to_context(this->ctx, grid.values);
  this->ctx.synchronize();
  const auto poor = make_poor_context<TypeParam>();
  EXPECT_THROW(jacobi(*poor, matrix_view<double>::row_major(values.data(), 50, 50), 0, 10),
               allocation_error);
  expect_same_bits(to_host(this->ctx, values), grid.values);
}

template <class Context>
void check_set_border(Context& ctx, std::int64_t rows, std::int64_t columns,
                      const std::vector<int>& expected) {
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
  array<int> values = to_context(ctx, std::vector<int>(expected.size(), 9));
  set_border(ctx, matrix_view<int>::row_major(values.data(), rows, columns), 1, 2, 3, 4);
  EXPECT_EQ(to_host(ctx, values), expected);
  // The same in the other layout.
  values = to_context(ctx, std::vector<int>(expected.size(), 9));
  set_border(ctx, matrix_view<int>::column_major(values.data(), columns, rows), 2, 1, 4, 3);
  std::vector<int> other = to_host(ctx, values);
  if (rows > 2 && columns > 2) {
    // Corners belong to the top and the bottom, which are the sides in this layout.
    for (const std::int64_t i : {std::int64_t{0}, rows - 1}) {
      const auto first = static_cast<std::size_t>(i * columns);
      const auto last = first + static_cast<std::size_t>(columns) - 1;
      EXPECT_EQ(other[first], 2);
      EXPECT_EQ(other[last], 4);
      other[first] = expected[first];
      other[last] = expected[last];
    }
    EXPECT_EQ(other, expected);
  }
}

TYPED_TEST(jacobi_on, set_border) {
  check_set_border(this->ctx, 4, 5, {1, 1, 1, 1, 1,  //
                                     2, 9, 9, 9, 4,  //
                                     2, 9, 9, 9, 4,  //
                                     3, 3, 3, 3, 3});
  check_set_border(this->ctx, 3, 3, {1, 1, 1, 2, 9, 4, 3, 3, 3});
  check_set_border(this->ctx, 2, 3, {1, 1, 1, 3, 3, 3});
  check_set_border(this->ctx, 3, 2, {1, 1, 2, 4, 3, 3});
  check_set_border(this->ctx, 1, 3, {1, 1, 1});
  check_set_border(this->ctx, 3, 1, {1, 2, 3});
  check_set_border(this->ctx, 0, 3, {});
}

}  // namespace
}  // namespace evenfold::testing
