#include "evenfold/algorithm/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "evenfold/algorithm/multiway_merge.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "support/contexts.hpp"
#include "support/narrow_merge.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Orders by the last digit only, so that many keys are equivalent and show whether the merge is
/// stable.
struct by_last_digit {
  EF_HD constexpr bool operator()(int a, int b) const {
    return (a & 0x7fffffff) % 10 < (b & 0x7fffffff) % 10;
  }
};

/// Less, with NaN greater than all numbers: a strict weak order, which < is not.
struct nan_last {
  EF_HD bool operator()(float a, float b) const { return a < b || (b != b && a == a); }
};

template <class Key, class Less>
std::vector<Key> sorted_keys(std::int64_t count, std::uint64_t seed, Less less) {
  std::vector<Key> result = random_values<Key>(count, seed);
  std::stable_sort(result.begin(), result.end(), less);
  return result;
}

template <class Key, class Tuning = default_tuning, class Context, class Less>
void check_keys(Context& ctx, const std::vector<Key>& a, const std::vector<Key>& b, Less less) {
  const array<Key> on_a = to_context(ctx, a);
  const array<Key> on_b = to_context(ctx, b);
  array<Key> out(ctx, a.size() + b.size());
  merge<Tuning>(ctx, on_a.data(), a.size(), on_b.data(), static_cast<int>(b.size()), out.data(),
                less);
  const std::vector<Key> got = to_host(ctx, out);
  std::vector<Key> expected = a;
  expected.insert(expected.end(), b.begin(), b.end());
  std::inplace_merge(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(a.size()),
                     expected.end(), less);
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_TRUE(got[i] == expected[i])
        << "key " << i << " of " << a.size() << " + " << b.size() << " keys";
  }
}

/// The value of a key contains its side and its index, so that equal keys can be told apart.
template <class Key, class Value, class Context, class Less>
void check_pairs(Context& ctx, std::int64_t a_count, std::int64_t b_count, Less less) {
  const std::vector<Key> a = sorted_keys<Key>(a_count, 1, less);
  const std::vector<Key> b = sorted_keys<Key>(b_count, 2, less);
  std::vector<Value> a_values;
  std::vector<Value> b_values;
  for (std::int64_t i = 0; i < a_count; ++i) a_values.push_back(static_cast<Value>(i));
  for (std::int64_t i = 0; i < b_count; ++i) b_values.push_back(static_cast<Value>(a_count + i));

  const array<Key> on_a = to_context(ctx, a);
  const array<Key> on_b = to_context(ctx, b);
  const array<Value> on_a_values = to_context(ctx, a_values);
  const array<Value> on_b_values = to_context(ctx, b_values);
  array<Key> keys(ctx, a_count + b_count);
  array<Value> values(ctx, a_count + b_count);
  merge(ctx, on_a.data(), on_a_values.data(), a_count, on_b.data(), on_b_values.data(), b_count,
        keys.data(), values.data(), less);
  const std::vector<Key> got = to_host(ctx, keys);
  const std::vector<Value> got_values = to_host(ctx, values);

  std::int64_t i = 0;
  std::int64_t j = 0;
  for (std::int64_t at = 0; at < a_count + b_count; ++at) {
    const bool from_b = i == a_count || (j < b_count && less(b[j], a[i]));
    ASSERT_TRUE(got[at] == (from_b ? b[j] : a[i])) << "key " << at;
    ASSERT_TRUE(got_values[at] == static_cast<Value>(from_b ? a_count + j : i)) << "value " << at;
    (from_b ? j : i) += 1;
  }
}

/// The relations between the two sides.
template <class Context>
void check_patterns(Context& ctx) {
  constexpr int count = 40000;
  std::vector<int> ascending, even, odd, equal(count, 7), few;
  for (int i = 0; i < count; ++i) {
    ascending.push_back(i);
    even.push_back(2 * i);
    odd.push_back(2 * i + 1);
    few.push_back(i / 5000);
  }
  const std::vector<std::vector<int>> sides = {ascending, even, odd, equal, few, {}, {7}};
  for (const std::vector<int>& a : sides) {
    for (const std::vector<int>& b : sides) {
      check_keys(ctx, a, b, less{});
      check_keys<int, narrow_merge>(ctx, a, b, less{});
    }
  }
}

/// The law of merge sort: two sorted halves, merged, are the sorted whole.
template <class Context>
void check_sorts(Context& ctx) {
  std::vector<int> host = random_values<int>(large_size);
  array<int> keys = to_context(ctx, host);
  array<int> merged(ctx, host.size());
  const int half = static_cast<int>(large_size / 3);
  const array<int> offsets = to_context(ctx, std::vector<int>{0, half});
  segmented_sort(ctx, keys.data(), large_size, offsets.data(), 2, less{});
  merge(ctx, keys.data(), half, keys.data() + half, large_size - half, merged.data(), less{});
  std::sort(host.begin(), host.end());
  ASSERT_EQ(to_host(ctx, merged), host);
}

template <class Context>
void check_nan(Context& ctx) {
  std::vector<float> a, b;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (int i = 0; i < 9000; ++i) {
    a.push_back(i % 3 == 0 ? nan : static_cast<float>(i % 100));
    b.push_back(i % 7 == 0 ? nan : static_cast<float>(i % 50));
  }
  std::stable_sort(a.begin(), a.end(), nan_last{});
  std::stable_sort(b.begin(), b.end(), nan_last{});
  const array<float> on_a = to_context(ctx, a);
  const array<float> on_b = to_context(ctx, b);
  array<float> out(ctx, a.size() + b.size());
  merge(ctx, on_a.data(), a.size(), on_b.data(), b.size(), out.data(), nan_last{});
  const std::vector<float> got = to_host(ctx, out);
  ASSERT_TRUE(std::is_sorted(got.begin(), got.end(), nan_last{}));
  ASSERT_EQ(std::count_if(got.begin(), got.end(), [](float x) { return std::isnan(x); }),
            3000 + 1286);

  // Without an order the result is unspecified, but the call ends and no access is out of bounds.
  merge(ctx, on_a.data(), a.size(), on_b.data(), b.size(), out.data(), less{});
  const std::vector<float> some = to_host(ctx, out);
  ASSERT_EQ(some.size(), got.size());
}

/// Runs of these lengths; the values tell equivalent keys of different runs apart.
template <class Context>
void check_runs(Context& ctx, const std::vector<int>& lengths) {
  std::vector<int> keys, values, offsets;
  for (const int length : lengths) {
    offsets.push_back(static_cast<int>(keys.size()));
    for (const int key : sorted_keys<int>(length, keys.size(), by_last_digit{})) {
      values.push_back(static_cast<int>(keys.size()));
      keys.push_back(key);
    }
  }
  const int count = static_cast<int>(keys.size());
  std::vector<int> expected = values;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](int i, int j) { return by_last_digit{}(keys[i], keys[j]); });
  const array<int> on_keys = to_context(ctx, keys);
  const array<int> on_values = to_context(ctx, values);
  array<int> out_keys(ctx, count), only_keys(ctx, count), out_values(ctx, count);
  multiway_merge(ctx, on_keys.data(), on_values.data(), count, offsets, out_keys.data(),
                 out_values.data(), by_last_digit{});
  multiway_merge(ctx, on_keys.data(), count, offsets, only_keys.data(), by_last_digit{});
  EXPECT_EQ(to_host(ctx, out_values), expected);
  for (int& value : expected) value = keys[static_cast<std::size_t>(value)];
  EXPECT_EQ(to_host(ctx, out_keys), expected);
  EXPECT_EQ(to_host(ctx, only_keys), expected);
}

template <class Context>
std::string refused(Context& ctx, int a_count, int b_count) {
  array<int> some(ctx, 1);
  try {
    merge(ctx, some.data(), a_count, some.data(), b_count, some.data(), less{});
  } catch (const argument_error& e) {
    return e.what();
  }
  return "";
}

template <class Context>
class merge_on : public on<Context> {};
TYPED_TEST_SUITE(merge_on, contexts);

TYPED_TEST(merge_on, merges_at_every_size) {
  for (const std::int64_t count : sizes()) {
    const std::vector<int> a = sorted_keys<int>(count, 1, less{});
    check_keys(this->ctx, a, sorted_keys<int>(count, 2, less{}), less{});
    check_keys(this->ctx, a, sorted_keys<int>(count, 2, less{}), std::less<>{});
    check_keys(this->ctx, a, sorted_keys<int>(100, 2, less{}), less{});
    check_keys(this->ctx, sorted_keys<int>(1, 3, less{}), a, less{});
  }
}

TYPED_TEST(merge_on, merges_whatever_the_interleaving) { check_patterns(this->ctx); }

TYPED_TEST(merge_on, takes_equivalent_keys_of_a_first) {
  check_keys(this->ctx, sorted_keys<int>(30000, 1, by_last_digit{}),
             sorted_keys<int>(50000, 2, by_last_digit{}), by_last_digit{});
}

TYPED_TEST(merge_on, carries_values_stably) {
  check_pairs<int, std::int64_t>(this->ctx, 50000, 30000, by_last_digit{});
  check_pairs<std::int8_t, std::uint16_t>(this->ctx, 20000, 30000, greater{});
  check_pairs<int, wide>(this->ctx, 5000, 0, less{});
}

TYPED_TEST(merge_on, keys_of_8_to_64_bytes) {
  check_keys(this->ctx, sorted_keys<std::uint64_t>(20000, 1, less{}),
             sorted_keys<std::uint64_t>(30000, 2, less{}), less{});
  check_keys(this->ctx, sorted_keys<triple>(10000, 1, less{}), sorted_keys<triple>(9000, 2, less{}),
             less{});
  check_keys(this->ctx, sorted_keys<wide>(10000, 1, less{}), sorted_keys<wide>(9000, 2, less{}),
             less{});
}

TYPED_TEST(merge_on, of_sorted_halves_is_the_sort) { check_sorts(this->ctx); }

// One to nine runs: an even and an odd number of rounds, runs without a partner, empty runs.
TYPED_TEST(merge_on, of_several_runs) {
  check_runs(this->ctx, {});
  check_runs(this->ctx, {0, 0, 0});
  for (std::size_t runs = 1; runs <= 9; ++runs) {
    std::vector<int> lengths{700, 0, 1, 9000, 0, 350, 20, 4000, 3};
    lengths.resize(runs);
    check_runs(this->ctx, lengths);
  }
}

TYPED_TEST(merge_on, of_several_runs_refuses_other_offsets) {
  array<int> some(this->ctx, 3);
  const auto merge_at = [&](const std::vector<int>& offsets) {
    multiway_merge(this->ctx, some.data(), 3, offsets, some.data(), less{});
  };
  expect_refusal("multiway_merge", "offsets.size()", [&] { merge_at({}); });
  expect_refusal("multiway_merge", "offsets[0]", [&] { merge_at({1, 2}); });
  expect_refusal("multiway_merge", "offsets[2]", [&] { merge_at({0, 2, 1}); });
  expect_refusal("multiway_merge", "offsets[1]", [&] { merge_at({0, 4}); });
}

TYPED_TEST(merge_on, needs_an_order_of_nan_but_stays_in_bounds_without_one) {
  check_nan(this->ctx);
}

TYPED_TEST(merge_on, refuses_negative_counts) {
  EXPECT_EQ(refused(this->ctx, -1, 1),
            "merge: a_count is -1, but a count cannot be negative; pass the number of elements");
  EXPECT_EQ(refused(this->ctx, 0, -2),
            "merge: b_count is -2, but a count cannot be negative; pass the number of elements");
}

}  // namespace
}  // namespace evenfold::testing
