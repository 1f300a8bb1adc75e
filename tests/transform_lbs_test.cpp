#include "evenfold/algorithm/transform_lbs.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"

namespace evenfold::testing {
namespace {

/// The arguments of one call of the lambda. `calls` is the number of calls for this index.
struct visit {
  std::int64_t seg;
  std::int64_t rank;
  std::int64_t first;
  double second;
  int calls;
};

template <class Size, class Offset, class SegmentSize, class Context>
void check_visits(Context& ctx, const segments_of<Offset>& data) {
  const std::int64_t num_segments = data.num_segments();
  std::vector<std::int64_t> first;
  std::vector<double> second;
  for (std::int64_t s = 0; s < num_segments; ++s) {
    first.push_back(3 * s + 1);
    second.push_back(static_cast<double>(s) / 2);
  }
  const array<Offset> offsets = to_context(ctx, data.offsets);
  const array<std::int64_t> firsts = to_context(ctx, first);
  const array<double> seconds = to_context(ctx, second);
  array<visit> visits = to_context(
      ctx, std::vector<visit>(static_cast<std::size_t>(data.count), visit{-1, -1, -1, -1, 0}));
  visit* v = visits.data();
  using values = tuple<std::int64_t, double>;

  transform_lbs(
      ctx, static_cast<Size>(data.count),
      EF_LAMBDA(Size index, SegmentSize seg, Size rank) {
        v[index].seg = static_cast<std::int64_t>(seg);
        v[index].rank = static_cast<std::int64_t>(rank);
        ++v[index].calls;
      },
      offsets.data(), static_cast<SegmentSize>(num_segments));
  transform_lbs(
      ctx, static_cast<Size>(data.count),
      EF_LAMBDA(Size index, SegmentSize seg, Size rank, const values& cached) {
        v[index].seg += static_cast<std::int64_t>(seg);
        v[index].rank += static_cast<std::int64_t>(rank);
        v[index].first = get<0>(cached);
        v[index].second = get<1>(cached);
        ++v[index].calls;
      },
      offsets.data(), static_cast<SegmentSize>(num_segments),
      make_tuple(firsts.data(), seconds.data()));

  const std::vector<visit> got = to_host(ctx, visits);
  for (std::int64_t s = 0; s < num_segments; ++s) {
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) {
      ASSERT_EQ(got[i].calls, 2) << "item " << i;
      ASSERT_EQ(got[i].seg, 2 * s) << "item " << i;
      ASSERT_EQ(got[i].rank, 2 * (i - data.begin(s))) << "item " << i;
      ASSERT_EQ(got[i].first, first[s]) << "item " << i;
      ASSERT_EQ(got[i].second, second[s]) << "item " << i;
    }
  }
}

template <class Context>
class transform_lbs_on : public on<Context> {};
TYPED_TEST_SUITE(transform_lbs_on, contexts);

TYPED_TEST(transform_lbs_on, visits_every_item_of_every_shape_once) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 2, 1000, 50000}) {
      check_visits<int, int, int>(this->ctx, make_segments<int>(kind, count));
    }
  }
}

TYPED_TEST(transform_lbs_on, visits_every_item_at_every_size) {
  for (const std::int64_t count : sizes()) {
    check_visits<int, int, int>(this->ctx, make_segments<int>(shape::power_law, count));
  }
}

TYPED_TEST(transform_lbs_on, takes_64_bit_and_unsigned_counts_and_offsets) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    check_visits<std::int64_t, std::int64_t, std::int64_t>(
        this->ctx, make_segments<std::int64_t>(kind, 20000));
    check_visits<std::uint32_t, std::uint32_t, std::uint32_t>(
        this->ctx, make_segments<std::uint32_t>(kind, 20000));
    check_visits<std::int64_t, int, int>(this->ctx, make_segments<int>(kind, 20000));
  }
}

}  // namespace
}  // namespace evenfold::testing
