#include "evenfold/algorithm/multiset_by_key.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A number with its side and its index, which the order ignores, so that the tests see which of
/// several equivalent elements are taken.
struct marked {
  int number;
  int mark;
  friend bool operator==(const marked&, const marked&) = default;
};

struct by_number {
  EF_HD constexpr bool operator()(const marked& a, const marked& b) const {
    return a.number < b.number;
  }
};

/// `count` sorted numbers with `distinct` values, each of which occurs about count / distinct
/// times.
std::vector<marked> sorted_numbers(std::int64_t count, int distinct, int side) {
  std::vector<int> numbers;
  for (const std::uint64_t bits : random_bits(count, static_cast<std::uint64_t>(17 + side)))
    numbers.push_back(static_cast<int>((bits >> 32) * static_cast<std::uint64_t>(distinct) >> 32));
  std::sort(numbers.data(), numbers.data() + count);
  std::vector<marked> result;
  for (std::int64_t i = 0; i < count; ++i)
    result.push_back({numbers[i], static_cast<int>(2 * i) + side});
  return result;
}

template <class Context>
void check_multiset(Context& ctx, const std::vector<marked>& a, const std::vector<marked>& b) {
  SCOPED_TRACE(::testing::Message() << a.size() << " and " << b.size() << " elements");
  const array<marked> on_a = to_context(ctx, a);
  const array<marked> on_b = to_context(ctx, b);
  const auto a_count = static_cast<int>(a.size());
  const auto b_count = static_cast<std::int64_t>(b.size());
  const by_number less;
  std::vector<marked> expected;

  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less);
  ASSERT_TRUE(to_host(ctx, set_union(ctx, on_a.data(), a_count, on_b.data(), b_count, less)) ==
              expected);
  expected.clear();
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less);
  ASSERT_TRUE(to_host(ctx, set_intersection(ctx, on_a.data(), a_count, on_b.data(), b_count,
                                            less)) == expected);
  expected.clear();
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less);
  ASSERT_TRUE(to_host(ctx, set_difference(ctx, on_a.data(), a_count, on_b.data(), b_count, less)) ==
              expected);
  expected.clear();
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                std::back_inserter(expected), less);
  ASSERT_TRUE(to_host(ctx, set_symmetric_difference(ctx, on_a.data(), a_count, on_b.data(), b_count,
                                                    less)) == expected);
}

/// The same operations by key, where the marks are the values.
template <class Context>
void check_by_key(Context& ctx, const std::vector<marked>& a, const std::vector<marked>& b) {
  SCOPED_TRACE(::testing::Message() << a.size() << " and " << b.size() << " keys");
  const auto keys_of = [&](const std::vector<marked>& all) {
    std::vector<int> keys;
    for (const marked& each : all) keys.push_back(each.number);
    return to_context(ctx, keys);
  };
  const auto values_of = [&](const std::vector<marked>& all) {
    std::vector<std::int64_t> values;
    for (const marked& each : all) values.push_back(each.mark);
    return to_context(ctx, values);
  };
  const array<int> a_keys = keys_of(a), b_keys = keys_of(b);
  const array<std::int64_t> a_values = values_of(a), b_values = values_of(b);
  const int* const ka = a_keys.data();
  const int* const kb = b_keys.data();
  const std::int64_t* const va = a_values.data();
  const std::int64_t* const vb = b_values.data();
  const auto na = static_cast<std::int64_t>(a.size());
  const auto nb = static_cast<int>(b.size());
  const auto expect_equal = [&](const keyed_arrays<int, std::int64_t>& got,
                                const std::vector<marked>& expected) {
    const std::vector<int> keys = to_host(ctx, got.keys);
    const std::vector<std::int64_t> values = to_host(ctx, got.values);
    std::vector<marked> pairs;
    for (std::size_t i = 0; i < keys.size(); ++i)
      pairs.push_back({keys[i], static_cast<int>(values[i])});
    ASSERT_TRUE(pairs == expected);
  };
  const auto result_of = [&](auto operation) {
    std::vector<marked> result;
    operation(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result), by_number{});
    return result;
  };
  expect_equal(set_union_by_key(ctx, ka, va, na, kb, vb, nb, less{}),
               result_of([](auto... all) { std::set_union(all...); }));
  expect_equal(set_intersection_by_key(ctx, ka, va, na, kb, nb, less{}),
               result_of([](auto... all) { std::set_intersection(all...); }));
  expect_equal(set_difference_by_key(ctx, ka, va, na, kb, nb, less{}),
               result_of([](auto... all) { std::set_difference(all...); }));
  expect_equal(set_symmetric_difference_by_key(ctx, ka, va, na, kb, vb, nb, less{}),
               result_of([](auto... all) { std::set_symmetric_difference(all...); }));
}

template <class Context>
class multiset_on : public on<Context> {};
TYPED_TEST_SUITE(multiset_on, contexts);

TYPED_TEST(multiset_on, of_every_size_and_repetition) {
  for (const std::int64_t count : {0, 1, 2, 100, 6000, 70000}) {
    for (const int distinct : {1, 3, 1000, 1000000}) {
      const std::vector<marked> a = sorted_numbers(count, distinct, 0);
      check_multiset(this->ctx, a, sorted_numbers(count, distinct, 1));
      check_multiset(this->ctx, a, sorted_numbers(count / 3, distinct, 1));
      check_multiset(this->ctx, sorted_numbers(count / 5, distinct, 0), a);
    }
  }
}

TYPED_TEST(multiset_on, with_itself_and_with_nothing) {
  const std::vector<marked> a = sorted_numbers(20000, 700, 0);
  check_multiset(this->ctx, a, a);
  check_multiset(this->ctx, a, {});
  check_multiset(this->ctx, {}, a);
}

TYPED_TEST(multiset_on, by_key) {
  for (const std::int64_t count : {0, 1, 100, 30000}) {
    for (const int distinct : {1, 300, 1000000}) {
      const std::vector<marked> a = sorted_numbers(count, distinct, 0);
      check_by_key(this->ctx, a, sorted_numbers(count / 3, distinct, 1));
      check_by_key(this->ctx, sorted_numbers(count / 5, distinct, 0), a);
    }
  }
}

TYPED_TEST(multiset_on, refuses_negative_counts) {
  array<int> some(this->ctx, 1);
  std::string message;
  try {
    set_union(this->ctx, some.data(), 1, some.data(), -1, less{});
  } catch (const argument_error& e) {
    message = e.what();
  }
  EXPECT_EQ(message,
            "set_union: b_count is -1, but a count cannot be negative; pass the number of "
            "elements");
}

}  // namespace
}  // namespace evenfold::testing
