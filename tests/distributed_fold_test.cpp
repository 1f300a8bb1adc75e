#include "evenfold/distributed/reduce.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "evenfold/distributed/scan.hpp"
#include "evenfold/distributed/transform.hpp"
#include "support/contexts.hpp"
#include "support/ranks.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Numbers of many magnitudes: every other order of additions gives another sum.
std::vector<float> wide_numbers(std::int64_t count) {
  std::vector<float> result = random_fractions<float>(count);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = std::ldexp(result[i] - 0.5f, static_cast<int>(i * 7 % 41) - 20);
  }
  return result;
}

/// All folds of a sequence on several ranks against those of one context.
template <class Context, class T, class Op>
void check_folds(const std::vector<T>& host, Op op, T init) {
  const auto one = make_context<Context>();
  const array<T> input = to_context(*one, host);
  array<T> out = to_context(*one, host);
  const T sum = reduce(*one, input.data(), host.size(), op, init);
  exclusive_scan(*one, input.data(), host.size(), out.data(), op, init);
  const std::vector<T> exclusive = to_host(*one, out);
  inclusive_scan(*one, input.data(), host.size(), out.data(), op);
  const std::vector<T> inclusive = to_host(*one, out);
  for (const int ranks : rank_counts) {
    for (const cut kind : cuts) {
      on_ranks<Context>(ranks, [&](ranked<Context>& ctx) {
        const auto shard = shard_of(ctx, host, make_shards(kind, host.size(), ranks));
        sharded<T> result(ctx, shard.map());
        const T got = reduce(ctx, shard, op, init);
        EXPECT_EQ(std::memcmp(&got, &sum, sizeof(T)), 0) << ranks << " ranks";
        exclusive_scan(ctx, shard, result, op, init);
        EXPECT_TRUE(same_bits(gathered_on_host(ctx, result), exclusive)) << ranks << " ranks";
        inclusive_scan(ctx, shard, result, op);
        EXPECT_TRUE(same_bits(gathered_on_host(ctx, result), inclusive)) << ranks << " ranks";
      });
    }
  }
}

template <class Context>
void check_transform(ranked<Context>& ctx) {
  const int ranks = ctx.size();
  sharded<std::int64_t> numbers(ctx, make_shards(cut::uneven, 1000, ranks));
  transform(
      ctx, numbers, EF_LAMBDA(std::uint64_t i) { return 3 * static_cast<std::int64_t>(i); });
  transform(
      ctx, numbers, numbers, EF_LAMBDA(std::int64_t x) { return x + 1; });
  const std::vector<std::int64_t> all =
      gathered_on_host(ctx, redistribute(ctx, numbers, make_shards(cut::on_one_rank, 1000, ranks)));
  ASSERT_EQ(all.size(), 1000u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i], 3 * static_cast<std::int64_t>(i) + 1);
  }
}

template <class Context>
class distributed_fold : public ::testing::Test {};
TYPED_TEST_SUITE(distributed_fold, contexts);

TYPED_TEST(distributed_fold, transform_of_shards) {
  for (const int ranks : rank_counts) on_ranks<TypeParam>(ranks, check_transform<TypeParam>);
}

TYPED_TEST(distributed_fold, sums_have_the_bits_of_one_context) {
  for (const int count : {0, 1, 40, 5000}) {
    check_folds<TypeParam>(wide_numbers(count), plus{}, 0.1f);
  }
}

TYPED_TEST(distributed_fold, operands_keep_their_order) {
  check_folds<TypeParam>(random_values<matrix2>(3001), multiplies{}, matrix2(1, 1, 0, 1));
}

}  // namespace
}  // namespace evenfold::testing
