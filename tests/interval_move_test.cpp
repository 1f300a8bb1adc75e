#include "evenfold/algorithm/interval_move.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "evenfold/core/counting_iterator.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Positions for the segments in a random order with gaps; `size` is the end of the last one.
template <class Position>
struct spread_segments {
  std::vector<Position> begin;
  std::int64_t size = 0;

  template <class Offset>
  spread_segments(const segments_of<Offset>& data, std::uint64_t seed)
      : begin(data.num_segments()) {
    std::vector<std::int64_t> order(begin.size());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<std::uint64_t> bits = random_bits(data.num_segments(), seed);
    std::sort(order.begin(), order.end(),
              [&](std::int64_t a, std::int64_t b) { return bits[a] < bits[b]; });
    for (const std::int64_t s : order) {
      begin[s] = static_cast<Position>(size);
      size += data.end(s) - data.begin(s) + s % 3;
    }
  }
};

/// The count has the type of the offsets.
template <class T, class Position, class Offset, class Context>
void check_moves(Context& ctx, const segments_of<Offset>& data) {
  const auto count = static_cast<Offset>(data.count);
  const spread_segments<Position> from(data, 1), to(data, 2);
  const std::vector<T> host = random_values<T>(from.size);
  const int num_segments = static_cast<int>(data.num_segments());
  const array<T> input = to_context(ctx, host);
  const array<Offset> offsets = to_context(ctx, data.offsets);
  const array<Position> gather = to_context(ctx, from.begin), scatter = to_context(ctx, to.begin);

  array<T> gathered(ctx, data.count);
  interval_gather(ctx, input.data(), gather.data(), count, offsets.data(), num_segments,
                  gathered.data());
  const std::vector<T> blank = random_values<T>(to.size);
  array<T> moved = to_context(ctx, blank), scattered = to_context(ctx, blank);
  interval_move(ctx, input.data(), gather.data(), count, offsets.data(), num_segments,
                scatter.data(), moved.data());
  interval_scatter(ctx, gathered.data(), count, offsets.data(), num_segments, scatter.data(),
                   scattered.data());

  std::vector<T> expected = blank;
  const std::vector<T> got = to_host(ctx, gathered);
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    for (std::int64_t i = data.begin(s), r = 0; i < data.end(s); ++i, ++r) {
      ASSERT_TRUE(got[i] == host[from.begin[s] + r]) << "item " << i;
      expected[to.begin[s] + r] = host[from.begin[s] + r];
    }
  }
  // Elements between the intervals do not change.
  EXPECT_TRUE(to_host(ctx, moved) == expected);
  EXPECT_TRUE(to_host(ctx, scattered) == expected);
}

template <class Context>
class interval_move_on : public on<Context> {};
TYPED_TEST_SUITE(interval_move_on, contexts);

TYPED_TEST(interval_move_on, moves_intervals_of_every_shape) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2},
                                     std::int64_t{4097}, third_if_sanitized(60000)}) {
      check_moves<int, int>(this->ctx, make_segments<int>(kind, count));
      check_moves<int, int>(this->ctx, make_segments<std::int64_t>(kind, count));
    }
  }
}

TYPED_TEST(interval_move_on, takes_positions_of_64_bits_and_values_of_24_bytes) {
  const auto data = make_segments<std::int64_t>(shape::power_law, 20000);
  check_moves<triple, std::uint64_t>(this->ctx, data);
}

TYPED_TEST(interval_move_on, intervals_may_end_beyond_the_positions_of_32_bits) {
  constexpr int most = std::numeric_limits<int>::max();
  for (const int num_segments : {3, 300}) {  // long segments, and short ones
    const std::int64_t length = 3000 / num_segments;
    std::vector<int> begins;
    std::vector<std::int64_t> starts, expected;
    for (int s = 0; s < num_segments; ++s) {
      begins.push_back(most - s);
      starts.push_back(s * length);
      for (std::int64_t r = 0; r < length; ++r) expected.push_back(std::int64_t{begins.back()} + r);
    }
    const array<int> gather = to_context(this->ctx, begins);
    const array<std::int64_t> offsets = to_context(this->ctx, starts);
    array<std::int64_t> out(this->ctx, 3000);
    interval_gather(this->ctx, counting_iterator<std::int64_t>{}, gather.data(), std::size_t{3000},
                    offsets.data(), num_segments, out.data());
    EXPECT_EQ(to_host(this->ctx, out), expected);
  }
}

TYPED_TEST(interval_move_on, gathered_intervals_may_overlap) {
  const array<int> input = to_context(this->ctx, std::vector<int>{1, 2, 3, 4});
  const array<int> gather = to_context(this->ctx, std::vector<int>{1, 0, 1});
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0, 3, 5});
  array<int> out(this->ctx, 7);
  interval_gather(this->ctx, input.data(), gather.data(), 7, offsets.data(), 3, out.data());
  EXPECT_EQ(to_host(this->ctx, out), (std::vector<int>{2, 3, 4, 1, 2, 2, 3}));
}

TYPED_TEST(interval_move_on, refuses_items_without_a_segment) {
  array<int> out(this->ctx, 1);
  int* const p = out.data();
  EXPECT_THROW(interval_gather(this->ctx, p, p, 1, p, 0, p), argument_error);
  EXPECT_THROW(interval_scatter(this->ctx, p, -1, p, 0, p, p), argument_error);
  EXPECT_THROW(interval_move(this->ctx, p, p, 1, p, 0, p, p), argument_error);
}

}  // namespace
}  // namespace evenfold::testing
