// The keys that segmented_top_k takes where the order is unusual: of NaN and zeros, and of a
// comparator that is no order.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "evenfold/algorithm/segmented_top_k.hpp"
#include "evenfold/core/random.hpp"
#include "support/contexts.hpp"
#include "support/segmented_top_k.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Context>
class segmented_top_k_order_on : public on<Context> {};
TYPED_TEST_SUITE(segmented_top_k_order_on, contexts);

TYPED_TEST(segmented_top_k_order_on, puts_nan_behind_all_numbers) {
  std::vector<float> host = random_values<float>(3000);
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (i >= 1000 && i != 1700 && i != 2500) host[i] = std::nanf("");
  }
  const array<float> keys = to_context(this->ctx, host);
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0, 1000});
  array<float> out(this->ctx, 8);
  array<int> out_offsets(this->ctx, 2);
  ASSERT_EQ(segmented_top_k(this->ctx, keys.data(), 3000, offsets.data(), 2, 4, out.data(),
                            out_offsets.data(), greater{}),
            8);
  const std::vector<float> got = to_host(this->ctx, out);
  EXPECT_EQ(got[4], std::max(host[1700], host[2500]));
  EXPECT_EQ(got[5], std::min(host[1700], host[2500]));
  for (const std::size_t j : {std::size_t{6}, std::size_t{7}}) EXPECT_TRUE(std::isnan(got[j]));
  std::sort(host.begin(), host.begin() + 1000, std::greater<>());
  EXPECT_TRUE(std::equal(host.begin(), host.begin() + 4, got.begin()));
}

/// Zeros, infinities, numbers, and NaN of several kinds, in segments of up to `longest` items.
template <class Key, class Context>
void check_unusual_keys(Context& ctx, int longest, bool with_nan) {
  const Key nan = std::numeric_limits<Key>::quiet_NaN(), infinity = detail::infinity_of<Key>;
  const Key kinds[] = {nan, std::copysign(nan, Key{-1}), Key{0}, -Key{0}, infinity, -infinity, 1,
                       -1};
  std::vector<Key> keys(4000);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t first = with_nan ? 0 : 2;
    const std::uint64_t kind = first + random_stream(5).below(i, 12 - first);
    keys[i] = kind < 8 ? kinds[kind] : static_cast<Key>(kind) - Key{10};
  }
  std::vector<int> offsets;
  for (int at = 0; at < 4000; at += static_cast<int>(offsets.size()) % (longest + 1)) {
    offsets.push_back(at);
  }
  for (const int k : {1, 5, 33, 300, 1000}) {
    check_segmented_top_k(ctx, keys, offsets, k, less{});
    check_segmented_top_k(ctx, keys, offsets, k, greater{});
  }
}

TYPED_TEST(segmented_top_k_order_on, orders_nan_and_zeros_in_segments_of_any_length) {
  for (const int longest : {3, 15, 60, 255, 257, 800}) {
    SCOPED_TRACE(longest);
    for (const bool with_nan : {false, true}) {
      check_unusual_keys<float>(this->ctx, longest, with_nan);
      check_unusual_keys<double>(this->ctx, longest, with_nan);
    }
  }
  check_segmented_top_k(this->ctx, random_values<std::uint16_t>(4000),
                        {0, 100, 356, 600, 850, 1100, 4000 - 256}, 9, less{});
}

TYPED_TEST(segmented_top_k_order_on, takes_keys_of_their_segments_whatever_the_order_says) {
  const std::vector<std::int64_t> host = random_values<std::int64_t>(20000);
  const array<std::int64_t> keys = to_context(this->ctx, host);
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0, 5000, 5010});
  array<int> indices(this->ctx, 50 + 10 + 50), out_offsets(this->ctx, 3);
  ASSERT_EQ(segmented_top_k_indices(this->ctx, keys.data(), 20000, offsets.data(), 3, 50,
                                    indices.data(), out_offsets.data(), random_answer{}),
            110);
  const std::vector<int> got = to_host(this->ctx, indices);
  for (std::size_t j = 0; j < got.size(); ++j) {
    EXPECT_EQ(got[j] < 5000, j < 50) << j;
    EXPECT_EQ(got[j] < 5010, j < 60) << j;
  }
  std::vector<int> sorted = got;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_TRUE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  EXPECT_GE(sorted.front(), 0);
  EXPECT_LT(sorted.back(), 20000);
}

}  // namespace
}  // namespace evenfold::testing
