#include "evenfold/distributed/streamed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A key that is compared without its last digit, which tells whether a sort is stable.
struct tens_before {
  EF_HD constexpr bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

TEST(streamed, reduce_has_the_bits_of_one_array) {
  const auto ctx = make_context<default_context>();
  for (const int count : {0, 1, 17, 5000}) {
    const std::vector<float> host = random_fractions<float>(count);
    reference_context one;
    const float expected = reduce(one, host.data(), count, plus{}, 0.1f);
    for (const std::size_t limit : {4u, 28u, 4000u, 100000u}) {
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
    for (const std::size_t limit : {1000u, 4096u, 100000u}) {
      std::vector<int> keys = host;
      sort_streamed(*ctx, keys.data(), count, tens_before{}, limit);
      EXPECT_EQ(keys, expected) << count << " in " << limit;
    }
  }
}

TEST(streamed, refuses_a_limit_that_is_too_small) {
  const auto ctx = make_context<default_context>();
  std::vector<int> keys{2, 1};
  expect_refusal("sort_streamed", "limit_bytes",
                 [&] { sort_streamed(*ctx, keys.data(), 2, less{}, 7); });
  expect_refusal("reduce_streamed", "limit_bytes",
                 [&] { reduce_streamed(*ctx, keys.data(), 2, plus{}, 0, 3); });
}

}  // namespace
}  // namespace evenfold::testing
