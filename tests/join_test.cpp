#include "evenfold/table/join.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A key of two columns, the second of them descending; negative towns are null.
struct town {
  int country;
  std::int64_t number;
};

struct by_town {
  EF_HD constexpr bool operator()(const town& a, const town& b) const {
    return a.country < b.country || (a.country == b.country && b.number < a.number);
  }
};

struct unknown_town {
  EF_HD constexpr bool operator()(const town& key) const { return key.number < 0; }
};

/// Less, with NaN greater than all numbers: a strict weak order, which < is not.
struct nan_last {
  EF_HD bool operator()(double a, double b) const { return a < b || (b != b && a == a); }
};

struct is_nan {
  EF_HD bool operator()(double a) const { return a != a; }
};

using row_pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The rows that match, by one loop per side.
template <class Key, class Less, class IsNull>
row_pairs nested_loops(const std::vector<Key>& left, const std::vector<Key>& right, Less less,
                       IsNull is_null) {
  row_pairs result;
  for (std::size_t l = 0; l < left.size(); ++l) {
    const Key a = left[l];
    std::int64_t r = 0;
    for (const Key& b : right) {
      if (!less(a, b) && !less(b, a) && !is_null(a) && !is_null(b)) result.emplace_back(l, r);
      ++r;
    }
  }
  return result;
}

/// The joins by their definitions, from the rows that match.
row_pairs joined(join_kind how, const row_pairs& matches, std::size_t left_count,
                 std::size_t right_count) {
  row_pairs result;
  std::vector<bool> met(right_count);
  std::size_t next = 0;
  for (std::size_t l = 0; l < left_count; ++l) {
    const std::size_t begin = next;
    for (; next < matches.size() && matches[next].first == static_cast<std::int64_t>(l); ++next) {
      met[static_cast<std::size_t>(matches[next].second)] = true;
      if (how != join_kind::semi && how != join_kind::anti) result.push_back(matches[next]);
    }
    const bool lonely = next == begin;
    if (how == join_kind::semi || how == join_kind::anti) {
      if (lonely == (how == join_kind::anti)) result.emplace_back(l, -1);
    } else if (lonely && (how == join_kind::left || how == join_kind::full)) {
      result.emplace_back(l, -1);
    }
  }
  if (how == join_kind::right || how == join_kind::full) {
    for (std::size_t r = 0; r < right_count; ++r) {
      if (!met[r]) result.emplace_back(-1, r);
    }
  }
  return result;
}

template <class Context, class Row>
row_pairs on_host(Context& ctx, const joined_rows<Row>& rows) {
  const std::vector<Row> left = to_host(ctx, rows.left);
  const std::vector<Row> right = to_host(ctx, rows.right);
  row_pairs result;
  for (std::size_t i = 0; i < left.size(); ++i) result.emplace_back(left[i], right[i]);
  return result;
}

template <class Context, class Row>
row_pairs on_host(Context& ctx, const array<Row>& rows) {
  row_pairs result;
  for (const Row row : to_host(ctx, rows)) result.emplace_back(row, -1);
  return result;
}

template <class Size, class Key, class Context, class Less, class IsNull = never_null>
void check_join(Context& ctx, const std::vector<Key>& left, const std::vector<Key>& right,
                Less less, IsNull is_null = {}) {
  SCOPED_TRACE(::testing::Message() << left.size() << " and " << right.size() << " rows");
  const array<Key> on_left = to_context(ctx, left);
  const array<Key> on_right = to_context(ctx, right);
  const Key* const l = on_left.data();
  const Key* const r = on_right.data();
  const auto m = static_cast<Size>(left.size());
  const auto n = static_cast<int>(right.size());
  const row_pairs matches = nested_loops(left, right, less, is_null);
  const auto expect = [&](join_kind how, const row_pairs& rows) {
    const row_pairs expected = joined(how, matches, left.size(), right.size());
    ASSERT_TRUE(rows == expected) << "kind " << static_cast<int>(how);
    ASSERT_EQ(join_count(ctx, how, l, m, r, n, less, is_null),
              static_cast<std::int64_t>(expected.size()))
        << "kind " << static_cast<int>(how);
  };
  expect(join_kind::inner, on_host(ctx, inner_join(ctx, l, m, r, n, less, is_null)));
  expect(join_kind::left, on_host(ctx, left_join(ctx, l, m, r, n, less, is_null)));
  expect(join_kind::right, on_host(ctx, right_join(ctx, l, m, r, n, less, is_null)));
  expect(join_kind::full, on_host(ctx, full_join(ctx, l, m, r, n, less, is_null)));
  expect(join_kind::semi, on_host(ctx, semi_join(ctx, l, m, r, n, less, is_null)));
  expect(join_kind::anti, on_host(ctx, anti_join(ctx, l, m, r, n, less, is_null)));
}

std::vector<int> sorted_numbers(int count, int distinct, std::uint64_t seed) {
  const random_stream random(seed);
  std::vector<int> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(static_cast<int>(
        random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(distinct))));
  }
  std::sort(result.begin(), result.end());
  return result;
}

template <class Context>
void check_numbers(Context& ctx) {
  const std::vector<int> none;
  for (const int distinct : {1, 10, 300, 100000}) {
    for (const int count : {1, 7, 300, 2000}) {
      check_join<int>(ctx, sorted_numbers(count, distinct, 1), sorted_numbers(500, distinct, 2),
                      less{});
    }
  }
  check_join<int>(ctx, none, none, less{});
  check_join<int>(ctx, none, sorted_numbers(3000, 100, 1), less{});
  check_join<int>(ctx, sorted_numbers(3000, 100, 1), none, less{});
}

template <class Context>
void check_towns(Context& ctx) {
  const random_stream random(3);
  std::vector<town> sides[2];
  for (std::uint64_t i = 0; i < 3000; ++i) {
    sides[i % 3 == 0].push_back({static_cast<int>(random.below(2 * i, 10)),
                                 static_cast<std::int64_t>(random.below(2 * i + 1, 60)) - 4});
  }
  for (std::vector<town>& side : sides) std::sort(side.begin(), side.end(), by_town{});
  check_join<std::int64_t>(ctx, sides[0], sides[1], by_town{}, unknown_town{});
}

template <class Context>
void check_nan(Context& ctx) {
  std::vector<double> left, right;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 500; ++i) {
    left.push_back(i % 5 == 0 ? nan : i % 40);
    right.push_back(i % 7 == 0 ? nan : i % 90);
  }
  std::sort(left.begin(), left.end(), nan_last{});
  std::sort(right.begin(), right.end(), nan_last{});
  check_join<int>(ctx, left, right, nan_last{}, is_nan{});
  // NaN are equal to each other, unless they are null.
  const array<double> on_left = to_context(ctx, left);
  const array<double> on_right = to_context(ctx, right);
  const auto with =
      join_count(ctx, join_kind::inner, on_left.data(), 500, on_right.data(), 500, nan_last{});
  const auto without = join_count(ctx, join_kind::inner, on_left.data(), 500, on_right.data(), 500,
                                  nan_last{}, is_nan{});
  EXPECT_EQ(with - without, 100 * 72);
}

/// One key occurs a thousand times as often as any other, on both sides. The number of results is
/// the sum of the products over all keys, and every result joins equal keys, in order.
template <class Context>
void check_skew(Context& ctx) {
  constexpr int count = 30000;
  std::vector<int> left = sorted_numbers(count, count, 4);
  std::vector<int> right = sorted_numbers(count, count, 5);
  std::fill(left.begin() + 9000, left.begin() + 10000, left[9000]);
  const auto heavy = std::lower_bound(right.begin(), right.end() - 1000, left[9000]);
  std::fill(heavy, heavy + 1000, left[9000]);
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  std::map<int, std::int64_t> left_times, right_times;
  for (const int key : left) ++left_times[key];
  for (const int key : right) ++right_times[key];
  std::int64_t expected = 0;
  for (const auto& [key, times] : left_times) {
    if (right_times.contains(key)) expected += times * right_times.at(key);
  }
  const array<int> on_left = to_context(ctx, left);
  const array<int> on_right = to_context(ctx, right);
  const auto rows = inner_join(ctx, on_left.data(), count, on_right.data(), count, less{});
  const row_pairs got = on_host(ctx, rows);
  ASSERT_EQ(static_cast<std::int64_t>(got.size()), expected);
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(left[got[i].first], right[got[i].second]) << "row " << i;
    ASSERT_TRUE(i == 0 || got[i - 1] < got[i]) << "row " << i;
  }
}

/// 2^40 rows, or 2^38 under a sanitizer, are counted without being computed.
template <class Context>
void check_too_large(Context& ctx) {
  constexpr int count = 1 << (is_sanitized ? 19 : 20);
  constexpr std::int64_t rows = std::int64_t{count} * count;
  const array<std::uint8_t> keys = to_context(ctx, std::vector<std::uint8_t>(count, 7));
  EXPECT_EQ(join_count(ctx, join_kind::inner, keys.data(), count, keys.data(), count, less{}),
            rows);
  std::string message;
  try {
    full_join(ctx, keys.data(), count, keys.data(), count, less{});
  } catch (const allocation_error& e) {
    message = e.what();
  }
  EXPECT_EQ(message.substr(0, message.find(", but")),
            "full_join: the result has " + std::to_string(rows) + " rows of 8 bytes");
  EXPECT_EQ(message.substr(message.find(" bytes are")),
            " bytes are available; count it with join_count, or join in parts");
}

template <class Context>
class join_on : public on<Context> {};
TYPED_TEST_SUITE(join_on, contexts);

TYPED_TEST(join_on, of_all_kinds_are_what_nested_loops_give) { check_numbers(this->ctx); }

TYPED_TEST(join_on, keys_are_structures_and_null_meets_nothing) { check_towns(this->ctx); }

TYPED_TEST(join_on, needs_an_order_of_nan) { check_nan(this->ctx); }

TYPED_TEST(join_on, has_the_sum_of_products_of_rows) { check_skew(this->ctx); }

TYPED_TEST(join_on, says_what_does_not_fit_before_it_allocates) { check_too_large(this->ctx); }

TYPED_TEST(join_on, refuses_negative_counts) {
  array<int> some(this->ctx, 1);
  std::string message;
  try {
    semi_join(this->ctx, some.data(), -1, some.data(), 1, less{});
  } catch (const argument_error& e) {
    message = e.what();
  }
  EXPECT_EQ(message,
            "semi_join: left_count is -1, but a count cannot be negative; pass the number of "
            "elements");
}

}  // namespace
}  // namespace evenfold::testing
