#include "evenfold/algorithm/sort_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Orders numbers by their last digit.
struct by_last_digit {
  EF_HD constexpr bool operator()(int a, int b) const { return (a & 1023) % 10 < (b & 1023) % 10; }
};

/// Random multiples of `step`, `distinct` different ones, so that a column has many or few ties and
/// needs many or few bits.
std::vector<int> column_of(int count, std::uint64_t distinct, std::uint64_t seed,
                           std::uint64_t step = 1) {
  const random_stream random(seed);
  std::vector<int> result;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t draw = random.below(static_cast<std::uint64_t>(i), distinct);
    result.push_back(static_cast<int>(draw * step) - 1000);
  }
  return result;
}

/// The order of the rows by the definition, where before(a, b) compares rows a and b.
template <class Before>
std::vector<int> sorted_rows(int count, Before before) {
  std::vector<int> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(), before);
  return rows;
}

template <class T>
std::vector<T> picked(const std::vector<T>& from, const std::vector<int>& rows) {
  std::vector<T> result;
  for (const int row : rows) result.push_back(from[static_cast<std::size_t>(row)]);
  return result;
}

template <class Context>
void check_two(Context& ctx, int count, std::uint64_t distinct, std::uint64_t step) {
  const std::vector<int> host_x = column_of(count, distinct, 1, step);
  const std::vector<int> host_y = column_of(count, 1u << 30, 2);
  array<int> x = to_context(ctx, host_x);
  array<int> y = to_context(ctx, host_y);
  array<int> indices(ctx, count);
  const auto columns = make_tuple(ascending(x.data()), descending(y.data()));
  sort_indices(ctx, columns, indices.data(), count);
  sort_columns(ctx, columns, count);
  const std::vector<int> expected = sorted_rows(count, [&](int a, int b) {
    return host_x[a] != host_x[b] ? host_x[a] < host_x[b] : host_y[a] > host_y[b];
  });
  ASSERT_EQ(to_host(ctx, indices), expected);
  ASSERT_EQ(to_host(ctx, x), picked(host_x, expected));
  ASSERT_EQ(to_host(ctx, y), picked(host_y, expected));
}

/// A comparator in the first column, then 8 bytes, floats with NaN, and a byte.
template <class Context>
void check_four(Context& ctx, int count) {
  const std::vector<int> a = column_of(count, 1000, 3);
  std::vector<double> b;
  std::vector<float> c;
  std::vector<std::int8_t> d;
  for (int i = 0; i < count; ++i) {
    b.push_back(a[i] % 7);
    c.push_back(i % 5 == 0 ? std::numeric_limits<float>::quiet_NaN()
                           : static_cast<float>(i % 4) - 2);
    d.push_back(static_cast<std::int8_t>(i * 37));
  }
  array<int> on_a = to_context(ctx, a);
  array<double> on_b = to_context(ctx, b);
  array<float> on_c = to_context(ctx, c);
  array<std::int8_t> on_d = to_context(ctx, d);
  sort_columns(ctx,
               make_tuple(ordered_by(on_a.data(), by_last_digit{}), descending(on_b.data()),
                          ascending(on_c.data()), descending(on_d.data())),
               count);
  const auto up = [](float p, float q) { return p < q || (std::isnan(q) && !std::isnan(p)); };
  const std::vector<int> expected = sorted_rows(count, [&](int p, int q) {
    if (by_last_digit{}(a[p], a[q]) || by_last_digit{}(a[q], a[p])) {
      return by_last_digit{}(a[p], a[q]);
    }
    if (b[p] != b[q]) return b[p] > b[q];
    if (up(c[p], c[q]) || up(c[q], c[p])) return up(c[p], c[q]);
    return d[p] > d[q];
  });
  ASSERT_EQ(to_host(ctx, on_a), picked(a, expected));
  ASSERT_EQ(to_host(ctx, on_b), picked(b, expected));
  ASSERT_EQ(to_host(ctx, on_d), picked(d, expected));
  const std::vector<float> got = to_host(ctx, on_c);
  for (int i = 0; i < count; ++i) {
    const float right = c[static_cast<std::size_t>(expected[i])];
    ASSERT_TRUE(got[i] == right || (std::isnan(got[i]) && std::isnan(right))) << i;
  }
}

/// An ascending byte, then descending floats: NaN last, with different bits as different keys; both
/// zeros equal. Without a -0, the rows are narrow enough to be sorted as numbers.
template <class Context>
void check_special(Context& ctx, int count, bool has_negative_zero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const float special[] = {nan, -nan, infinity, -infinity, 0.0f, has_negative_zero ? -0.0f : 0.5f};
  const random_stream random(7);
  std::vector<std::int8_t> a;
  std::vector<float> b;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t draw = random.below(static_cast<std::uint64_t>(i), 40);
    a.push_back(static_cast<std::int8_t>(i % 3 - 1));
    b.push_back(draw < 6 ? special[draw] : static_cast<float>(draw) - 23.0f);
  }
  array<std::int8_t> on_a = to_context(ctx, a);
  array<float> on_b = to_context(ctx, b);
  sort_columns(ctx, make_tuple(ascending(on_a.data()), descending(on_b.data())), count);
  const auto is_before = [&](int p, int q) {
    if (std::isnan(b[p]) != std::isnan(b[q])) return std::isnan(b[q]);
    return std::isnan(b[p]) ? std::signbit(b[p]) && !std::signbit(b[q]) : b[p] > b[q];
  };
  const std::vector<int> expected = sorted_rows(
      count, [&](int p, int q) { return a[p] != a[q] ? a[p] < a[q] : is_before(p, q); });
  ASSERT_EQ(to_host(ctx, on_a), picked(a, expected));
  const std::vector<float> right = picked(b, expected);
  ASSERT_EQ(std::memcmp(to_host(ctx, on_b).data(), right.data(), right.size() * sizeof(float)), 0);
}

template <class Context>
class sort_columns_on : public on<Context> {};
TYPED_TEST_SUITE(sort_columns_on, contexts);

TYPED_TEST(sort_columns_on, two_columns_with_few_and_many_ties) {
  for (const int count : {0, 1, 2, 8705, static_cast<int>(third_if_sanitized(100000))}) {
    for (const std::uint64_t distinct : {1u, 2u, 300u, 1u << 16, 1u << 30}) {
      SCOPED_TRACE(std::to_string(count) + " rows, " + std::to_string(distinct) + " distinct");
      check_two(this->ctx, count, distinct, 1);
      check_two(this->ctx, count, distinct, (1u << 30) / distinct);
    }
  }
}

TYPED_TEST(sort_columns_on, columns_of_one_value) {
  const std::vector<int> sevens(1000, 7);
  array<int> x = to_context(this->ctx, sevens);
  array<int> y = to_context(this->ctx, sevens);
  const auto columns = make_tuple(ascending(x.data()), descending(y.data()));
  array<int> indices(this->ctx, 1000);
  sort_indices(this->ctx, columns, indices.data(), 1000);
  sort_columns(this->ctx, columns, 1000);
  EXPECT_EQ(to_host(this->ctx, indices), sorted_rows(1000, [](int, int) { return false; }));
  EXPECT_EQ(to_host(this->ctx, x), sevens);
  EXPECT_EQ(to_host(this->ctx, y), sevens);
}

TYPED_TEST(sort_columns_on, nan_and_zeros) {
  for (const int count : {1, 30000}) {
    check_special(this->ctx, count, false);
    check_special(this->ctx, count, true);
  }
}

TYPED_TEST(sort_columns_on, four_columns_of_four_types) {
  for (const int count : {1, 3000, 40000}) check_four(this->ctx, count);
}

// Whole rows are moved, so that they must have no padding.
template <class Row>
constexpr bool has_no_padding = false;
template <class... Elements>
constexpr bool has_no_padding<tuple<Elements...>> =
    (std::has_unique_object_representations_v<Elements> && ...) &&
    sizeof(tuple<Elements...>) == (sizeof(Elements) + ...);
template <class... Keys>
constexpr bool is_without_padding = has_no_padding<detail::column_row<Keys...>>;
static_assert(is_without_padding<std::int8_t, std::int64_t, std::int16_t, std::int32_t>);
static_assert(is_without_padding<std::int64_t, std::int8_t>);
static_assert(is_without_padding<std::int32_t, std::int32_t>);
static_assert(sizeof(detail::column_row<std::int64_t, std::int8_t, std::int8_t>) == 16);
static_assert(std::is_trivially_copyable_v<detail::column_row<double, std::int8_t, float>>);

TYPED_TEST(sort_columns_on, refuses_a_negative_count) {
  int* const no = nullptr;
  try {
    sort_columns(this->ctx, make_tuple(ascending(no), descending(no)), -1);
    FAIL() << "took a negative count";
  } catch (const argument_error& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, 25), "sort_columns: count is -1") << e.what();
  }
}

}  // namespace
}  // namespace evenfold::testing
