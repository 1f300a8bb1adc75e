#include "evenfold/matrix/aggregate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/contexts.hpp"
#include "support/fold_numbers.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

enum class layout {
  row_major,
  column_major,
  block_of_rows,     ///< row-major with a gap after each row
  block_of_columns,  ///< column-major with a gap after each column
  spread,            ///< gaps between all elements
};
constexpr layout layouts[] = {layout::row_major, layout::column_major, layout::block_of_rows,
                              layout::block_of_columns, layout::spread};

/// A view of a layout over `data`.
template <class T>
matrix_view<T> view_of(layout how, T* data, std::int64_t rows, std::int64_t columns) {
  switch (how) {
    case layout::row_major:
      return matrix_view<T>::row_major(data, rows, columns);
    case layout::column_major:
      return matrix_view<T>::column_major(data, rows, columns);
    case layout::block_of_rows:
      return matrix_view<T>::row_major(data, rows + 2, columns + 3).block(1, 2, rows, columns);
    case layout::block_of_columns:
      return matrix_view<T>::row_major(data, columns + 1, rows + 5)
          .block(1, 3, columns, rows)
          .transposed();
    case layout::spread:
      return matrix_view<T>(data + 1, rows, columns, 2 * columns + 1, 2);
  }
  return {};
}

/// The same numbers on the host and in a context, enough for a matrix of any extents below in any
/// layout.
template <class T>
struct two_sides {
  std::vector<T> host;
  array<T> data;

  template <class Context>
  explicit two_sides(Context& ctx, std::uint64_t seed = 7)
      : host(random_values<T>(large_size / 2 + (1 << 18), seed)), data(to_context(ctx, host)) {}
};

/// A matrix on the host and in a context, with noise in the gaps.
template <class T>
struct two_views {
  matrix_view<const T> here, there;
  std::string name;

  two_views(const two_sides<T>& numbers, layout how, std::int64_t rows, std::int64_t columns)
      : here(view_of(how, numbers.host.data(), rows, columns)),
        there(view_of(how, numbers.data.data(), rows, columns)),
        name(std::to_string(rows) + " x " + std::to_string(columns) + ", layout " +
             std::to_string(static_cast<int>(how))) {}
};

/// Extents around the sizes of pieces, blocks and tiles, and 0.
std::vector<std::pair<std::int64_t, std::int64_t>> extents() {
  const std::int64_t large = large_size / 16;
  return {{0, 0},     {0, 5},     {5, 0},     {1, 1},    {1, 7},     {7, 1},
          {2, 2},     {33, 31},   {42, 666},  {666, 42}, {3, large}, {large, 3},
          {1, large}, {large, 1}, {513, 129}, {40, 64},  {300, 128}};
}

/// The definition, on the host.
template <class T, class E, class Op>
T fold(matrix_view<const E> a, Op op, T init) {
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    for (std::int64_t j = 0; j < a.columns(); ++j) init = op(init, static_cast<T>(a(i, j)));
  }
  return init;
}

template <class T, class Context, class Op>
void check_all(Context& ctx, Op op, T init) {
  const two_sides<T> numbers(ctx);
  array<T> out(ctx, 1);
  for (const layout how : layouts) {
    for (const auto& [rows, columns] : extents()) {
      const two_views<T> a(numbers, how, rows, columns);
      const T expected = fold(a.here, op, init);
      ASSERT_TRUE(aggregate(ctx, a.there, op, init) == expected) << a.name;
      aggregate(ctx, a.there, op, init, out.data());
      ASSERT_TRUE(to_host(ctx, out)[0] == expected) << a.name;
    }
  }
}

template <class T, class Context, class Op>
void check_axes(Context& ctx, Op op, T init) {
  const two_sides<T> numbers(ctx);
  for (const layout how : layouts) {
    for (const auto& [rows, columns] : extents()) {
      const two_views<T> a(numbers, how, rows, columns);
      array<T> of_rows(ctx, rows);
      array<T> of_columns(ctx, columns);
      aggregate_rows(ctx, a.there, of_rows.data(), op, init);
      aggregate_columns(ctx, a.there, of_columns.data(), op, init);
      const std::vector<T> row_folds = to_host(ctx, of_rows);
      const std::vector<T> column_folds = to_host(ctx, of_columns);
      for (std::int64_t i = 0; i < rows; ++i) {
        ASSERT_TRUE(row_folds[i] == fold(a.here.row(i), op, init)) << a.name << ", row " << i;
      }
      for (std::int64_t j = 0; j < columns; ++j) {
        ASSERT_TRUE(column_folds[j] == fold(a.here.column(j), op, init))
            << a.name << ", column " << j;
      }
    }
  }
}

/// Without an initial value, and with elements of another type than the fold.
template <class Context>
void check_identities(Context& ctx) {
  const array<double> data = to_context(ctx, std::vector<double>{100, 100, 100, -100, 3, 5});
  const auto a = matrix_view<const double>::row_major(data.data(), 2, 3);
  EXPECT_EQ(aggregate(ctx, a, maximum{}), 100);
  EXPECT_EQ(aggregate(ctx, a, minimum{}), -100);
  EXPECT_EQ(aggregate(ctx, a, plus{}), 208);
  EXPECT_EQ(aggregate(ctx, a, multiplies{}), -1.5e9);
  EXPECT_EQ(mean(ctx, a), 208 / 6.);

  const auto none = a.block(0, 0, 0, 3);
  EXPECT_EQ(aggregate(ctx, none, maximum{}), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(aggregate(ctx, none, minimum{}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(aggregate(ctx, none, plus{}), 0);
  EXPECT_EQ(aggregate(ctx, none, multiplies{}), 1);
  EXPECT_TRUE(std::isnan(mean(ctx, none)));
  static_assert(identity_of<maximum, std::int8_t>::value == -128);
  static_assert(identity_of<minimum, std::uint8_t>::value == 255);

  const array<std::int8_t> small =
      to_context(ctx, std::vector<std::int8_t>{100, 100, 100, -1, 3, 5});
  const auto b = matrix_view<const std::int8_t>::row_major(small.data(), 2, 3);
  array<int> out(ctx, 3);
  aggregate(ctx, b, plus{}, out.data());
  EXPECT_EQ(to_host(ctx, out)[0], 307);
  aggregate_columns(ctx, b, out.data(), plus{});
  EXPECT_EQ(to_host(ctx, out), (std::vector<int>{99, 103, 105}));
  aggregate_columns(ctx, b.block(0, 0, 0, 3), out.data(), plus{});
  EXPECT_EQ(to_host(ctx, out), (std::vector<int>{0, 0, 0}));
}

/// One NaN at any position among infinities, and zeros of both signs.
template <class Context>
void check_special_numbers(Context& ctx) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr int rows = 40;
  constexpr int columns = 70;
  for (const int index : {0, 1, 69, 70, 1234, 2799}) {
    std::vector<double> host(rows * columns, infinity);
    host[7] = -infinity;
    host[index] = nan;
    const array<double> data = to_context(ctx, host);
    const auto a = matrix_view<const double>::row_major(data.data(), rows, columns);
    for (const auto& view : {a, a.transposed()}) {
      EXPECT_TRUE(std::isnan(aggregate(ctx, view, maximum{}))) << index;
      EXPECT_TRUE(std::isnan(aggregate(ctx, view, minimum{}))) << index;
      EXPECT_TRUE(std::isnan(aggregate(ctx, view, plus{}))) << index;
      EXPECT_TRUE(std::isnan(max_abs_difference(ctx, view, view))) << index;
    }
    const located<double> most = argmax(ctx, a);
    EXPECT_TRUE(std::isnan(most.value));
    EXPECT_EQ(most.row * columns + most.column, index);
    const located<double> least = argmin(ctx, a.transposed());
    EXPECT_TRUE(std::isnan(least.value));
    EXPECT_EQ(least.column * columns + least.row, index);
  }
  std::vector<double> zeros(rows * columns, -0.0);
  array<double> data = to_context(ctx, zeros);
  const auto a = matrix_view<const double>::row_major(data.data(), rows, columns);
  EXPECT_TRUE(std::signbit(aggregate(ctx, a, maximum{})));
  zeros[1234] = 0;
  data = to_context(ctx, zeros);
  const auto b = matrix_view<const double>::row_major(data.data(), rows, columns);
  EXPECT_FALSE(std::signbit(aggregate(ctx, b, maximum{})));
  EXPECT_TRUE(std::signbit(aggregate(ctx, b, minimum{})));
  EXPECT_EQ(argmax(ctx, b).row, 0);
  EXPECT_EQ(argmin(ctx, b.transposed()).column, 0);
}

/// Of equal elements, the first one row by row counts in every layout.
template <class T, class Context>
void check_positions(Context& ctx) {
  const two_sides<T> numbers(ctx);
  for (const layout how : layouts) {
    for (const auto& [rows, columns] : extents()) {
      if (rows * columns == 0) continue;
      const two_views<T> a(numbers, how, rows, columns);
      located<T> most{a.here(0, 0), 0, 0};
      located<T> least = most;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          if (most.value < a.here(i, j)) most = {a.here(i, j), i, j};
          if (a.here(i, j) < least.value) least = {a.here(i, j), i, j};
        }
      }
      const located<T> found = argmax(ctx, a.there);
      ASSERT_EQ(found.value, most.value) << a.name;
      ASSERT_EQ(std::pair(found.row, found.column), std::pair(most.row, most.column)) << a.name;
      const located<T> lowest = argmin(ctx, a.there);
      ASSERT_EQ(std::pair(lowest.row, lowest.column), std::pair(least.row, least.column)) << a.name;
    }
  }
}

template <class T, class Context>
void check_differences(Context& ctx) {
  const two_sides<T> numbers(ctx);
  const two_sides<T> others(ctx, 8);
  array<detail::abs_difference_t<T>> out(ctx, 1);
  for (const layout one : layouts) {
    for (const layout other : layouts) {
      for (const auto& [rows, columns] :
           {std::pair<std::int64_t, std::int64_t>{0, 3}, {1, 900}, {70, 41}, {300, 301}}) {
        const two_views<T> a(numbers, one, rows, columns);
        const two_views<T> b(others, other, rows, columns);
        detail::abs_difference_t<T> expected{};
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < columns; ++j) {
            const T x = a.here(i, j);
            const T y = b.here(i, j);
            const auto apart = static_cast<detail::abs_difference_t<T>>(x < y ? y - x : x - y);
            if (expected < apart) expected = apart;
          }
        }
        ASSERT_EQ(max_abs_difference(ctx, a.there, b.there), expected)
            << a.name << " and " << b.name;
        max_abs_difference(ctx, a.there, b.there, out.data());
        ASSERT_EQ(to_host(ctx, out)[0], expected) << a.name << " and " << b.name;
      }
    }
  }
}

template <class Context>
void check_extreme_differences(Context& ctx) {
  using limits = std::numeric_limits<std::int32_t>;
  const array<std::int32_t> data = to_context(ctx, std::vector{limits::min(), 0, limits::max(), 5});
  const auto a = matrix_view<const std::int32_t>::row_major(data.data(), 1, 2);
  const auto b = matrix_view<const std::int32_t>::row_major(data.data() + 2, 1, 2);
  EXPECT_EQ(max_abs_difference(ctx, a, b), 4294967295u);
  EXPECT_EQ(max_abs_difference(ctx, b, a), 4294967295u);
}

/// Sums of fractions show every change in the order of additions.
template <class Context>
void check_bits_of_aggregate() {
  const std::vector<float> host = random_fractions<float>(800 * 700);
  std::vector<std::vector<float>> results;
  for (const auto& ctx : equal_contexts<Context>()) {
    for (int run = 0; run < 2; ++run) {
      std::vector<float> result;
      for (const layout how : layouts) {
        const std::int64_t rows = 700;
        const std::int64_t columns = 300;
        const array<float> data = to_context(*ctx, host);
        const auto a = view_of<const float>(how, data.data(), rows, columns);
        result.push_back(aggregate(*ctx, a, plus{}));
        array<float> folds(*ctx, rows + columns);
        aggregate_rows(*ctx, a, folds.data(), plus{});
        aggregate_columns(*ctx, a, folds.data() + rows, plus{});
        for (const float fold : to_host(*ctx, folds)) result.push_back(fold);
      }
      results.push_back(result);
    }
  }
  for (const auto& result : results) {
    ASSERT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(float)), 0);
  }
}

/// More elements than a 32-bit index can count. None of them is in memory.
template <class Context>
void check_64_bit_indices(Context& ctx) {
  constexpr std::int64_t rows = 70001;
  constexpr std::int64_t columns = 70003;
  const auto on_border = EF_LAMBDA(std::int64_t i, std::int64_t j) {
    return std::int64_t{i == 0 || j == 0 || i == rows - 1 || j == columns - 1};
  };
  EXPECT_EQ(detail::fold_in_row_order(ctx, rows, columns, on_border, plus{}, std::int64_t{0}),
            2 * (rows + columns - 2));
}

/// Rows of which a GPU folds each by a thread block, beginning and ending at and between the
/// borders of runs and groups.
constexpr std::int64_t long_rows = third_if_sanitized(700);
constexpr std::int64_t longest_row = 5000;

template <class T, class Context, class Op>
void check_long_rows(Context& ctx, const std::vector<T>& host, Op op) {
  reference_context definition;
  constexpr std::int64_t rows = long_rows;
  const array<T> data = to_context(ctx, host);
  for (const layout how : {layout::row_major, layout::block_of_rows}) {
    for (const std::int64_t columns :
         {std::int64_t{1023}, std::int64_t{1024}, std::int64_t{1537}, longest_row}) {
      array<T> out(ctx, rows);
      std::vector<T> expected(rows);
      aggregate_rows(ctx, view_of(how, data.data(), rows, columns), out.data(), op, T(3));
      aggregate_rows(definition, view_of(how, host.data(), rows, columns), expected.data(), op,
                     T(3));
      const std::vector<T> result = to_host(ctx, out);
      ASSERT_EQ(std::memcmp(result.data(), expected.data(), rows * sizeof(T)), 0)
          << columns << " columns, layout " << static_cast<int>(how);
    }
  }
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const argument_error& e) {
    return e.what();
  }
  return "accepted";
}

template <class Context>
void check_errors(Context& ctx) {
  array<float> data(ctx, 12);
  const auto a = matrix_view<float>::row_major(data.data(), 3, 4);
  EXPECT_EQ(refusal([&] { argmax(ctx, a.block(1, 1, 0, 2)); }),
            "argmax: a is 0 x 2, but there is no element to locate; pass a matrix with "
            "elements");
  EXPECT_EQ(refusal([&] { argmin(ctx, a.block(1, 1, 2, 0)); }),
            "argmin: a is 2 x 0, but there is no element to locate; pass a matrix with "
            "elements");
  EXPECT_EQ(refusal([&] { max_abs_difference(ctx, a, a.transposed()); }),
            "max_abs_difference: b is 4 x 3, but a is 3 x 4; pass matrices of the same extents, or "
            "blocks of them");
}

template <class Context>
class aggregate_on : public on<Context> {};
TYPED_TEST_SUITE(aggregate_on, contexts);

template <class Context>
class aggregate_order_on : public on<Context> {};
TYPED_TEST_SUITE(aggregate_order_on, parallel_contexts);

TYPED_TEST(aggregate_on, folds_every_layout) { check_all<double>(this->ctx, maximum{}, -3.); }

TYPED_TEST(aggregate_on, keeps_the_order_of_rows) {
  check_all<matrix2>(this->ctx, multiplies{}, matrix2(1, 1, 0, 1));
}

TYPED_TEST(aggregate_on, folds_rows_and_columns) {
  check_axes<int>(this->ctx, plus{}, 3);
  check_axes<short>(this->ctx, maximum{}, short{-9});
}

TYPED_TEST(aggregate_on, keeps_the_order_in_rows_and_columns) {
  check_axes<matrix2>(this->ctx, multiplies{}, matrix2(1, 1, 0, 1));
}

TYPED_TEST(aggregate_on, has_identities_and_converts) { check_identities(this->ctx); }

TYPED_TEST(aggregate_on, handles_nan_infinities_and_signed_zeros) {
  check_special_numbers(this->ctx);
}

TYPED_TEST(aggregate_on, locates_the_first_extreme) { check_positions<double>(this->ctx); }

TYPED_TEST(aggregate_on, compares_across_layouts) { check_differences<double>(this->ctx); }

TYPED_TEST(aggregate_on, differences_of_integers_do_not_overflow) {
  check_extreme_differences(this->ctx);
}

TYPED_TEST(aggregate_on, gives_the_same_bits_every_time) { check_bits_of_aggregate<TypeParam>(); }

TYPED_TEST(aggregate_order_on, folds_long_rows_in_the_canonical_order) {
  constexpr std::int64_t enough = (long_rows + 2) * (longest_row + 3);
  check_long_rows(this->ctx, scaled_numbers<double>(enough), plus{});
  check_long_rows(this->ctx, scaled_numbers<float>(enough), plus{});
  check_long_rows(this->ctx, random_values<int>(enough), last_nonzero{});
}

TYPED_TEST(aggregate_on, numbers_more_elements_than_32_bits_count) {
  if constexpr (TypeParam::side == memory_side::device) {
    check_64_bit_indices(this->ctx);
  } else {
    GTEST_SKIP() << "takes a host too long";
  }
}

TYPED_TEST(aggregate_on, refuses_with_a_reason) { check_errors(this->ctx); }

}  // namespace
}  // namespace evenfold::testing
