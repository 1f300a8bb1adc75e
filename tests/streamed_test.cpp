#include "evenfold/distributed/streamed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/distributed/streamed_join.hpp"
#include "evenfold/table/join.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A key that is compared without its last digit, which tells whether a sort is stable.
struct tens_before {
  EF_HD constexpr bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

std::vector<std::int64_t> widened(const std::vector<int>& rows) {
  return {rows.begin(), rows.end()};
}

TEST(streamed, reduce_has_the_bits_of_one_array) {
  const auto ctx = make_context<default_context>();
  for (const int count : {0, 1, 17, 5000}) {
    const std::vector<float> host = random_fractions<float>(count);
    reference_context one;
    const float expected = reduce(one, host.data(), count, plus{}, 0.1f);
    for (const std::size_t limit : {8u, 28u, 4000u, 100000u}) {
      const float got = reduce_streamed(*ctx, host.data(), count, plus{}, 0.1f, limit);
      EXPECT_EQ(std::memcmp(&got, &expected, sizeof(got)), 0) << count << " in " << limit;
    }
  }
}

TEST(streamed, sort_is_stable) {
  const auto ctx = make_context<default_context>();
  for (const int count : {0, 1, 40, 3000}) {
    std::vector<int> host = random_values<int>(count);
    for (int& key : host) key = std::abs(key % 500);
    std::vector<int> expected = host;
    std::stable_sort(expected.begin(), expected.end(), tens_before{});
    for (const std::size_t limit : {2000u, 8192u, 100000u}) {
      std::vector<int> keys = host;
      sort_streamed(*ctx, keys.data(), count, tens_before{}, limit);
      EXPECT_EQ(keys, expected) << count << " in " << limit;
    }
  }
}

/// Keys with few partners, and one with 300 x 200.
TEST(streamed, inner_join_has_the_rows_of_one_context) {
  const auto ctx = make_context<default_context>();
  const auto sorted_keys = [](int count, int heavy, std::uint64_t seed) {
    std::vector<int> keys = random_values<int>(count, seed);
    for (int& key : keys) key = std::abs(key % 900);
    std::fill_n(keys.begin(), heavy, 400);
    std::sort(keys.begin(), keys.end());
    return keys;
  };
  const std::vector<int> left = sorted_keys(1200, 300, 1);
  const std::vector<int> right = sorted_keys(1000, 200, 2);
  reference_context one;
  const auto expected = inner_join(one, left.data(), 1200, right.data(), 1000, less{});
  const std::vector<std::int64_t> expected_left = widened(to_host(one, expected.left));
  const std::vector<std::int64_t> expected_right = widened(to_host(one, expected.right));
  for (const std::size_t limit : {10000u, 50000u, 10000000u}) {
    const auto got =
        inner_join_streamed(*ctx, left.data(), 1200, right.data(), 1000, less{}, limit);
    EXPECT_EQ(got.left, expected_left) << limit;
    EXPECT_EQ(got.right, expected_right) << limit;
  }
  EXPECT_TRUE(
      inner_join_streamed(*ctx, left.data(), 1200, right.data(), 0, less{}, 1000).left.empty());
  EXPECT_TRUE(
      inner_join_streamed(*ctx, left.data(), 0, right.data(), 1000, less{}, 1000).left.empty());
}

TEST(streamed, refuses_a_limit_that_is_too_small) {
  const auto ctx = make_context<default_context>();
  std::vector<int> keys{2, 1};
  expect_refusal("sort_streamed", "limit_bytes",
                 [&] { sort_streamed(*ctx, keys.data(), 2, less{}, 15); });
  expect_refusal("inner_join_streamed", "limit_bytes",
                 [&] { inner_join_streamed(*ctx, keys.data(), 2, keys.data(), 2, less{}, 100); });
  expect_refusal("reduce_streamed", "limit_bytes",
                 [&] { reduce_streamed(*ctx, keys.data(), 2, plus{}, 0, 7); });
}

}  // namespace
}  // namespace evenfold::testing
