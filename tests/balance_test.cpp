// backends: host
// The laws of the load-balance contract of balance/.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "evenfold/balance/merge_path.hpp"
#include "evenfold/balance/segments.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/functional.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {
namespace {

TEST(shares, cover_everything_once_in_order_and_differ_by_at_most_one) {
  for (const std::int64_t total : {0, 1, 2, 7, 8, 9, 1000, 1001, 99991}) {
    for (const int workers : {1, 2, 3, 7, 8, 64, 1000}) {
      EXPECT_EQ(detail::share_begin(total, workers, 0), 0);
      EXPECT_EQ(detail::share_begin(total, workers, workers), total);
      for (int w = 0; w < workers; ++w) {
        const std::int64_t length =
            detail::share_begin(total, workers, w + 1) - detail::share_begin(total, workers, w);
        EXPECT_TRUE(length == total / workers || length == total / workers + 1);
        EXPECT_LE(length, detail::ceil_div(total, workers));
      }
    }
  }
}

TEST(shares, do_not_overflow_where_a_product_would) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(detail::share_begin(most, 1024, 1024), most);
  EXPECT_EQ(detail::share_begin(most, 2, 1), most / 2 + 1);
  EXPECT_EQ(detail::ceil_div(most, 1), most);
  EXPECT_EQ(detail::ceil_div(most, 2), most / 2 + 1);
  constexpr int most32 = std::numeric_limits<int>::max();
  EXPECT_EQ(detail::share_begin(most32, 100000, 100000), most32);
  EXPECT_EQ(detail::ceil_div(0, 5), 0);
}

TEST(partition_point, finds_the_end_of_the_prefix) {
  for (int n = 0; n < 40; ++n) {
    for (int prefix = 0; prefix <= n; ++prefix) {
      EXPECT_EQ(detail::partition_point(0, n, [&](int i) { return i < prefix; }), prefix);
    }
  }
}

TEST(merge_path, crosses_each_diagonal_where_the_stable_merge_does) {
  const random_stream random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const int a_count = static_cast<int>(random.below(4 * trial, 20));
    const int b_count = static_cast<int>(random.below(4 * trial + 1, 20));
    const int distinct = 1 + static_cast<int>(random.below(4 * trial + 2, 12));
    std::vector<int> a;
    std::vector<int> b;
    for (int i = 0; i < a_count; ++i) a.push_back(random.bits32(1000 + 64 * trial + i) % distinct);
    for (int i = 0; i < b_count; ++i) b.push_back(random.bits32(90000 + 64 * trial + i) % distinct);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    int from_a = 0;
    for (int d = 0; d <= a_count + b_count; ++d) {
      ASSERT_EQ(detail::merge_path(a.data(), a_count, b.data(), b_count, d, less{}), from_a);
      const int from_b = d - from_a;
      // The serial stable merge takes the next element from `a` unless b's is smaller.
      if (from_a < a_count && (from_b == b_count || !(b[from_b] < a[from_a]))) ++from_a;
    }
  }
}

/// The cuts of the diagonals 0, step, 2 * step, ... and of the last one, each consistent with the
/// one before.
template <class Less>
std::vector<std::uint32_t> chain_of_cuts(const std::vector<int>& a, const std::vector<int>& b,
                                         std::uint32_t step, Less less) {
  const auto a_count = static_cast<std::uint32_t>(a.size());
  const auto b_count = static_cast<std::uint32_t>(b.size());
  std::vector<std::uint32_t> cuts = {0};
  for (std::uint32_t d = 0; d < a_count + b_count;) {
    const std::uint32_t next = std::min(d + step, a_count + b_count);
    const std::uint32_t found =
        detail::merge_path(a.data(), a_count, b.data(), b_count, next, less);
    cuts.push_back(detail::fit_cut(found, cuts.back(), next - d));
    d = next;
  }
  return cuts;
}

TEST(fit_cut, changes_no_cut_of_an_order) {
  const std::vector<int> a = {1, 1, 2, 5, 5, 5, 8};
  const std::vector<int> b = {0, 1, 5, 5, 6, 9};
  for (std::uint32_t step = 1; step < 15; ++step) {
    const std::vector<std::uint32_t> cuts = chain_of_cuts(a, b, step, less{});
    for (std::uint32_t k = 0; k < cuts.size(); ++k) {
      EXPECT_EQ(cuts[k],
                detail::merge_path(a.data(), 7u, b.data(), 6u, std::min(k * step, 13u), less{}));
    }
  }
}

TEST(fit_cut, makes_pieces_that_cover_both_sequences_whatever_less_answers) {
  const random_stream random(6);
  std::uint64_t asked = 0;
  const auto any = [&](int, int) { return random.bits32(asked++) % 2 == 0; };
  for (int trial = 0; trial < 1000; ++trial) {
    const std::vector<int> a(random.below(2 * trial, 30));
    const std::vector<int> b(random.below(2 * trial + 1, 30));
    const auto step = static_cast<std::uint32_t>(1 + trial % 7);
    const std::vector<std::uint32_t> cuts = chain_of_cuts(a, b, step, any);
    const auto last = static_cast<std::uint32_t>(a.size() + b.size());
    for (std::uint32_t k = 1; k < cuts.size(); ++k) {
      const std::uint32_t steps = std::min(k * step, last) - (k - 1) * step;
      ASSERT_GE(cuts[k], cuts[k - 1]);
      ASSERT_LE(cuts[k] - cuts[k - 1], steps);
    }
    ASSERT_EQ(cuts.back(), a.size());
  }
}

/// Every step along items and segment ends, serially.
template <class Offset>
std::vector<detail::segment_position<std::int64_t, std::int64_t>> walk(
    const segments_of<Offset>& data) {
  std::vector<detail::segment_position<std::int64_t, std::int64_t>> result = {{0, 0}};
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) result.push_back({i + 1, s});
    result.push_back({data.end(s), s + 1});
  }
  return result;
}

class balance : public ::testing::TestWithParam<shape> {};

TEST_P(balance, position_agrees_with_a_serial_walk_at_every_diagonal) {
  for (const std::int64_t count : {0, 1, 2, 100, 10000}) {
    const segments_of<int> data = make_segments(GetParam(), count);
    const detail::segment_view view(data.count, data.offsets.data(), data.num_segments());
    const auto steps = walk(data);
    ASSERT_EQ(view.steps() + 1, steps.size());
    for (std::size_t d = 0; d < steps.size(); ++d) {
      const auto at = view.position(d);
      ASSERT_EQ(at.item, steps[d].item) << "diagonal " << d;
      ASSERT_EQ(at.segment, steps[d].segment) << "diagonal " << d;
    }
  }
}

TEST_P(balance, segment_of_an_item_contains_it) {
  const segments_of<std::uint32_t> data = make_segments<std::uint32_t>(GetParam(), 20000);
  const detail::segment_view view(data.count, data.offsets.data(), data.num_segments());
  for (std::int64_t i = 0; i < data.count; ++i) {
    const std::int64_t s = view.segment_of(i);
    ASSERT_LE(view.begin(s), i);
    ASSERT_LT(i, view.end(s));
  }
}

TEST_P(balance, workers_cover_items_and_segments_once_in_order_with_equal_shares) {
  const segments_of<std::int64_t> data = make_segments<std::int64_t>(GetParam(), 30000);
  const detail::segment_view view(data.count, data.offsets.data(), data.num_segments());
  for (const int workers : {1, 2, 3, 7, 64, 1000}) {
    std::int64_t next_item = 0;
    std::int64_t next_closed = 0;
    for (int w = 0; w < workers; ++w) {
      const std::uint64_t first = detail::share_begin(view.steps(), workers, w);
      const std::uint64_t last = detail::share_begin(view.steps(), workers, w + 1);
      const auto from = view.position(first);
      const auto to = view.position(last);
      EXPECT_LE(static_cast<std::uint64_t>(to.item - from.item + to.segment - from.segment),
                detail::ceil_div(view.steps(), workers));
      detail::for_each_piece(view, from, to,
                             [&](std::int64_t seg, std::int64_t begin, std::int64_t end) {
                               ASSERT_EQ(begin, next_item);
                               ASSERT_LE(view.begin(seg), begin);
                               ASSERT_LE(end, view.end(seg));
                               next_item = end;
                               if (seg < to.segment) {
                                 ASSERT_EQ(seg, next_closed);
                                 ASSERT_EQ(end, view.end(seg));
                                 ++next_closed;
                               } else {
                                 ASSERT_LT(begin, end);
                               }
                             });
    }
    EXPECT_EQ(next_item, data.count);
    EXPECT_EQ(next_closed, data.num_segments());
  }
}

TEST_P(balance, a_piece_does_not_depend_on_its_worker) {
  const segments_of<int> data = make_segments(GetParam(), 30000);
  const detail::segment_view view(data.count, data.offsets.data(), data.num_segments());
  constexpr std::uint64_t tile = 1000;
  const std::uint64_t tiles = detail::ceil_div(view.steps(), tile);
  // For any number of workers, the tiles have the same borders and `tile` steps each.
  for (std::uint64_t t = 0; t + 1 < tiles; ++t) {
    const auto from = view.position(t * tile);
    const auto to = view.position((t + 1) * tile);
    EXPECT_EQ(static_cast<std::uint64_t>(to.item - from.item) +
                  static_cast<std::uint64_t>(to.segment - from.segment),
              tile);
  }
}

INSTANTIATE_TEST_SUITE_P(shapes, balance, ::testing::ValuesIn(shapes),
                         ::testing::PrintToStringParamName());

TEST(balance_limits, counts_beyond_32_bits_are_searched_without_overflow) {
  // Four segments of 2^33 items; offsets are computed, not stored.
  struct far_offsets {
    std::int64_t operator[](std::int64_t s) const { return s << 33; }
  };
  const detail::segment_view view(std::int64_t{4} << 33, far_offsets{}, std::int64_t{4});
  EXPECT_EQ(view.segment_of((std::int64_t{3} << 33) - 1), 2);
  EXPECT_EQ(view.segment_of(std::int64_t{3} << 33), 3);
  const auto closed_two = view.position((std::uint64_t{2} << 33) + 2);
  EXPECT_EQ(closed_two.item, std::int64_t{2} << 33);
  EXPECT_EQ(closed_two.segment, 2);
  const auto not_yet = view.position((std::uint64_t{2} << 33) + 1);
  EXPECT_EQ(not_yet.item, std::int64_t{2} << 33);
  EXPECT_EQ(not_yet.segment, 1);
}

TEST(balance_limits, unsigned_counts_up_to_their_maximum) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const std::uint32_t offsets[] = {0, 5, 5, most - 1};
  const detail::segment_view view(most, offsets, 4u);
  EXPECT_EQ(view.steps(), std::uint64_t{most} + 4);
  const auto end = view.position(view.steps());
  EXPECT_EQ(end.item, most);
  EXPECT_EQ(end.segment, 4u);
  EXPECT_EQ(view.segment_of(most - 2), 2u);
  EXPECT_EQ(view.segment_of(most - 1), 3u);
}

}  // namespace
}  // namespace evenfold::testing
