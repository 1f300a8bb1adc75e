#include "evenfold/algorithm/lbs_workcreate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "evenfold/core/atomic.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A new item, which contains the arguments of the call that created it.
struct origin {
  std::int64_t index, seg, rank, first, second;
  friend bool operator==(const origin&, const origin&) = default;
};

/// Creates new items for some items, which are none, some or all of the items of a segment.
EF_HD inline bool creates(std::int64_t seg, std::int64_t rank) {
  return seg % 3 == 0 ? rank % 2 == 0 : seg % 3 == 1;
}

template <class Offset, class Context>
void check_origins(Context& ctx, const segments_of<Offset>& data) {
  std::vector<int> first;
  std::vector<std::int64_t> second;
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    first.push_back(static_cast<int>(s * 7));
    second.push_back(-s);
  }
  const array<Offset> offsets = to_context(ctx, data.offsets);
  const array<int> on_first = to_context(ctx, first);
  const array<std::int64_t> on_second = to_context(ctx, second);
  array<int> calls = to_context(ctx, std::vector<int>(static_cast<std::size_t>(data.count)));
  int* called = calls.data();
  std::vector<origin> expected;
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) {
      if (creates(s, i - data.begin(s))) {
        expected.push_back({i, s, i - data.begin(s), first[s], second[s]});
      }
    }
  }
  array<origin> out(ctx, expected.size());
  const std::int64_t created = lbs_workcreate(
      ctx, data.count,
      EF_LAMBDA(std::int64_t i, std::int64_t seg, std::int64_t rank,
                const tuple<int, std::int64_t>& cached)
          ->optional<origin> {
            atomic_ref<int>(called[i]).fetch_add(1);
            if (!creates(seg, rank)) return nullopt;
            return origin{i, seg, rank, get<0>(cached), get<1>(cached)};
          },
      offsets.data(), data.num_segments(), make_tuple(on_first.data(), on_second.data()),
      out.data());
  ASSERT_EQ(created, static_cast<std::int64_t>(expected.size()));
  ASSERT_EQ(to_host(ctx, out), expected);
  ASSERT_EQ(to_host(ctx, calls), std::vector<int>(static_cast<std::size_t>(data.count), 1));
}

/// Steps of a breadth-first search in a tree in which vertex v has the children 3v + 1 .. 3v + 3.
/// Each child is listed twice, so that two calls compete for it, and it must be claimed once.
template <class Context>
void check_claims(Context& ctx) {
  constexpr int vertices = 9841;  // 1 + 3 + ... + 3^8
  array<int> claimed = to_context(ctx, std::vector<int>(3 * vertices + 4));
  array<int> frontier = to_context(ctx, std::vector<int>{0});
  int* claims = claimed.data();
  int size = 1;
  for (int level = 1; level <= 8; ++level) {
    const int count = 6 * size;
    std::vector<int> host_offsets;
    for (int s = 0; s < size; ++s) host_offsets.push_back(6 * s);
    const array<int> offsets = to_context(ctx, host_offsets);
    array<int> next(ctx, 3 * size);
    array<int> created(ctx, 1);
    lbs_workcreate(
        ctx, count,
        EF_LAMBDA(int, int, int rank, const tuple<int>& cached)->optional<int> {
          const int child = 3 * get<0>(cached) + 1 + rank % 3;
          if (atomic_ref<int>(claims[child]).exchange(1) != 0) return nullopt;
          return child;
        },
        offsets.data(), size, make_tuple(frontier.data()), next.data(), created.data());
    size *= 3;
    ASSERT_EQ(to_host(ctx, created)[0], size);
    const std::vector<int> got = to_host(ctx, next);
    std::vector<int> seen(3 * vertices + 4);
    for (const int v : got) ++seen[static_cast<std::size_t>(v)];
    for (int v = (size - 1) / 2; v < (3 * size - 1) / 2; ++v) ASSERT_EQ(seen[v], 1) << v;
    frontier = std::move(next);
  }
}

template <class Context>
class lbs_workcreate_on : public on<Context> {};
TYPED_TEST_SUITE(lbs_workcreate_on, contexts);

TYPED_TEST(lbs_workcreate_on, creates_in_order_for_every_shape) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 2, 5000, 70000}) {
      check_origins(this->ctx, make_segments<int>(kind, count));
    }
  }
}

TYPED_TEST(lbs_workcreate_on, creates_in_order_at_every_size) {
  for (const std::int64_t count : sizes()) {
    check_origins(this->ctx, make_segments<int>(shape::power_law, count));
  }
  check_origins(this->ctx, make_segments<int>(shape::one_giant, large_size));
}

TYPED_TEST(lbs_workcreate_on, claims_happen_once) { check_claims(this->ctx); }

struct create_none {
  EF_HD optional<int> operator()(int, int, int) const { return nullopt; }
};

TYPED_TEST(lbs_workcreate_on, creates_nothing_and_refuses_bad_segments) {
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0, 2});
  int* const no = nullptr;
  EXPECT_EQ(lbs_workcreate(this->ctx, 5, create_none{}, offsets.data(), 2, no), 0);
  try {
    lbs_workcreate(this->ctx, 5, create_none{}, offsets.data(), 0, no);
    FAIL() << "took items without a segment";
  } catch (const argument_error& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, 33), "lbs_workcreate: num_segments is 0") << e.what();
  }
}

}  // namespace
}  // namespace evenfold::testing
