#include "evenfold/distributed/segreduce.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "evenfold/distributed/transform_lbs.hpp"
#include "support/contexts.hpp"
#include "support/ranks.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

using rank_context = ranked<default_context>;

template <class T, class Op>
void check_segreduce(shape kind, const std::vector<T>& all, Op op, T init) {
  const auto parts = make_segments<int>(kind, static_cast<std::int64_t>(all.size()));
  const std::vector<T> host(all.begin(), all.begin() + parts.count);
  reference_context one;
  std::vector<T> expected(parts.offsets.size(), init);
  segreduce(one, host.data(), host.size(), parts.offsets.data(), expected.size(), expected.data(),
            op, init);
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
      const auto shard = shard_of(ctx, host, make_shards(cut::on_one_rank, host.size(), ranks));
      const auto begins =
          shard_of(ctx, parts.offsets, make_shards(cut::uneven, parts.offsets.size(), ranks));
      const sharded_segments<int> segments(ctx, host.size(), begins);
      const std::uint64_t steps = host.size() + parts.offsets.size();
      const std::uint64_t mine =
          segments.items().size(ctx.rank()) + segments.segments().size(ctx.rank());
      const std::uint64_t share = steps / static_cast<std::uint64_t>(ranks);
      EXPECT_LE(mine, share + (share >> 9) + 1);
      EXPECT_GE(mine, share - (share >> 9));
      const auto got = gathered_on_host(ctx, segreduce(ctx, shard, segments, op, init));
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t s = 0; s < got.size(); ++s) {
        ASSERT_EQ(std::memcmp(&got[s], &expected[s], sizeof(T)), 0)
            << kind << ", " << ranks << " ranks, segment " << s;
      }
    });
  }
}

/// The segment and the rank of each item.
void check_transform_lbs(rank_context& ctx) {
  const auto parts = make_segments<int>(shape::one_giant, 3000);
  const shard_map even = make_shards(cut::equal, parts.offsets.size(), ctx.size());
  const sharded_segments<int> segments(ctx, static_cast<std::uint64_t>(parts.count),
                                       shard_of(ctx, parts.offsets, even));
  sharded<std::uint64_t> found(ctx, segments.items());
  const std::uint64_t first = found.local_begin();
  std::uint64_t* const out = found.data();
  transform_lbs(
      ctx, segments, EF_LAMBDA(std::uint64_t index, std::uint64_t seg, std::uint64_t rank) {
        out[index - first] = seg << 32 | rank;
      });
  const auto all = gathered_on_host(ctx, found);
  for (std::int64_t s = 0; s < parts.num_segments(); ++s) {
    for (std::int64_t i = parts.begin(s); i < parts.end(s); ++i) {
      ASSERT_EQ(all[static_cast<std::size_t>(i)],
                static_cast<std::uint64_t>(s << 32 | (i - parts.begin(s))));
    }
  }
}

TEST(distributed_segments, folds_have_the_bits_of_one_context) {
  for (const shape kind : shapes) {
    check_segreduce(kind, random_fractions<float>(2000), plus{}, 0.1f);
  }
}

/// Large shares begin at multiples of a group, and of more where segments are long.
TEST(distributed_segments, large_shares_have_the_bits_of_one_context) {
  for (const shape kind : {shape::uniform, shape::power_law}) {
    const auto parts = make_segments<int>(kind, 1200000);
    const std::vector<float> host = random_fractions<float>(parts.count);
    reference_context one;
    std::vector<float> expected(parts.offsets.size());
    segreduce(one, host.data(), host.size(), parts.offsets.data(), expected.size(), expected.data(),
              plus{}, 0.1f);
    on_ranks<default_context>(2, [&](rank_context& ctx) {
      const auto shard = shard_of(ctx, host, make_shards(cut::equal, host.size(), 2));
      const shard_map begins = make_shards(cut::equal, parts.offsets.size(), 2);
      const sharded_segments<int> segments(ctx, host.size(), shard_of(ctx, parts.offsets, begins));
      EXPECT_EQ(segments.items().begin(ctx.rank()) % detail::fold_group, 0u);
      if (kind == shape::uniform) {
        EXPECT_EQ(segments.padding(ctx), 0u);
      }
      const auto got = gathered_on_host(ctx, segreduce(ctx, shard, segments, plus{}, 0.1f));
      EXPECT_TRUE(same_bits(got, expected)) << kind;
    });
  }
}

TEST(distributed_segments, operands_keep_their_order) {
  check_segreduce(shape::one_giant, random_values<matrix2>(2000), multiplies{},
                  matrix2(1, 1, 0, 1));
}

TEST(distributed_segments, every_item_knows_its_segment) {
  for (const int ranks : rank_counts) on_ranks<default_context>(ranks, check_transform_lbs);
}

/// Few ranks gather the values of all, many sum up a share each; some of these have no share.
TEST(distributed_segments, ranks_sum_up_their_values) {
  for (const int ranks : {3, 70}) {
    for (const std::uint64_t count : {1, 5, 71, 2000}) {
      run_ranks(ranks, [&](thread_communicator& communicator) {
        reference_context local;
        distributed_context ctx(local, communicator);
        std::vector<std::uint64_t> values(count), expected(count);
        for (std::uint64_t k = 0; k < count; ++k) {
          values[k] = k * k + static_cast<std::uint64_t>(ctx.rank());
          const auto all = static_cast<std::uint64_t>(ranks);
          expected[k] = all * k * k + all * (all - 1) / 2;
        }
        EXPECT_EQ(detail::sum_over_ranks(ctx, values), expected);
      });
    }
  }
}

}  // namespace
}  // namespace evenfold::testing
