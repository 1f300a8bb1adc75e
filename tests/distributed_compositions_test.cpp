#include "evenfold/distributed/reduce_by_key.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "evenfold/algorithm/reduce_by_key.hpp"
#include "evenfold/distributed/group_by.hpp"
#include "evenfold/distributed/histogram.hpp"
#include "evenfold/distributed/spmv.hpp"
#include "evenfold/distributed/to_csr.hpp"
#include "evenfold/sparse/convert.hpp"
#include "evenfold/sparse/spmv.hpp"
#include "evenfold/table/group_by.hpp"
#include "support/contexts.hpp"
#include "support/entries.hpp"
#include "support/ranks.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

using rank_context = ranked<default_context>;

std::vector<float> numbers(std::size_t count) {
  return random_fractions<float>(static_cast<std::int64_t>(count));
}

/// A run of a third of all keys, and short runs.
std::vector<int> keys_with_a_heavy_one() {
  std::vector<int> keys;
  for (int k = 0; k < 3000; ++k) keys.push_back(k > 500 && k < 1500 ? -1 : k / 7);
  return keys;
}

TEST(distributed_compositions, reduce_by_key) {
  const std::vector<int> keys = keys_with_a_heavy_one();
  const std::vector<float> values = numbers(keys.size());
  reference_context one;
  std::vector<int> expected_keys(keys.size());
  std::vector<float> expected(keys.size());
  const std::size_t runs = reduce_by_key(one, keys.data(), values.data(), keys.size(), equal_to{},
                                         expected_keys.data(), expected.data(), plus{}, 0.5f);
  expected_keys.resize(runs);
  expected.resize(runs);
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
      const auto shard = shard_of(ctx, keys, make_shards(cut::uneven, keys.size(), ranks));
      const auto own = shard_of(ctx, values, make_shards(cut::equal, keys.size(), ranks));
      const auto groups = reduce_by_key(ctx, shard, own, equal_to{}, plus{}, 0.5f);
      EXPECT_EQ(gathered_on_host(ctx, groups.keys), expected_keys) << ranks << " ranks";
      EXPECT_EQ(gathered_on_host(ctx, groups.values), expected) << ranks << " ranks";
      EXPECT_EQ(gathered_on_host(ctx, unique(ctx, shard, equal_to{})), expected_keys);
    });
  }
}

/// Groups of all sizes, among them a third of all rows; every seventh value is null.
TEST(distributed_compositions, group_by) {
  std::vector<int> keys = keys_with_a_heavy_one();
  for (std::size_t k = 0; k < keys.size(); k += 2) keys[k] = static_cast<int>(k * 29 % 90);
  const std::vector<float> values = numbers(keys.size());
  std::vector<unsigned char> nulls(keys.size());
  for (std::size_t k = 0; k < nulls.size(); ++k) nulls[k] = k % 7 == 0;
  const auto count = static_cast<int>(keys.size());
  const auto with_aggregates = [](const float* x, const unsigned char* no_value, auto group) {
    return group(count_rows(), count_of(no_value), sum_of(x), mean_of(x, no_value),
                 argmax_of(x, no_value), min_of(x), max_of(x, no_value), argmin_of(x),
                 variance_of(x, no_value));
  };
  reference_context one;
  const auto expected = with_aggregates(values.data(), nulls.data(), [&](auto... wanted) {
    return group_by(one, keys.data(), count, wanted...);
  });
  std::vector<int> expected_keys;
  for (const int row : to_host(one, expected.first_rows)) {
    expected_keys.push_back(keys[static_cast<std::size_t>(row)]);
  }
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
      const shard_map map = make_shards(cut::uneven, keys.size(), ranks);
      const auto shard = shard_of(ctx, keys, map);
      const auto x = shard_of(ctx, values, map);
      const auto no_value = shard_of(ctx, nulls, map);
      const auto got = with_aggregates(x.data(), no_value.data(), [&](auto... wanted) {
        return group_by(ctx, shard, wanted...);
      });
      EXPECT_EQ(gathered_on_host(ctx, got.keys), expected_keys) << ranks << " ranks";
      const auto compare = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
        // The variance of one value is NaN.
        EXPECT_TRUE(same_bits(gathered_on_host(ctx, get<I>(got.values)),
                              to_host(one, get<I>(expected.values))))
            << "aggregate " << I << " on " << ranks << " ranks";
      };
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (compare(std::integral_constant<std::size_t, I>{}), ...);
      }(std::make_index_sequence<9>{});
    });
  }
}

struct last_digit {
  EF_HD int operator()(int x) const { return x < 0 ? no_bin : x % 10; }
};

TEST(distributed_compositions, histogram) {
  const std::vector<int> items = keys_with_a_heavy_one();
  std::vector<std::uint64_t> expected(10);
  for (const int x : items) {
    if (x >= 0) ++expected[static_cast<std::size_t>(x % 10)];
  }
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
      const auto shard = shard_of(ctx, items, make_shards(cut::uneven, items.size(), ranks));
      EXPECT_EQ(to_host(ctx.local(), histogram(ctx, shard, 10, last_digit{})), expected);
    });
  }
}

struct first_digits {
  int bins;
  EF_HD int operator()(int x) const { return x % 7 == 0 ? no_bin : x * 7 % bins; }
};

/// Chunks of 4096 items and more, whole ones and a part of one, and fewer than there are ranks.
TEST(distributed_compositions, histogram_of_weights) {
  for (const std::size_t count : {0, 1, 4096, 30000, 100001}) {
    std::vector<int> items(count);
    for (std::size_t k = 0; k < count; ++k) items[k] = static_cast<int>(k * k % 1009);
    const std::vector<float> weights = random_fractions<float>(count);
    for (const int bins : {1, 3, 600}) {
      reference_context one;
      std::vector<float> expected(static_cast<std::size_t>(bins));
      histogram(one, count, bins, elementwise(first_digits{bins}, items.data()),
                element_of<float, const float*>{weights.data()}, expected.data());
      for (const int ranks : rank_counts) {
        on_ranks<default_context>(ranks, [&](rank_context& ctx) {
          for (const cut kind : cuts) {
            const auto shard = shard_of(ctx, items, make_shards(kind, count, ranks));
            const auto weight = shard_of(ctx, weights, make_shards(cut::uneven, count, ranks));
            EXPECT_EQ(to_host(ctx.local(), histogram(ctx, shard, bins, first_digits{bins}, weight)),
                      expected)
                << count << " items, " << bins << " bins, " << ranks << " ranks";
          }
        });
      }
    }
  }
}

TEST(distributed_compositions, spmv) {
  const auto rows = make_segments<int>(shape::one_giant, 3000);
  const auto entries = static_cast<std::size_t>(rows.count);
  const std::vector<float> values = numbers(entries);
  const std::vector<float> x = numbers(50);
  std::vector<int> columns(entries);
  for (std::size_t k = 0; k < entries; ++k) columns[k] = static_cast<int>(k * 17 % 50);
  reference_context one;
  std::vector<float> expected(rows.offsets.size());
  const csr_view<const float, int, int> a{static_cast<int>(rows.num_segments()),
                                          50,
                                          static_cast<int>(entries),
                                          rows.offsets.data(),
                                          columns.data(),
                                          values.data()};
  spmv(one, a, x.data(), expected.data());
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
      const shard_map cut_entries = make_shards(cut::uneven, entries, ranks);
      const sharded_csr<float, int, int> matrix(
          ctx, 50, shard_of(ctx, rows.offsets, shard_map::equal(rows.offsets.size(), ranks)),
          shard_of(ctx, columns, cut_entries), shard_of(ctx, values, cut_entries));
      const auto vector = shard_of(ctx, x, make_shards(cut::uneven, x.size(), ranks));
      EXPECT_EQ(gathered_on_host(ctx, spmv<float>(ctx, matrix, vector)), expected)
          << ranks << " ranks";
    });
  }
}

/// Rows of 16 entries near the diagonal, and a longer one, whose products are computed while the
/// elements move that the first and the last rows of a rank need.
TEST(distributed_compositions, spmv_of_rows_with_near_columns) {
  constexpr std::uint64_t num_rows = 4000;
  std::vector<int> offsets;
  std::vector<int> columns;
  for (std::uint64_t row = 0; row < num_rows; ++row) {
    offsets.push_back(static_cast<int>(columns.size()));
    const std::uint64_t length = row == 1000 ? 1040 : 16;
    for (std::uint64_t k = 0; k < length; ++k) {
      const std::uint64_t near = row + k * 7 % 41;
      columns.push_back(static_cast<int>(std::clamp<std::uint64_t>(near, 20, num_rows + 19) - 20));
    }
  }
  const std::vector<float> values = numbers(columns.size());
  const std::vector<float> x = numbers(num_rows);
  reference_context one;
  std::vector<float> expected(num_rows);
  const csr_view<const float, int, int> a{static_cast<int>(num_rows),
                                          static_cast<int>(num_rows),
                                          static_cast<int>(columns.size()),
                                          offsets.data(),
                                          columns.data(),
                                          values.data()};
  spmv(one, a, x.data(), expected.data());
  for (const int ranks : rank_counts) {
    on_ranks<default_context>(ranks, [&](rank_context& ctx) {
      const shard_map entries = shard_map::equal(columns.size(), ranks);
      const sharded_csr<float, int, int> matrix(
          ctx, num_rows, shard_of(ctx, offsets, shard_map::equal(num_rows, ranks)),
          shard_of(ctx, columns, entries), shard_of(ctx, values, entries));
      const shard_map& map = matrix.rows.segments();
      EXPECT_EQ(matrix.inner_rows(ctx, map).empty(), ranks == 1) << ctx.rank();
      for (const shard_map& shards : {map, shard_map::equal(num_rows, ranks), map}) {
        EXPECT_EQ(gathered_on_host(ctx, spmv<float>(ctx, matrix, shard_of(ctx, x, shards))),
                  expected)
            << ranks << " ranks";
      }
    });
  }
}

TEST(distributed_compositions, to_csr) {
  for (const entry_shape kind :
       {entry_shape::giant_row, entry_shape::empty_ends, entry_shape::none}) {
    const auto list = make_entries<float, int, int>(kind);
    reference_context one;
    const auto expected = to_csr(one, list.view(), duplicates::keep);
    for (const int ranks : {2, 5}) {
      on_ranks<default_context>(ranks, [&](rank_context& ctx) {
        const shard_map map = make_shards(cut::uneven, list.rows.size(), ranks);
        const auto got =
            to_csr(ctx, static_cast<std::uint64_t>(list.num_rows),
                   static_cast<std::uint64_t>(list.num_columns), shard_of(ctx, list.rows, map),
                   shard_of(ctx, list.columns, map), shard_of(ctx, list.values, map));
        // The last offset of one context is the number of entries.
        std::vector<int> offsets;
        for (const std::uint64_t offset : gathered_on_host(ctx, got.rows.offsets())) {
          offsets.push_back(static_cast<int>(offset));
        }
        offsets.push_back(static_cast<int>(got.num_nonzeros()));
        EXPECT_EQ(offsets, to_host(one, expected.row_offsets)) << name_of(kind);
        EXPECT_EQ(gathered_on_host(ctx, got.columns), to_host(one, expected.columns));
        EXPECT_EQ(gathered_on_host(ctx, got.values), to_host(one, expected.values));
      });
    }
  }
}

}  // namespace
}  // namespace evenfold::testing
