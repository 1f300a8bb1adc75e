#include "evenfold/distributed/sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "evenfold/distributed/merge.hpp"
#include "evenfold/distributed/staged.hpp"
#include "evenfold/distributed/threads.hpp"
#include "support/contexts.hpp"
#include "support/ranks.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

using rank_context = ranked<default_context>;

/// Few different keys: most of them are equal to others on all ranks.
std::vector<float> few_keys(std::int64_t count) {
  std::vector<float> keys = random_values<float>(count);
  for (std::size_t i = 0; i < keys.size(); i += 97) {
    keys[i] = i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : -0.f;
  }
  return keys;
}

/// Sorts keys with their indices as values on several ranks.
template <class Key, class Less>
void check_sort(const std::vector<Key>& host, Less less) {
  reference_context one;
  std::vector<Key> keys = host;
  std::vector<std::uint32_t> indices(host.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
  std::vector<std::uint32_t> expected = indices;
  sort_by_key(one, keys.data(), expected.data(), host.size(), less);
  for (const int ranks : rank_counts) {
    for (const cut kind : cuts) {
      on_ranks<default_context>(ranks, [&](rank_context& ctx) {
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
TEST(distributed_sort, merges) {
  std::vector<int> a = random_values<int>(700);
  std::vector<int> b = random_values<int>(900, 8);
  std::vector<int> expected = a;
  expected.insert(expected.end(), b.begin(), b.end());
  for (auto* list : {&a, &b, &expected}) std::sort(list->begin(), list->end());
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
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

/// Ranks that cannot read the data of each other exchange them.
TEST(distributed_sort, exchanges_what_cannot_be_read) {
  const std::vector<int> host = random_values<int>(1000);
  std::vector<int> expected = host;
  std::sort(expected.begin(), expected.end());
  std::vector<std::size_t> order(host.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return host[a] < host[b]; });
  run_ranks(3, [&](thread_communicator& threads) {
    staged_communicator staged(threads);
    default_context local = open_rank_context<default_context>(threads.rank());
    distributed_context ctx(local, staged);
    const shard_map map = make_shards(cut::uneven, host.size(), 3);
    auto keys = shard_of(ctx, host, map);
    std::vector<std::size_t> indices(host.size());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
    auto values = shard_of(ctx, indices, map);
    sort_by_key(ctx, keys, values, less{});
    EXPECT_EQ(gathered_on_host(ctx, keys), expected);
    EXPECT_EQ(gathered_on_host(ctx, values), order);
  });
}

TEST(distributed_sort, is_stable_and_exact) {
  for (const int count : {0, 3, 1000}) check_sort(few_keys(count), less{});
  check_sort(std::vector<float>(500, 1.f), less{});
}

}  // namespace
}  // namespace evenfold::testing
