// backends: host
// A tuning of the user changes where work is cut, but not the result.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Tuning>
class tuning_on_cpu : public ::testing::Test {};
using tunings = ::testing::Types<cpu_tuning<1>, cpu_tuning<2>, cpu_tuning<3>, cpu_tuning<64>,
                                 cpu_tuning<std::size_t{1} << 40>>;
TYPED_TEST_SUITE(tuning_on_cpu, tunings);

TYPED_TEST(tuning_on_cpu, folds_and_scans_are_the_same_at_any_tile) {
  cpu_context ctx(3);
  for (const int count : {0, 1, 2, 3, 4, 5, 63, 64, 65, 1000}) {
    const std::vector<matrix2> values = random_values<matrix2>(count);
    matrix2 running(1, 1, 0, 1);
    array<matrix2> out(ctx, count);
    array<matrix2> total(ctx, 1);
    const matrix2 fold = reduce<TypeParam>(ctx, values.data(), count, multiplies{}, running);
    exclusive_scan<TypeParam>(ctx, values.data(), count, out.data(), multiplies{}, running,
                              total.data());
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(out[i] == running) << i << " of " << count;
      running = running * values[i];
    }
    ASSERT_TRUE(fold == running) << count;
    ASSERT_TRUE(total[0] == running) << count;
  }
}

TYPED_TEST(tuning_on_cpu, segments_are_folded_the_same_at_any_tile) {
  cpu_context ctx(3);
  for (const shape kind : shapes) {
    for (const int count : {0, 1, 2, 3, 7, 300}) {
      const segments_of<int> data = make_segments<int>(kind, count);
      const std::vector<matrix2> values = random_values<matrix2>(data.count);
      array<matrix2> out(ctx, data.num_segments());
      segreduce<TypeParam>(ctx, values.data(), data.count, data.offsets.data(), data.num_segments(),
                           out.data(), multiplies{}, matrix2(1, 1, 0, 1));
      for (std::int64_t s = 0; s < data.num_segments(); ++s) {
        const matrix2 expected =
            std::accumulate(values.begin() + data.begin(s), values.begin() + data.end(s),
                            matrix2(1, 1, 0, 1), multiplies{});
        ASSERT_TRUE(out[s] == expected) << kind << " " << count << ", segment " << s;
      }
    }
  }
}

TYPED_TEST(tuning_on_cpu, segments_are_sorted_the_same_at_any_block) {
  cpu_context ctx(3);
  for (const shape kind : shapes) {
    for (const int count : {0, 1, 2, 3, 7, 300, 5000}) {
      const segments_of<int> data = make_segments<int>(kind, count);
      std::vector<std::uint16_t> keys = random_values<std::uint16_t>(data.count);
      std::vector<int> indices(keys.size());
      std::vector<int> expected(keys.size());
      std::iota(expected.begin(), expected.end(), 0);
      for (std::uint16_t& key : keys) key %= 37;
      for (std::int64_t s = 0; s < data.num_segments(); ++s) {
        std::stable_sort(expected.begin() + data.begin(s), expected.begin() + data.end(s),
                         [&](int a, int b) { return keys[a] < keys[b]; });
      }
      segmented_sort_indices<TypeParam>(ctx, keys.data(), indices.data(), data.count,
                                        data.offsets.data(), data.num_segments(), less{});
      ASSERT_EQ(indices, expected) << kind << " " << count;
    }
  }
}

// With a comparison that is not an order, no access is out of bounds.
TEST(segmented_sort_on_cpu, survives_an_order_that_is_none) {
  cpu_context ctx(3);
  for (const int count : {2, 50, 3000, 200000}) {
    std::vector<std::uint32_t> keys = random_values<std::uint32_t>(count);
    std::vector<std::uint32_t> before = keys;
    std::sort(before.begin(), before.end());
    const int offset = 0;
    segmented_sort<cpu_tuning<1000>>(
        ctx, keys.data(), count, &offset, 1,
        [](std::uint32_t a, std::uint32_t b) { return ((a * 2654435761u) ^ b) % 3 == 0; });
    for (const std::uint32_t key : keys) {
      ASSERT_TRUE(std::binary_search(before.begin(), before.end(), key)) << count << " keys";
    }
  }
}

}  // namespace
}  // namespace evenfold::testing
