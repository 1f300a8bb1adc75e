#include "evenfold/distributed/sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "evenfold/distributed/merge.hpp"
#include "support/contexts.hpp"
#include "support/ranks.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Few different keys: most of them are equal to others on all ranks.
std::vector<float> few_keys(std::int64_t count) {
  std::vector<float> keys = random_values<float>(count);
  for (std::size_t i = 0; i < keys.size(); i += 97) {
    keys[i] = i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : -0.f;
  }
  return keys;
}

/// Sorts keys with their indices as values on several ranks.
template <class Context, class Key, class Less>
void check_sort(const std::vector<Key>& host, Less less) {
  const auto one = make_context<Context>();
  array<Key> keys = to_context(*one, host);
  std::vector<std::uint32_t> indices(host.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
  array<std::uint32_t> values = to_context(*one, indices);
  sort_by_key(*one, keys.data(), values.data(), host.size(), less);
  const std::vector<std::uint32_t> expected = to_host(*one, values);
  for (const int ranks : rank_counts) {
    for (const cut kind : cuts) {
      on_ranks<Context>(ranks, [&](ranked<Context>& ctx) {
        const shard_map map = make_shards(kind, host.size(), ranks);
        auto shard = shard_of(ctx, host, map);
        auto own = shard_of(ctx, indices, map);
        sort_by_key(ctx, shard, own, less);
        EXPECT_TRUE(own.map() == shard_map::equal(host.size(), ranks));
        EXPECT_EQ(gathered_on_host(ctx, own), expected) << ranks << " ranks";
      });
    }
  }
}

/// Merges a sequence on the first ranks with one on the last ones.
template <class Context>
void check_merge() {
  std::vector<int> a = random_values<int>(700);
  std::vector<int> b = random_values<int>(900, 8);
  std::vector<int> expected = a;
  expected.insert(expected.end(), b.begin(), b.end());
  for (auto* list : {&a, &b, &expected}) std::sort(list->begin(), list->end());
  for (const int ranks : rank_counts) {
    on_ranks<Context>(ranks, [&](ranked<Context>& ctx) {
      auto left = shard_of(ctx, a, make_shards(cut::uneven, a.size(), ranks));
      const auto right = shard_of(ctx, b, make_shards(cut::on_one_rank, b.size(), ranks));
      const auto merged = merge(ctx, left, right, less{});
      EXPECT_TRUE(merged.map() == shard_map::equal(expected.size(), ranks));
      EXPECT_EQ(gathered_on_host(ctx, merged), expected) << ranks << " ranks";
      sort(ctx, left, less{});
      EXPECT_EQ(gathered_on_host(ctx, left), a);
    });
  }
}

template <class Context>
class distributed_sort : public ::testing::Test {};
TYPED_TEST_SUITE(distributed_sort, contexts);

TYPED_TEST(distributed_sort, is_stable_and_exact) {
  for (const int count : {0, 3, 1000}) check_sort<TypeParam>(few_keys(count), less{});
  check_sort<TypeParam>(std::vector<float>(500, 1.f), less{});
}

TYPED_TEST(distributed_sort, merges) { check_merge<TypeParam>(); }

}  // namespace
}  // namespace evenfold::testing
