#include "evenfold/distributed/join.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "evenfold/table/join.hpp"
#include "support/contexts.hpp"
#include "support/ranks.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

using rank_context = ranked<default_context>;

/// Negative keys are null.
struct is_negative {
  EF_HD bool operator()(int key) const { return key < 0; }
};

/// Sorted keys from -3 up, a part of which are all the same one.
std::vector<int> keys_with_a_heavy_one(std::int64_t count, std::int64_t heavy, std::uint64_t seed) {
  std::vector<int> keys = random_values<int>(count, seed);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = i < static_cast<std::size_t>(heavy) ? 40 : std::abs(keys[i] % 300) - 3;
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::int64_t> together(std::vector<std::int64_t> left,
                                   const std::vector<std::int64_t>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// The rows of one join on one context and on several ranks.
template <class Join>
void check_join(Join join, join_kind how, const std::vector<int>& left,
                const std::vector<int>& right) {
  reference_context one;
  const auto rows = join(one, left.data(), static_cast<std::int64_t>(left.size()), right.data(),
                         static_cast<std::int64_t>(right.size()), less{}, is_negative{});
  std::vector<std::int64_t> expected;
  if constexpr (requires { rows.left; }) {
    expected = together(to_host(one, rows.left), to_host(one, rows.right));
  } else {
    expected = to_host(one, rows);
  }
  for (const int ranks : rank_counts) {
    for (const cut kind : cuts) {
      on_ranks<default_context>(ranks, [&](rank_context& ctx) {
        const auto l = shard_of(ctx, left, make_shards(kind, left.size(), ranks));
        const auto r = shard_of(ctx, right, make_shards(cut::on_one_rank, right.size(), ranks));
        const auto got = join(ctx, l, r, less{}, is_negative{});
        EXPECT_EQ(join_count(ctx, how, l, r, less{}, is_negative{}),
                  static_cast<std::int64_t>(rows.size()));
        if constexpr (requires { got.left; }) {
          EXPECT_EQ(together(gathered_on_host(ctx, got.left), gathered_on_host(ctx, got.right)),
                    expected)
              << ranks << " ranks, kind " << static_cast<int>(how);
          // A key with many partners is shared by all ranks.
          const std::uint64_t most = (got.size() + left.size()) / static_cast<std::uint64_t>(ranks);
          EXPECT_LE(got.left.local_size(), most + 1);
        } else {
          EXPECT_EQ(gathered_on_host(ctx, got), expected)
              << ranks << " ranks, kind " << static_cast<int>(how);
        }
      });
    }
  }
}

void check_all_joins(const std::vector<int>& left, const std::vector<int>& right) {
  check_join(inner_join, join_kind::inner, left, right);
  check_join(left_join, join_kind::left, left, right);
  check_join(right_join, join_kind::right, left, right);
  check_join(full_join, join_kind::full, left, right);
  check_join(semi_join, join_kind::semi, left, right);
  check_join(anti_join, join_kind::anti, left, right);
}

TEST(distributed_join, a_heavy_key_on_both_sides) {
  check_all_joins(keys_with_a_heavy_one(400, 150, 1), keys_with_a_heavy_one(300, 90, 2));
}

/// The left rows of equal shards stay where they are.
TEST(distributed_join, many_keys_on_both_sides) {
  std::vector<int> left(2000);
  std::vector<int> right(1000);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i / 2) - 20;
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<int>(i / 3 * 3);
  check_all_joins(left, right);
}

/// So do they where one of two ranks then has three quarters of the right rows, which are few bytes
/// beside the results.
TEST(distributed_join, left_rows_stay_beside_more_right_rows) {
  std::vector<int> left(2000);
  std::vector<int> right(2000);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i / 2);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<int>(i);
  check_all_joins(left, right);
  on_ranks<default_context>(2, [&](rank_context& ctx) {
    const auto l = shard_of(ctx, left, shard_map::equal(left.size(), 2));
    const auto r = shard_of(ctx, right, shard_map::equal(right.size(), 2));
    EXPECT_EQ(inner_join(ctx, l, r, less{}).left.map(), l.map());
  });
}

TEST(distributed_join, few_and_no_rows) {
  const std::vector<int> keys = keys_with_a_heavy_one(60, 20, 3);
  check_all_joins(keys, {});
  check_all_joins({}, keys);
  check_all_joins({40}, keys);
}

}  // namespace
}  // namespace evenfold::testing
